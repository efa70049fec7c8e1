/**
 * The heartbeat of a bot: a small file next to its database that the trading loop rewrites every
 * few seconds. A loop that hangs does not write it.
 *
 *     {"process":"4711 88123","pid":4711,"beat":17,"baseUrl":"http://127.0.0.1:7400"}
 *
 * Invariants: only the holder of the database's lock writes it; readers compare `beat`, never
 * times, so no clock has to be right; a clean shutdown removes it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { processIdentityOf } from '../runtime/process-identity.ts';

export const leaseEveryMs = 5_000;
/** A lease that has not changed for this time is stale. */
export const leaseAgeMsMax = 15_000;

export type Lease = {
  /** The process's id and start time. */
  readonly process: string;
  readonly pid: number;
  /** Counts the writes of this process. */
  readonly beat: number;
  /** The exchange with the bot's orders; a simulator may use another port at each start. */
  readonly baseUrl: string;
};

export type LeaseWriter = {
  /** Writes the lease with the next `beat`. Ignores a full disk, because the store reports it. */
  renew(): void;
  /** Removes the lease: nobody has to watch the orders any more. */
  remove(): void;
};

/** Returns the path of a database's lease. */
export function leasePathOf(store: string): string {
  return `${store}.lease`;
}

/** Creates the lease of this process. */
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
      // The lease becomes stale; the watchdog then finds the lock held and the process alive.
    }
  };
  renew();
  return { renew, remove: () => rmSync(path, { force: true }) };
}

/** Returns the lease at `path`, or undefined if it is missing or unreadable. */
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
