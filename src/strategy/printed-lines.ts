/**
 * The lines of a strategy, printed with `console` or given to `log`, until the engine takes them.
 * They are only shown: nothing depends on them.
 *
 * Invariant: at most {@link perMinuteMax} lines a minute of the engine's clock are kept; the number
 * of the others follows as a line of its own.
 */
import type { LineFields } from '../domain/strategy-output.ts';
import type { LineLevel } from '../runtime/line-console.ts';

export type PrintedLine = {
  readonly level: LineLevel;
  readonly text: string;
  readonly fields?: LineFields;
};

const perMinuteMax = 100;

export class PrintedLines {
  #waiting: PrintedLine[] = [];
  #minute = -1;
  #count = 0;

  /** Whether nothing was added since the last {@link take}. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(level: LineLevel, text: string, nowMs: number, fields?: LineFields): void {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) this.#report();
    this.#minute = minute;
    this.#count++;
    if (this.#count > perMinuteMax) return;
    this.#waiting.push(fields === undefined ? { level, text } : { level, text, fields });
  }

  /** Adds the number of lines that were left out last. */
  end(): void {
    this.#report();
  }

  /** Returns and removes the lines. */
  take(): readonly PrintedLine[] {
    const waiting = this.#waiting;
    if (waiting.length > 0) this.#waiting = [];
    return waiting;
  }

  #report(): void {
    const leftOut = this.#count - perMinuteMax;
    this.#count = 0;
    if (leftOut > 0)
      this.#waiting.push({
        level: 'warn',
        text: `${leftOut} more lines in that minute were left out: at most ${perMinuteMax} are shown`,
      });
  }
}
