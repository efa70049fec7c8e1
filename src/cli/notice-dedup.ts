/**
 * Notices of a backtest for a person: the first of each kind, and in the end how many more there
 * were. A strategy that is refused at each event would print a line each time.
 *
 * Two are of one kind if they differ in numbers only.
 */
import type { Notice } from '../domain/notice.ts';
import type { Output } from '../terminal/output.ts';

const shownOfAKind = 3;

export class FoldedNotices {
  readonly #output: Output;
  readonly #kinds = new Map<string, { readonly last: Notice; readonly count: number }>();

  constructor(output: Output) {
    this.#output = output;
  }

  /** `nowMs` is the recording's time. */
  note(notice: Notice, nowMs: number): void {
    const kind = `${notice.topic} ${notice.text.replace(/\d+(?:\.\d+)?/gu, '#')}`;
    const count = (this.#kinds.get(kind)?.count ?? 0) + 1;
    this.#kinds.set(kind, { last: notice, count });
    if (count <= shownOfAKind) this.#output.notice(notice, nowMs, 'dated');
  }

  /** Tells of those that were not shown. */
  end(): void {
    for (const { last, count } of this.#kinds.values())
      if (count > shownOfAKind)
        this.#output.line(`! ${count - shownOfAKind} more such, the last: ${last.text}`);
  }
}
