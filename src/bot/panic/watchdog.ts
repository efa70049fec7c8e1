/**
 * Looks after the orders of a bot that cannot: beside the bot, in a process of its own.
 *
 *     lease renewed ──────────────────────▶ nothing to do
 *     lease old, lock free ───────────────▶ the bot is dead: its orders are stopped
 *     lease old, lock held, for the grace ▶ its loop never returns: SIGKILL, then as above
 *
 * Invariants: it stops orders and does nothing else at the exchange; it gives way at once to any
 * process that takes the lock; it kills no process but the one that wrote the lease.
 */
import type { Lease } from '../../control/lease.ts';
import { leaseAgeMsMax } from '../../control/lease.ts';

/** A pause of our own this long means that the machine slept, and the bot with it. */
const sleptMs = 5_000;

export type WatchdogView = {
  /** Of a clock that nobody sets. */
  readonly nowMs: number;
  readonly lease: Lease | undefined;
  /** A process holds the lock of the database. */
  readonly isLocked: boolean;
  /** The process that wrote the lease still runs. */
  readonly isAlive: boolean;
};

export type WatchdogStep = 'wait' | 'kill' | 'clear';

/** What is to be done, from what is seen one look after another. */
export class Watchdog {
  readonly #graceMs: number;
  #seen: { readonly key: string; readonly sinceMs: number } | undefined;
  #lookedMs: number | undefined;
  /** The lease whose orders are known to be gone. */
  #cleared: string | undefined;

  /** `graceMs`: how long a lease may be old with its process alive before that is killed. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Takes a look and returns the next step. */
  look({ nowMs, lease, isLocked, isAlive }: WatchdogView): WatchdogStep {
    const hasSlept = nowMs - (this.#lookedMs ?? nowMs) > sleptMs;
    this.#lookedMs = nowMs;
    if (lease === undefined) {
      this.#seen = undefined;
      return 'wait';
    }
    const key = keyOf(lease);
    if (this.#seen?.key !== key || hasSlept) this.#seen = { key, sinceMs: nowMs };
    const ageMs = nowMs - this.#seen.sinceMs;
    if (ageMs <= leaseAgeMsMax || key === this.#cleared) return 'wait';
    if (!isLocked) return 'clear';
    // Somebody else has the lock: a bot that starts, and looks after the orders itself.
    if (!isAlive) return 'wait';
    return ageMs > leaseAgeMsMax + this.#graceMs ? 'kill' : 'wait';
  }

  /** The orders of this lease are gone. */
  noteCleared(lease: Lease): void {
    this.#cleared = keyOf(lease);
  }
}

function keyOf({ process, beat }: Lease): string {
  return `${process} ${beat}`;
}
