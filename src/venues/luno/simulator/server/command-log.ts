/**
 * The log of the commands after a snapshot: one command per line, each with its checksum.
 *
 *     3f2a91c0 {"timeMicros":1795176000000000,"kind":"revoke-key","keyId":"sim_0123456789"}
 *
 * Lines are collected and written by `commit`, so that one disk sync serves many commands.
 *
 * Invariants: commands appended before a commit are on the disk when it returns or calls back; an
 * incomplete or damaged last line is dropped, because its command was never answered; a damaged
 * line anywhere else is an error.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../../../domain/errors.ts';
import { attempt, syncFolder } from '../../../../runtime/durable-file.ts';
import { writeAll } from '../../../../runtime/write-all.ts';
import { commandOf, type LoggedCommand } from '../world/logged-command.ts';
import type { Command } from '../world/world-command.ts';

export class CommandLog {
  readonly #path: string;
  readonly #descriptor: number;
  #byteCount: number;
  /** Lines that are not in the file yet. */
  #pending: string[] = [];
  /** After a failed write the end of the file is unknown, so nothing may be appended. */
  #isBroken = false;

  /**
   * Opens or creates the log, cuts off an incomplete last line, and passes each command to
   * `replay`.
   */
  constructor(path: string, replay: (command: Command) => void) {
    this.#path = path;
    this.#descriptor = attempt(path, () => openSync(path, 'a+', 0o600));
    const bytes = attempt(path, () => readFileSync(this.#descriptor));
    this.#byteCount = readLines(path, bytes, replay);
    if (this.#byteCount < bytes.length)
      attempt(path, () => ftruncateSync(this.#descriptor, this.#byteCount));
    attempt(path, () => {
      fsyncSync(this.#descriptor);
      syncFolder(dirname(path));
    });
  }

  get byteCount(): number {
    return this.#byteCount;
  }

  /** Whether commands were appended that no commit has written yet. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Queues a command for the next commit. */
  append(command: Command): void {
    const text = JSON.stringify(command);
    this.#pending.push(`${checksumOf(text)} ${text}\n`);
  }

  /** Makes all appended commands durable. Throws {@link StoreError} if the disk fails. */
  commit(): void {
    this.#write();
    attempt(this.#path, () => fdatasyncSync(this.#descriptor));
    this.#isBroken = false;
  }

  /**
   * Like `commit`, without blocking the process during the disk sync. Only one may run at a time;
   * commands appended meanwhile belong to the next commit.
   */
  commitLater(done: (failure: StoreError | undefined) => void): void {
    try {
      this.#write();
    } catch (error) {
      done(error as StoreError);
      return;
    }
    fdatasync(this.#descriptor, (cause) => {
      if (cause === null) this.#isBroken = false;
      done(
        cause === null ? undefined : new StoreError(`${this.#path}: ${cause.message}`, { cause }),
      );
    });
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(): void {
    if (this.#isBroken) throw new StoreError(`${this.#path}: an earlier write failed`);
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#isBroken = true;
    attempt(this.#path, () => writeAll(this.#descriptor, bytes));
    this.#byteCount += bytes.length;
  }
}

/** Replays the complete lines and returns their total size in bytes. */
function readLines(path: string, bytes: Buffer, replay: (command: Command) => void): number {
  let start = 0;
  for (let number = 1; start < bytes.length; number++) {
    const end = bytes.indexOf(10, start);
    const command = end === -1 ? undefined : parseLine(bytes.toString('utf8', start, end));
    if (command === undefined) {
      const isLast = end === -1 || end === bytes.length - 1;
      if (isLast) return start;
      throw new StoreError(`${path}: line ${number} is damaged`);
    }
    replay(command);
    start = end + 1;
  }
  return start;
}

function parseLine(line: string): Command | undefined {
  const text = line.slice(9);
  if (line[8] !== ' ' || line.slice(0, 8) !== checksumOf(text)) return undefined;
  return commandOf(JSON.parse(text) as LoggedCommand);
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
