/**
 * The intents of one strategy between two events. A later quote of a pair and part replaces an
 * earlier quote or idle of it, a later idle an earlier idle, and so does a later `remember`; other
 * intents keep their order. An idle replaces no quote: it only says why nothing is done.
 *
 * Invariant: the queue is bounded. More than {@link intentsPerEventMax} intents in one event, or
 * {@link intentsPerMinuteMax} in one minute of the engine's clock, are a flood.
 */
import { type Intent, isOfPair } from '../domain/intent.ts';

/** The maximum number of intents of one strategy in one event. */
const intentsPerEventMax = 1_000;
/** The maximum number of intents of one strategy in one minute. */
const intentsPerMinuteMax = 60_000;

/** The slots of an empty queue; the first intent replaces the array. */
const noSlots: (Intent | undefined)[] = [];

export class IntentQueue {
  /** A replaced intent is undefined. */
  #slots = noSlots;
  #hasReplaced = false;
  #changes = 0;
  #minute = -1;
  #minuteCount = 0;

  /** Counts as one intent without adding any; returns the limit that it exceeds, if any. */
  count(nowMs: number): string | undefined {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#minuteCount = 0;
    }
    this.#minuteCount += 1;
    if (this.#minuteCount <= intentsPerMinuteMax) return undefined;
    return `more than ${intentsPerMinuteMax} intents in one minute`;
  }

  /** Adds `intent`; returns the limit that it exceeds, if any. */
  push(intent: Intent, nowMs: number): string | undefined {
    const flood = this.count(nowMs);
    if (flood !== undefined) return flood;
    if (this.#slots.length >= intentsPerEventMax) {
      return `more than ${intentsPerEventMax} intents in one event`;
    }
    this.#changes++;
    this.#removeReplaced(intent);
    if (this.#slots.length > 0) this.#slots.push(intent);
    else this.#slots = [intent];
    return undefined;
  }

  /** Removes what `next` replaces: at most one intent of each kind. */
  #removeReplaced(next: Intent): void {
    if (next.kind !== 'remember' && next.kind !== 'quote' && next.kind !== 'idle') return;
    for (let at = this.#slots.length - 1; at >= 0; at--) {
      const intent = this.#slots[at];
      if (intent === undefined || !isReplacing(next, intent)) continue;
      this.#slots[at] = undefined;
      this.#hasReplaced = true;
      if (next.kind !== 'quote') return;
    }
  }

  /** Number of intents pushed. */
  get changes(): number {
    return this.#changes;
  }

  /** The queued intents. */
  *waiting(): Generator<Intent> {
    for (const intent of this.#slots) if (intent !== undefined) yield intent;
  }

  /** Whether nothing was pushed since the last {@link take}. */
  get isEmpty(): boolean {
    return this.#slots.length === 0;
  }

  /** Returns the queued intents and empties the queue. */
  take(): readonly Intent[] {
    const slots = this.#slots;
    if (slots.length > 0) this.#slots = noSlots;
    if (!this.#hasReplaced) return slots as readonly Intent[];
    this.#hasReplaced = false;
    return slots.filter((intent) => intent !== undefined);
  }

  /** Removes all intents except `remember`. */
  keepState(): void {
    this.#slots = this.#slots.filter((intent) => intent?.kind === 'remember');
  }
}

function isReplacing(next: Intent, before: Intent): boolean {
  if (!isOfPair(next) || !isOfPair(before)) return next.kind === before.kind;
  if (next.pair !== before.pair || next.part !== before.part) return false;
  return before.kind === next.kind || (next.kind === 'quote' && before.kind === 'idle');
}
