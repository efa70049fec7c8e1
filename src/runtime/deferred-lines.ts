/**
 * Lines that wait a moment and are then made and written together: a write costs more than a line,
 * and the first line after a pause, when the caches are cold, several times as much as the next.
 *
 * Invariants: lines are written in their order; lines that wait when the process ends itself, in
 * whatever way, are written first. A killed process loses them.
 */
import type { Cancel, Timers } from './timers.ts';

/** Makes a line when it is written; what the line describes must not change until then. */
export type Line = () => string;

/**
 * More waiting lines than this are written at once, since making and writing them takes a while. A
 * pipe takes 64 KiB without waiting for its reader; what is beyond that when the process exits is
 * lost.
 */
const waitingMax = 32;

/** All that are not closed. */
const open = new Set<DeferredLines>();

/** Writes all lines that wait in this process. Called when it exits. */
export function flushDeferredLines(): void {
  for (const lines of open)
    try {
      lines.flush();
    } catch {
      // The others must be written all the same, and the process must exit.
    }
}

export class DeferredLines {
  readonly #timers: Pick<Timers, 'after'>;
  readonly #waitMs: number;
  readonly #write: (lines: readonly Line[]) => void;
  #lines: Line[] = [];
  #waiting = 0;
  #cancel: Cancel | undefined;

  /** `write` gets all lines of up to `waitMs`; it must not throw. */
  constructor(
    timers: Pick<Timers, 'after'>,
    waitMs: number,
    write: (lines: readonly Line[]) => void,
  ) {
    this.#timers = timers;
    this.#waitMs = waitMs;
    this.#write = write;
    if (!process.listeners('exit').includes(flushDeferredLines))
      process.on('exit', flushDeferredLines);
    open.add(this);
  }

  /** Adds a line that counts as `size` usual ones. */
  append(line: Line, size = 1): void {
    this.#lines.push(line);
    this.#waiting += size;
    if (this.#waiting > waitingMax) this.flush();
    else this.#cancel ??= this.#timers.after(this.#waitMs, () => this.flush(), { unref: true });
  }

  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    this.#waiting = 0;
    this.#write(lines);
  }

  /** Writes the lines that wait; nothing may be appended afterwards. */
  close(): void {
    this.flush();
    open.delete(this);
  }
}

export function textOf(lines: readonly Line[]): string {
  return lines.map((make) => make()).join('');
}
