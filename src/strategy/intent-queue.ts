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
  #slots: (Intent | undefined)[] = [];
  /** Where the winning wish of a pair, or the `remember`, stands. */
  readonly #latest = new Map<string, number>();
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
    const name = slotName(intent);
    if (name !== undefined) {
      const before = this.#latest.get(name);
      if (before !== undefined) this.#slots[before] = undefined;
      this.#latest.set(name, this.#slots.length);
    }
    this.#slots.push(intent);
    return undefined;
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
    if (this.#slots.length === 0) return [];
    const intents = this.#slots.filter((intent) => intent !== undefined);
    this.#clear();
    return intents;
  }

  /** Gives up all intents but the state to keep. */
  keepState(): void {
    const kept = this.#slots.filter((intent) => intent?.kind === 'remember');
    this.#clear();
    this.#slots = kept;
  }

  #clear(): void {
    this.#slots = [];
    this.#latest.clear();
  }
}

function slotName(intent: Intent): string | undefined {
  if (intent.kind === 'remember') return 'remember';
  return intent.kind === 'quote' || intent.kind === 'idle' ? `pair ${intent.pair}` : undefined;
}
