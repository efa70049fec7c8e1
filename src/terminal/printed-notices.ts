/**
 * What strategies print and log during a backtest: the first {@link linesMax} lines are printed and
 * kept for the result, the others are counted.
 */
import type { Notice } from '../domain/notice.ts';
import type { Output } from './output.ts';

const linesMax = 1_000;

/** Each line has its time in the recording and the strategy's id. */
export type PrintedText = { readonly lines: readonly string[]; readonly leftOut: number };

/** Whether the notice is a line of a strategy, printed with `console` or given to `log`. */
export function isStrategyLine({ topic }: Notice): boolean {
  return topic === 'print' || topic === 'log';
}

export class PrintedNotices {
  readonly #output: Pick<Output, 'notice' | 'line'>;
  readonly #lines: string[] = [];
  #leftOut = 0;

  constructor(output: Pick<Output, 'notice' | 'line'>) {
    this.#output = output;
  }

  get all(): PrintedText {
    return { lines: this.#lines, leftOut: this.#leftOut };
  }

  note(notice: Notice, nowMs: number): void {
    if (this.#lines.length === linesMax) {
      this.#leftOut++;
      return;
    }
    this.#lines.push(`${new Date(nowMs).toISOString()} ${notice.text}`);
    this.#output.notice(notice, nowMs, 'dated');
  }

  /** Prints how many lines were left out. */
  end(): void {
    if (this.#leftOut > 0)
      this.#output.line(`! strategies printed ${this.#leftOut} more lines, which are left out`);
  }
}
