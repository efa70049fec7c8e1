/**
 * Cancels the orders of a bot that has died or hangs. It runs in a process of its own.
 *
 *     lease renewed ────────────────────────▶ nothing to do
 *     lease old, lock free ─────────────────▶ the bot is dead: cancel its orders
 *     lease old, lock held beyond the grace ▶ the bot hangs: SIGKILL, then as above
 *
 * Invariants: at the exchange it only lists and stops orders; it gives way at once to any process
 * that takes the lock; it kills only the process that wrote the lease.
 */
import { type Lease, leaseAgeMsMax } from '../../control/lease.ts';

/** A pause of our own of this length means that the machine was suspended, and the bot with it. */
const sleptMs = 5_000;

export type WatchdogView = {
  /** Time of a monotonic clock. */
  readonly nowMs: number;
  readonly lease: Lease | undefined;
  /** Whether a process holds the lock of the database. */
  readonly isLocked: boolean;
  /** Whether the process that wrote the lease still runs. */
  readonly isAlive: boolean;
};

export type WatchdogStep = 'wait' | 'kill' | 'clear';

/** Derives the next step from a series of observations. */
export class Watchdog {
  readonly #graceMs: number;
  #seen: { readonly key: string; readonly sinceMs: number } | undefined;
  #lookedMs: number | undefined;
  /** The lease whose orders are known to be closed. */
  #cleared: string | undefined;

  /** `graceMs` is how long a live process may leave its lease expired before it is killed. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Takes an observation and returns the next step. */
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
    // Another process has the lock: a starting bot, which manages the orders itself.
    if (!isAlive) return 'wait';
    return ageMs > leaseAgeMsMax + this.#graceMs ? 'kill' : 'wait';
  }

  noteCleared(lease: Lease): void {
    this.#cleared = keyOf(lease);
  }
}

function keyOf({ process, beat }: Lease): string {
  return `${process} ${beat}`;
}
