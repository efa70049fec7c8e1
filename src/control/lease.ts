/**
 * The sign of life of a bot: a small file beside its database, written anew every few seconds by
 * the loop that trades. A loop that does not move does not write.
 *
 *     {"process":"4711 88123","pid":4711,"beat":17,"baseUrl":"http://127.0.0.1:7400"}
 *
 * Invariants: the holder of the database's lock alone writes it; who reads it compares beats, never
 * times, so that no clock has to be right; an orderly end removes it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { processIdentityOf } from '../runtime/process-identity.ts';

export const leaseEveryMs = 5_000;
/** A lease that did not change for so long is old. */
export const leaseAgeMsMax = 15_000;

export type Lease = {
  /** Number and start of the process. */
  readonly process: string;
  readonly pid: number;
  readonly beat: number;
  /** Where the bot's orders are; a simulator may listen elsewhere at each start. */
  readonly baseUrl: string;
};

export type LeaseWriter = {
  /** Writes the next beat. A disk that is full must not stop the bot: the store will. */
  renew(): void;
  /** Takes the lease back: nobody has to look after the orders. */
  remove(): void;
};

/** Returns where the lease of a database is. */
export function leasePathOf(store: string): string {
  return `${store}.lease`;
}

/** Begins the lease of this process. */
export function createLease(path: string, baseUrl: string): LeaseWriter {
  let beat = 0;
  const { pid } = process;
  const identity = processIdentityOf(pid) ?? `${pid}`;
  const renew = (): void => {
    const lease: Lease = { process: identity, pid, beat: ++beat, baseUrl };
    try {
      const next = `${path}.next`;
      writeFileSync(next, JSON.stringify(lease), { mode: 0o600 });
      renameSync(next, path);
    } catch {
      // It grows old, and the watchdog finds the lock held and the process alive.
    }
  };
  renew();
  return { renew, remove: () => rmSync(path, { force: true }) };
}

/** Returns the lease at `path`; undefined if there is none that can be read. */
export function readLease(path: string): Lease | undefined {
  try {
    const { process: identity, pid, beat, baseUrl } = JSON.parse(readFileSync(path, 'utf8'));
    const isWhole = typeof identity === 'string' && typeof baseUrl === 'string';
    if (!isWhole || !Number.isSafeInteger(pid) || !Number.isSafeInteger(beat)) return undefined;
    return { process: identity, pid, beat, baseUrl };
  } catch {
    return undefined;
  }
}
