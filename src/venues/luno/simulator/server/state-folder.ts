/**
 * The folder that holds a simulated exchange between runs.
 *
 *     snapshot-7.bin     the state when log 7 begins
 *     commands-7.log     the commands since then
 *     credentials.json   the keys that the exchange issued, readable by the owner only
 *     process.lock       the process that uses the folder
 *
 * Invariants: a command is in the log before its effects are visible outside; the newest complete
 * snapshot and its log are the exchange; older files are deleted only when a newer snapshot is on
 * the disk.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../../../domain/errors.ts';
import { attempt, writeAtomically } from '../../../../runtime/durable-file.ts';
import { makeFolder } from '../../../../runtime/make-folder.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import { type Recorder, restoreSimulator, type Simulator } from '../world/simulator.ts';
import type { Command } from '../world/world-command.ts';
import { CommandLog } from './command-log.ts';

const logBytesMaxDefault = 8 * 1024 * 1024;
const headerBytes = 8;

export type StoredSimulator = {
  readonly simulator: Simulator;
  /** Number of commands that were replayed from the log. */
  readonly replayed: number;
  /** Whether commands were given that no commit has written yet; always false unless grouped. */
  readonly hasPending: () => boolean;
  /**
   * Makes all commands given so far durable, then calls back. Only one may run at a time. Used only
   * if grouped: otherwise every command is durable as soon as it is given.
   */
  commitLater(done: (failure: StoreError | undefined) => void): void;
  /** Replaces the log by a snapshot if the log is long. Must not be called during a commit. */
  compact(): void;
  /** Writes a last snapshot and closes the log. Must not be called during a commit. */
  close(): void;
};

export type StoredSimulatorOptions = {
  /**
   * A longer log is replaced by a snapshot. Default: 8 MB, or twice the last snapshot if that is
   * more, so that large snapshots are written rarely.
   */
  readonly logBytesMax?: number;
  /** True lets the caller commit many commands at once. Default: false, which commits each one. */
  readonly isGrouped?: boolean;
  /** The recorded order flow with which the exchange was created, if any. */
  readonly flow?: FlowRecording | undefined;
};

/**
 * Opens the exchange in `folder`, or creates one with `create`. Throws {@link StoreError} if the
 * folder cannot be read or written, or is damaged.
 */
export function openStoredSimulator(
  folder: string,
  create: (record: Recorder) => Simulator,
  options: StoredSimulatorOptions = {},
): StoredSimulator {
  const isGrouped = options.isGrouped === true;
  attempt(folder, () => makeFolder(folder, 0o700));
  // The simulator records commands only after the log is open.
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
    // The snapshot contains every command given so far, even those that the old log lacks.
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

function snapshotPath(folder: string, number: number): string {
  return join(folder, `snapshot-${number}.bin`);
}

function logPath(folder: string, number: number): string {
  return join(folder, `commands-${number}.log`);
}

/** Returns the number of the newest snapshot. Only complete snapshots have such a name. */
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
  writeAtomically(snapshotPath(folder, number), Buffer.concat([header, state]));
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
