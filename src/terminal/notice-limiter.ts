/**
 * Prints notices, and limits repeated ones: of each kind it prints the first three in a period, and
 * at the end of the period the number of the others. Otherwise a strategy whose orders are refused
 * at every event would hide everything else. The log file of a bot contains all of them.
 *
 * Notices are of the same kind if they differ only in numbers and approval tokens.
 */
import type { Notice } from '../domain/notice.ts';
import type { Output } from './output.ts';

const shownOfAKind = 3;

type Kind = { readonly sinceMs: number; count: number; last: Notice };

export type NoticeLimits = {
  /** The period after which a kind is printed again, in milliseconds; infinite for a backtest. */
  readonly periodMs: number;
  /** Whether only refusals are limited; a bot prints every other notice. */
  readonly onlyRefusals: boolean;
  /** Whether the printed time has a date. */
  readonly when?: 'dated';
};

/** For a running bot. */
export const botNoticeLimits: NoticeLimits = { periodMs: 60_000, onlyRefusals: true };
/** For a backtest, whose times are the recording's. */
export const backtestNoticeLimits: NoticeLimits = {
  periodMs: Number.POSITIVE_INFINITY,
  onlyRefusals: false,
  when: 'dated',
};

export class NoticeLimiter {
  readonly #output: Pick<Output, 'notice' | 'line'>;
  readonly #limits: NoticeLimits;
  readonly #kinds = new Map<string, Kind>();

  constructor(output: Pick<Output, 'notice' | 'line'>, limits: NoticeLimits) {
    this.#output = output;
    this.#limits = limits;
  }

  /** Prints the notice, or counts it. */
  note(notice: Notice, nowMs: number): void {
    const { onlyRefusals, when } = this.#limits;
    this.flush(nowMs);
    if (onlyRefusals && notice.topic !== 'refusal') {
      this.#output.notice(notice, nowMs, when);
      return;
    }
    const text = notice.text.replace(/\b[0-9a-f]{16}\b|\d+(?:\.\d+)?/gu, '#');
    const name = `${notice.topic} ${text}`;
    const kind = this.#kinds.get(name) ?? { sinceMs: nowMs, count: 0, last: notice };
    this.#kinds.set(name, kind);
    kind.count++;
    kind.last = notice;
    if (kind.count <= shownOfAKind) this.#output.notice(notice, nowMs, when);
  }

  /** Prints the number of notices that were suppressed in the periods that are over. */
  flush(nowMs: number): void {
    for (const [name, kind] of this.#kinds) {
      if (nowMs - kind.sinceMs < this.#limits.periodMs) continue;
      this.#kinds.delete(name);
      this.#report(kind);
    }
  }

  /** Prints the number of all other suppressed notices. */
  end(): void {
    for (const kind of this.#kinds.values()) this.#report(kind);
    this.#kinds.clear();
  }

  #report({ count, last }: Kind): void {
    if (count > shownOfAKind)
      this.#output.line(`! ${count - shownOfAKind} more like this; the last one: ${last.text}`);
  }
}
