/**
 * The folder that holds a simulated exchange between runs.
 *
 *     snapshot-7.bin     the state when log 7 begins
 *     commands-7.log     what changed it since
 *     credentials.json   the keys that the exchange issued, readable by the owner only
 *     process.lock       which process has the folder
 *
 * Invariants: a command is in the log before its effects are seen outside; the newest whole
 * snapshot and its log are the exchange; older files go only when a newer snapshot is on the disk.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../domain/errors.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { writeAll } from '../../runtime/write-all.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import { type Recorder, restoreSimulator, type Simulator } from '../world/simulator.ts';
import type { Command } from '../world/world-command.ts';
import { attempt, CommandLog, syncFolder } from './command-log.ts';

const logBytesMaxDefault = 8 * 1024 * 1024;
const headerBytes = 8;

export type StoredSimulator = {
  readonly simulator: Simulator;
  /** Commands that were replayed from the log. */
  readonly replayed: number;
  /** Whether commands were given that no commit has taken yet; only in a grouped one. */
  readonly hasPending: () => boolean;
  /**
   * Makes durable what was given so far and calls back. At most one may be under way. Only for a
   * grouped one: otherwise every command is durable as soon as it is given.
   */
  commitLater(done: (failure: StoreError | undefined) => void): void;
  /** Replaces the log by a snapshot if it has grown long. Not while a commit is under way. */
  compact(): void;
  /** Writes a last snapshot and closes the log. Not while a commit is under way. */
  close(): void;
};

export type StoredSimulatorOptions = {
  /**
   * A log longer than this is replaced by a snapshot. Default: 8 MB, or twice the last snapshot if
   * that is more, since the longer one takes the rarer it should be.
   */
  readonly logBytesMax?: number;
  /** True leaves it to the caller to commit, for many commands at once. Default: false. */
  readonly isGrouped?: boolean;
  /** The recorded order flow that the exchange was made with, if it was. */
  readonly flow?: FlowRecording | undefined;
};

/**
 * Opens the exchange in `folder`, or makes one with `create`. Throws {@link StoreError} if the
 * folder cannot be read or written, or is damaged.
 */
export function openStoredSimulator(
  folder: string,
  create: (record: Recorder) => Simulator,
  options: StoredSimulatorOptions = {},
): StoredSimulator {
  const isGrouped = options.isGrouped === true;
  attempt(folder, () => makeFolder(folder, 0o700));
  // The simulator calls this only after the log below is open.
  let log: CommandLog | undefined;
  const opened = (): CommandLog => {
    if (log === undefined) throw new StoreError(`${folder}: the log is not open`);
    return log;
  };
  const record = (command: Command): void => {
    opened().append(command);
    if (!isGrouped) opened().commit();
  };
  let number = newestSnapshot(folder);
  let snapshotBytes = 0;
  let simulator: Simulator;
  const save = (as: number): void => {
    const bytes = simulator.snapshot();
    snapshotBytes = bytes.length;
    writeSnapshot(folder, as, bytes);
  };
  if (number === undefined) {
    simulator = create(record);
    number = 1;
    save(number);
  } else {
    const bytes = readSnapshot(snapshotPath(folder, number));
    snapshotBytes = bytes.length;
    simulator = restoreSimulator(bytes, record, options.flow);
  }
  let replayed = 0;
  log = new CommandLog(logPath(folder, number), (command) => {
    attempt(logPath(folder, number as number), () => simulator.replay(command));
    replayed += 1;
  });
  simulator.finishReplay();
  removeOthers(folder, number);

  const replaceLog = (): void => {
    const next = (number as number) + 1;
    // The snapshot has everything that was given, so what the old log lacks is not missed.
    save(next);
    log?.close();
    log = new CommandLog(logPath(folder, next), () => {});
    number = next;
    removeOthers(folder, next);
  };
  return {
    simulator,
    replayed,
    hasPending: () => log?.hasPending === true,
    commitLater: (done) => opened().commitLater(done),
    compact: () => {
      const bytesMax = options.logBytesMax ?? Math.max(logBytesMaxDefault, 2 * snapshotBytes);
      if ((log?.byteCount ?? 0) > bytesMax) replaceLog();
    },
    close: () => {
      replaceLog();
      log?.close();
      log = undefined;
    },
  };
}

/** Writes `bytes` to a file that is either whole or absent after a crash. */
export function writeWhole(path: string, bytes: Uint8Array, mode = 0o600): void {
  attempt(path, () => {
    const temporary = `${path}.tmp`;
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      writeAll(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
    syncFolder(join(path, '..'));
  });
}

function snapshotPath(folder: string, number: number): string {
  return join(folder, `snapshot-${number}.bin`);
}

function logPath(folder: string, number: number): string {
  return join(folder, `commands-${number}.log`);
}

/** Snapshots are renamed into place when whole, so the newest name is a whole one. */
function newestSnapshot(folder: string): number | undefined {
  if (!existsSync(folder)) return undefined;
  const numbers = readdirSync(folder)
    .map((name) => /^snapshot-(\d{1,9})\.bin$/u.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map((digits) => Number.parseInt(digits, 10));
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

function writeSnapshot(folder: string, number: number, state: Uint8Array): void {
  const header = Buffer.from(crc32(state).toString(16).padStart(headerBytes, '0'));
  writeWhole(snapshotPath(folder, number), Buffer.concat([header, state]));
}

function readSnapshot(path: string): Uint8Array {
  const bytes = attempt(path, () => readFileSync(path));
  const state = bytes.subarray(headerBytes);
  if (
    bytes.toString('latin1', 0, headerBytes) !==
    crc32(state).toString(16).padStart(headerBytes, '0')
  )
    throw new StoreError(`${path}: the snapshot is damaged`);
  return state;
}

function removeOthers(folder: string, number: number): void {
  attempt(folder, () => {
    for (const name of readdirSync(folder)) {
      const digits = /^(?:snapshot|commands)-(\d{1,9})\.(?:bin|log)(?:\.tmp)?$/u.exec(name)?.[1];
      if (digits !== undefined && (digits !== String(number) || name.endsWith('.tmp')))
        rmSync(join(folder, name), { force: true });
    }
  });
}
