/**
 * Notices of a bot that runs, for a person: all of them, but of refusals the first of each kind in
 * a minute, and then how many more there were. A strategy that is refused at each event would
 * otherwise push everything else out of sight; the log file has them all.
 *
 * Two are of one kind if they differ in numbers only.
 */
import type { Notice } from '../domain/notice.ts';
import type { Output } from './output.ts';

const shownOfAKind = 3;
const windowMs = 60_000;

type Kind = { readonly sinceMs: number; count: number; last: Notice };

export class RefusalFolder {
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
    const name = notice.text.replace(/\d+(?:\.\d+)?/gu, '#');
    const kind = this.#kinds.get(name) ?? { sinceMs: nowMs, count: 0, last: notice };
    this.#kinds.set(name, kind);
    kind.count++;
    kind.last = notice;
    if (kind.count <= shownOfAKind) this.#output.notice(notice, nowMs);
  }

  /** Tells of those that were counted in minutes that are over. */
  flush(nowMs: number): void {
    for (const [name, kind] of this.#kinds) {
      if (nowMs - kind.sinceMs < windowMs) continue;
      this.#kinds.delete(name);
      this.#tell(kind);
    }
  }

  /** Tells of the rest. */
  end(): void {
    for (const kind of this.#kinds.values()) this.#tell(kind);
    this.#kinds.clear();
  }

  #tell({ count, last }: Kind): void {
    if (count > shownOfAKind)
      this.#output.line(`! ${count - shownOfAKind} more such, the last: ${last.text}`);
  }
}
