/**
 * The intents of one strategy between two events. The last quote or idle of a pair wins, and so
 * does the last `remember`; the others keep their order.
 *
 * Invariant: bounded. More than {@link intentsPerEventMax} wishes in one event, or
 * {@link intentsPerMinuteMax} in one minute of the engine's clock, are a flood.
 */
import type { Intent } from '../domain/intent.ts';

/** Wishes of one strategy between two takes. */
const intentsPerEventMax = 1_000;
/** Wishes of one strategy in one minute. */
const intentsPerMinuteMax = 60_000;

export class IntentQueue {
  /** Those that another one came in the place of are undefined. */
  #slots: (Intent | undefined)[] = [];
  #changes = 0;
  #minute = -1;
  #minuteCount = 0;

  /** Adds `intent`; returns what limit it breaks, if any. */
  push(intent: Intent, nowMs: number): string | undefined {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#minuteCount = 0;
    }
    this.#minuteCount += 1;
    if (this.#minuteCount > intentsPerMinuteMax) {
      return `more than ${intentsPerMinuteMax} intents in one minute`;
    }
    if (this.#slots.length >= intentsPerEventMax) {
      return `more than ${intentsPerEventMax} intents in one event`;
    }
    this.#changes++;
    this.#giveUp(intent);
    this.#slots.push(intent);
    return undefined;
  }

  /** Gives up the intent in whose place `next` comes, of which there is at most one. */
  #giveUp(next: Intent): void {
    if (next.kind !== 'remember' && !isOfWhole(next)) return;
    for (let at = this.#slots.length - 1; at >= 0; at--) {
      const intent = this.#slots[at];
      if (intent === undefined || !isInPlaceOf(next, intent)) continue;
      this.#slots[at] = undefined;
      return;
    }
  }

  /** How often an intent was pushed. */
  get changes(): number {
    return this.#changes;
  }

  /** The intents that wait to be judged. */
  *waiting(): Generator<Intent> {
    for (const intent of this.#slots) if (intent !== undefined) yield intent;
  }

  /** Whether nothing was pushed since the last take. */
  get isEmpty(): boolean {
    return this.#slots.length === 0;
  }

  /** Returns what is left to judge and empties the queue. */
  take(): readonly Intent[] {
    const slots = this.#slots;
    this.#slots = [];
    return slots.filter((intent) => intent !== undefined);
  }

  /** Gives up all intents but the state to keep. */
  keepState(): void {
    this.#slots = this.#slots.filter((intent) => intent?.kind === 'remember');
  }
}

function isInPlaceOf(next: Intent, before: Intent): boolean {
  if (next.kind === 'remember' || before.kind === 'remember') return next.kind === before.kind;
  return isOfWhole(next) && isOfWhole(before) && next.pair === before.pair;
}

/** Whether the last one of a pair wins. */
function isOfWhole({ kind }: Intent): boolean {
  return kind === 'quote' || kind === 'idle';
}
