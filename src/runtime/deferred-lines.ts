/**
 * Lines that wait a moment and are then written together, because a write costs a bot more than a
 * line does.
 *
 * Invariants: lines are written in their order; lines that wait when the process ends itself, in
 * whatever way, are written first. A killed process loses them.
 */
import type { Cancel, Timers } from './timers.ts';

/**
 * More waiting characters than this are written at once. A pipe takes 64 KiB without waiting for
 * its reader; what is beyond that when the process exits is lost.
 */
const waitingMax = 16 * 1024;

/** What a line that is still to be made counts for. */
const unmadeLength = 512;

/** A line, or what makes it once it is written: lines that are made together are made faster. */
type Line = string | (() => string);

/** All that are not closed. */
const open = new Set<{ flush(): void }>();

/** Writes all lines that wait in this process. Called when it exits. */
export function flushDeferredLines(): void {
  for (const lines of open)
    try {
      lines.flush();
    } catch {
      // The others must be written all the same, and the process must exit.
    }
}

export class DeferredLines<L extends Line = string> {
  readonly #timers: Pick<Timers, 'after'>;
  readonly #waitMs: number;
  readonly #write: (lines: readonly L[]) => void;
  #lines: L[] = [];
  #characters = 0;
  #cancel: Cancel | undefined;

  /** `write` gets all lines of up to `waitMs`; it must not throw. */
  constructor(timers: Pick<Timers, 'after'>, waitMs: number, write: (lines: readonly L[]) => void) {
    this.#timers = timers;
    this.#waitMs = waitMs;
    this.#write = write;
    if (!process.listeners('exit').includes(flushDeferredLines))
      process.on('exit', flushDeferredLines);
    open.add(this);
  }

  append(line: L): void {
    this.#lines.push(line);
    this.#characters += typeof line === 'string' ? line.length : unmadeLength;
    if (this.#characters > waitingMax) this.flush();
    else this.#cancel ??= this.#timers.after(this.#waitMs, () => this.flush(), { unref: true });
  }

  /** Writes the lines that wait. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    this.#characters = 0;
    this.#write(lines);
  }

  /** Writes the lines that wait; nothing may be appended afterwards. */
  close(): void {
    this.flush();
    open.delete(this);
  }
}
