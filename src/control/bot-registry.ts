/**
 * The bots of this machine's user: a small file for each database, so that a page and a person find
 * every bot, also one that stopped lately or was killed.
 *
 * Invariants: the folder is private to its owner; a file is only a hint, so a reader compares
 * process id and start time, and learns what a bot does from its socket and its database.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Mode } from '../domain/bot-settings.ts';
import { StoreError } from '../domain/errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { processIdentityOf } from '../runtime/process-identity.ts';

export type RegisteredBot = {
  /** The bot's name and the hash of its database's path: two projects may use one name. */
  readonly id: string;
  readonly bot: string;
  readonly mode: Mode;
  /** Real path of the database. */
  readonly store: string;
  /** Folder of its state, with its log and its tokens. */
  readonly home: string;
  readonly startedMs: number;
  /** Undefined while it runs, or if it was killed. */
  readonly endedMs?: number;
};

/** Whether the process of a registered bot still runs. */
export type SeenBot = RegisteredBot & { readonly isAlive: boolean };

type Entry = RegisteredBot & { readonly pid: number; readonly process: string };

/** A bot that ended before this is forgotten. */
const keptMs = 7 * 86_400_000;

/** Returns the folder of the registry of this user. */
export function registryFolder(environment: { readonly [name: string]: string | undefined }) {
  const state = environment['XDG_STATE_HOME'];
  const base = state === undefined || state === '' ? join(homedir(), '.local', 'state') : state;
  return join(base, 'millrace', 'bots');
}

/** Returns the id of the bot with this database. */
export function registeredId(bot: string, store: string): string {
  return `${bot}-${createHash('sha256').update(store).digest('hex').slice(0, 8)}`;
}

/**
 * Registers a bot of this process; the returned function notes that it has ended. Throws StoreError
 * if the file cannot be written or others could write it.
 */
export function registerBot(folder: string, bot: RegisteredBot): (endedMs: number) => void {
  const { pid } = process;
  makeFolder(folder, 0o700);
  requireOwn(folder);
  const entry: Entry = { ...bot, pid, process: processIdentityOf(pid) ?? `${pid}` };
  write(folder, entry);
  return (endedMs) => {
    try {
      write(folder, { ...entry, endedMs });
    } catch {
      // Readers then say that it is gone, without having stopped in order.
    }
  };
}

/** Returns the bots by name, and forgets those that ended long ago or have lost their database. */
export function registeredBots(folder: string, nowMs: number): readonly SeenBot[] {
  try {
    requireOwn(folder);
  } catch {
    return [];
  }
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const entry = entryAt(path);
      if (entry === undefined || isForgotten(entry, nowMs)) {
        rmSync(path, { force: true });
        return [];
      }
      const { pid, process: identity, ...bot } = entry;
      const isAlive = bot.endedMs === undefined && processIdentityOf(pid) === identity;
      return [{ ...bot, isAlive }];
    });
}

function isForgotten({ endedMs, store, pid, process }: Entry, nowMs: number): boolean {
  const writtenMs = [store, `${store}-wal`].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
  );
  if (writtenMs[0] === undefined) return true;
  const lastMs = endedMs ?? Math.max(...writtenMs.map((ms) => ms ?? 0));
  const hasEnded = endedMs !== undefined || processIdentityOf(pid) !== process;
  return hasEnded && lastMs < nowMs - keptMs;
}

function requireOwn(folder: string): void {
  const { uid, mode } = statSync(folder);
  const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  if (!isOwn)
    throw new StoreError(
      `${folder} must belong to this user and be writable by no other: remove it, and it is made again`,
    );
}

function write(folder: string, entry: Entry): void {
  const path = join(folder, `${entry.id}.json`);
  try {
    const next = `${path}.${process.pid}.next`;
    writeFileSync(next, JSON.stringify(entry), { mode: 0o600 });
    renameSync(next, path);
  } catch (cause) {
    throw new StoreError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

function entryAt(path: string): Entry | undefined {
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8'));
    const texts = [entry.id, entry.bot, entry.mode, entry.store, entry.home, entry.process];
    const times = [entry.pid, entry.startedMs, entry.endedMs ?? 0];
    const isWhole =
      texts.every((text) => typeof text === 'string') && times.every(Number.isSafeInteger);
    return isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}
