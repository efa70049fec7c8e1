/** Progress lines for people while all orders are being cancelled. */
import type { CancelAllProgress } from './cancel-all.ts';

export class CancelProgress {
  readonly #everyMs: number;
  #last: string | undefined;
  #againAtMs = Number.NEGATIVE_INFINITY;

  /** `everyMs`: the shortest time between two lines. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /**
   * Returns the next line, or undefined if it is too early or the line has not changed. A problem
   * is repeated, since it may need a person.
   */
  lineOf(progress: CancelAllProgress, nowMs: number): string | undefined {
    if (nowMs < this.#againAtMs) return undefined;
    const text = textOf(progress);
    if (text === this.#last && progress.problem === undefined) return undefined;
    this.#last = text;
    this.#againAtMs = nowMs + this.#everyMs;
    return text;
  }
}

function textOf({ open, stopsSent, problem }: CancelAllProgress): string {
  const sent = stopsSent === 0 ? '' : `, ${stopsSent} stops sent`;
  if (problem !== undefined) return `${countOf(open)}${sent}; ${problem}, trying again`;
  if (open !== 0) return `${countOf(open)}${sent}`;
  return `no order is listed as open${sent}; the list is read again until that is proven`;
}

function countOf(open: number | undefined): string {
  return open === undefined ? 'it is not known yet which orders are open' : `${open} orders open`;
}
