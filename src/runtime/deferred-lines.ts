/**
 * Lines that wait up to 20 ms and are then written together, because a write costs a bot more than
 * a line does.
 *
 * Invariants: the lines of a collector are written in their order; lines that wait when the process
 * ends itself, in whatever way, are written first. A killed process loses them.
 */
import type { Cancel, Timers } from './timers.ts';

export type LineCollector = {
  append(line: string): void;
  /** Writes the lines that wait. */
  flush(): void;
};

const waitMs = 20;
/** More waiting characters than this are written at once. */
const waitingMax = 256 * 1024;

export class DeferredLines {
  readonly #timers: Pick<Timers, 'after'>;
  readonly #collectors: LineCollector[] = [];
  readonly #flushAtExit = (): void => this.flush();
  #cancel: Cancel | undefined;
  #isClosed = false;

  /** Also writes when the process exits, until {@link close}. */
  constructor(timers: Pick<Timers, 'after'>) {
    this.#timers = timers;
    process.on('exit', this.#flushAtExit);
  }

  /** Returns a collector of lines for `write`, which is never called without lines. */
  collector(write: (lines: readonly string[]) => void): LineCollector {
    let lines: string[] = [];
    let waiting = 0;
    const flush = (): void => {
      if (lines.length === 0) return;
      const written = lines;
      lines = [];
      waiting = 0;
      write(written);
    };
    const collector: LineCollector = {
      append: (line) => {
        lines.push(line);
        waiting += line.length;
        if (this.#isClosed || waiting > waitingMax) flush();
        else this.#cancel ??= this.#timers.after(waitMs, () => this.flush(), { unref: true });
      },
      flush,
    };
    this.#collectors.push(collector);
    return collector;
  }

  /** Writes the waiting lines of all collectors. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const { flush } of this.#collectors) flush();
  }

  /** As `flush`; later lines are written at once. */
  close(): void {
    this.#isClosed = true;
    process.off('exit', this.#flushAtExit);
    this.flush();
  }
}
