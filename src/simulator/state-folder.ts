/**
 * The folder that holds a simulated exchange between runs.
 *
 *     snapshot-7.bin     the state when log 7 begins
 *     commands-7.log     what changed it since
 *     credentials.json   the keys that the exchange issued, readable by the owner only
 *     process.lock       which process has the folder
 *
 * Invariants: a command is in the log before it has any effect; the newest whole snapshot and its
 * log are the exchange; older files go only when a newer snapshot is on the disk.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StoreError } from '../domain/errors.ts';
import type { Command } from './command.ts';
import { attempt, CommandLog, syncFolder } from './command-log.ts';
import { type Recorder, restoreSimulator, type Simulator } from './simulator.ts';

const logBytesMaxDefault = 8 * 1024 * 1024;
const headerBytes = 8;

export type StoredSimulator = {
  readonly simulator: Simulator;
  /** Commands that were replayed from the log. */
  readonly replayed: number;
  /** Replaces the log by a snapshot if it has grown long. Call it between two requests. */
  compact(): void;
  /** Writes a last snapshot and closes the log. */
  close(): void;
};

/**
 * Opens the exchange in `folder`, or makes one with `create`. Throws {@link StoreError} if the
 * folder cannot be read or written, or is damaged.
 */
export function openStoredSimulator(
  folder: string,
  create: (record: Recorder) => Simulator,
  options: {
    /** A log longer than this is replaced by a snapshot. */
    readonly logBytesMax?: number;
  } = {},
): StoredSimulator {
  const logBytesMax = options.logBytesMax ?? logBytesMaxDefault;
  attempt(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  // The simulator calls this only after the log below is open.
  let log: CommandLog | undefined;
  const record = (command: Command): void => {
    if (log === undefined) throw new StoreError(`${folder}: the log is not open`);
    log.append(command);
  };
  let number = newestSnapshot(folder);
  let simulator: Simulator;
  if (number === undefined) {
    simulator = create(record);
    number = 1;
    writeSnapshot(folder, number, simulator.snapshot());
  } else {
    simulator = restoreSimulator(readSnapshot(snapshotPath(folder, number)), record);
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
    writeSnapshot(folder, next, simulator.snapshot());
    log?.close();
    log = new CommandLog(logPath(folder, next), () => {});
    number = next;
    removeOthers(folder, next);
  };
  return {
    simulator,
    replayed,
    compact: () => {
      if ((log?.byteCount ?? 0) > logBytesMax) replaceLog();
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
      for (let written = 0; written < bytes.length; )
        written += writeSync(descriptor, bytes, written);
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
