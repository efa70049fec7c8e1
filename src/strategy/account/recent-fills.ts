/**
 * The booked fills of a strategy on a pair: those of the last day, at most {@link keptFills}.max.
 *
 * Invariant: it is complete since every time that {@link RecentFills.since} accepts.
 */
import { keptFills } from '../../domain/kept-fills.ts';
import { refuseArgument } from '../argument.ts';
import type { Fill } from '../own-views.ts';

/** `sequence`: that of its trade, which orders the trades of a pair. */
type Entry = { readonly fill: Fill; readonly sequence: string };

const argument = ['market.fillsSince', 'sinceMs'] as const;
/** So many forgotten entries are removed at once, since each removal moves all others. */
const forgottenMax = 1_000;

export class RecentFills {
  /** Oldest first; the first ones are forgotten. */
  readonly #entries: Entry[] = [];
  #forgotten = 0;
  /** The time of the newest fill that was left out because of too many, or lost. */
  #lostMs = -Infinity;

  /** Adds a frozen fill, whose place is that of its trade. */
  add(fill: Fill, sequence: string, nowMs: number): void {
    const entries = this.#entries;
    const entry = { fill, sequence };
    let at = entries.length;
    while (at > this.#forgotten && isBefore(entry, entries[at - 1] as Entry)) at--;
    // Nearly always at the end.
    if (at === entries.length) entries.push(entry);
    else entries.splice(at, 0, entry);
    if (entries.length - this.#forgotten > keptFills.max)
      this.lose((entries[this.#forgotten++] as Entry).fill.atMs);
    this.#forgetBefore(nowMs - keptFills.ms);
  }

  /** Notes that a fill of that time is not among them. */
  lose(atMs: number): void {
    if (atMs > this.#lostMs) this.#lostMs = atMs;
  }

  /**
   * Returns the fills whose trade was at `sinceMs` or later, oldest first. Throws RangeError if not
   * all of them are kept.
   */
  since(sinceMs: number, nowMs: number): readonly Fill[] {
    if (typeof sinceMs !== 'number' || !(sinceMs >= nowMs - keptFills.ms))
      refuseArgument(argument, 'a time in milliseconds, at most 24 hours ago', sinceMs);
    if (sinceMs <= this.#lostMs) {
      const allowed = `after ${this.#lostMs}, since only the newest ${keptFills.max} fills are kept`;
      refuseArgument(argument, allowed, sinceMs);
    }
    const entries = this.#entries;
    let from = entries.length;
    while (from > this.#forgotten && (entries[from - 1] as Entry).fill.atMs >= sinceMs) from--;
    return Object.freeze(entries.slice(from).map(({ fill }) => fill));
  }

  #forgetBefore(timeMs: number): void {
    const entries = this.#entries;
    while ((entries[this.#forgotten]?.fill.atMs ?? timeMs) < timeMs) this.#forgotten++;
    if (this.#forgotten < forgottenMax) return;
    entries.splice(0, this.#forgotten);
    this.#forgotten = 0;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  if (a.fill.atMs !== b.fill.atMs) return a.fill.atMs < b.fill.atMs;
  // Whole numbers of up to 64 bits, as text.
  const [one, other] = [a.sequence, b.sequence];
  return one.length === other.length ? one < other : one.length < other.length;
}
