/**
 * Prints the notices of a backtest: the first three of each kind, and at the end the number of the
 * others. Otherwise a strategy whose orders are always refused would print a line at every event.
 *
 * Notices are of the same kind if they differ only in numbers.
 */
import type { Notice } from '../domain/notice.ts';
import type { Output } from '../terminal/output.ts';

const shownOfAKind = 3;

export class NoticeDedup {
  readonly #output: Output;
  readonly #kinds = new Map<string, { readonly last: Notice; readonly count: number }>();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Prints the notice, or counts it. `nowMs` is the recording's time. */
  note(notice: Notice, nowMs: number): void {
    const kind = `${notice.topic} ${notice.text.replace(/\b[0-9a-f]{16}\b|\d+(?:\.\d+)?/gu, '#')}`;
    const count = (this.#kinds.get(kind)?.count ?? 0) + 1;
    this.#kinds.set(kind, { last: notice, count });
    if (count <= shownOfAKind) this.#output.notice(notice, nowMs, 'dated');
  }

  /** Prints the number of notices that were not shown. */
  end(): void {
    for (const { last, count } of this.#kinds.values())
      if (count > shownOfAKind)
        this.#output.line(`! ${count - shownOfAKind} more like this; the last one: ${last.text}`);
  }
}
