/**
 * Prints the notices of a running bot, and limits repeated refusals: of each kind it prints the
 * first three in a minute, then the number of the others. Otherwise a strategy whose orders are
 * refused at every event would hide everything else. The log file contains all of them.
 *
 * Refusals are of the same kind if they differ only in numbers and approval tokens.
 */
import type { Notice } from '../domain/notice.ts';
import type { Output } from './output.ts';

const shownOfAKind = 3;
const windowMs = 60_000;

type Kind = { readonly sinceMs: number; count: number; last: Notice };

export class RefusalLimiter {
  readonly #output: Pick<Output, 'notice' | 'line'>;
  readonly #kinds = new Map<string, Kind>();

  constructor(output: Pick<Output, 'notice' | 'line'>) {
    this.#output = output;
  }

  /** Prints the notice, or counts it. */
  note(notice: Notice, nowMs: number): void {
    this.flush(nowMs);
    if (notice.topic !== 'refusal') {
      this.#output.notice(notice, nowMs);
      return;
    }
    const name = notice.text.replace(/\b[0-9a-f]{16}\b|\d+(?:\.\d+)?/gu, '#');
    const kind = this.#kinds.get(name) ?? { sinceMs: nowMs, count: 0, last: notice };
    this.#kinds.set(name, kind);
    kind.count++;
    kind.last = notice;
    if (kind.count <= shownOfAKind) this.#output.notice(notice, nowMs);
  }

  /** Prints the number of refusals that were suppressed in the minutes that are over. */
  flush(nowMs: number): void {
    for (const [name, kind] of this.#kinds) {
      if (nowMs - kind.sinceMs < windowMs) continue;
      this.#kinds.delete(name);
      this.#report(kind);
    }
  }

  /** Prints the number of all other suppressed refusals. */
  end(): void {
    for (const kind of this.#kinds.values()) this.#report(kind);
    this.#kinds.clear();
  }

  #report({ count, last }: Kind): void {
    if (count > shownOfAKind)
      this.#output.line(`! ${count - shownOfAKind} more like this; the last one: ${last.text}`);
  }
}
