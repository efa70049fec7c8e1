/** What a strategy wants on one pair, until it says otherwise. */
import type { Intent } from '../domain/intent.ts';
import type { EngineServices } from './engine-services.ts';

export type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

/** With the time at which the strategy gave it. */
export type PlaceIntent = Extract<Intent, { kind: 'place' }> & { readonly createdMs: number };

/** A quote that was refused is judged again after this, since its reason may have passed. */
export const refusedRetryMs = 2_000;

export type StandingRefusal = {
  readonly key: string;
  readonly atMs: number;
  readonly codes: readonly string[];
  /** For a person. */
  readonly text: string;
  /** Of the approval that the order lacks. */
  readonly token: string | undefined;
};

export type QuoteTarget = {
  readonly strategyId: string;
  readonly pair: string;
  quote: QuoteIntent | undefined;
  /** The quote as it was last announced, so that an equal one is not announced again. */
  quoteAnnounced: string;
  idleReason: string | undefined;
  /** When the strategy last asked for anything here; undefined if it never did. */
  askedMs: number | undefined;
  /** Orders by key that wait for the start's comparison with the exchange. */
  readonly places: PlaceIntent[];
  /** Orders by key that wait for a person's approval, by what the approval is bound to. */
  readonly awaiting: Map<string, PlaceIntent>;
  /** Whether places and cancels must be worked out again. */
  isDirty: boolean;
  /**
   * Refusals as last stored, per level, so that a standing refusal is stored once; that of the last
   * order by key under the empty name.
   */
  readonly refused: Map<string, StandingRefusal>;
  /** The code and the key of what was refused last without a judgement. */
  refusedUnjudged: string;
  /** Levels whose last order the exchange rejected: not placed again before this time. */
  readonly pausedUntilMs: Map<string, number>;
  /**
   * When the exchange last rejected an order of each level, or one by key under the empty name, of
   * which none was accepted since.
   */
  readonly rejectedMs: Map<string, number>;
  /** When it is planned again although nothing happened, at the earliest; one wake waits for it. */
  planAtMs: number;
  isWakeArmed: boolean;
};

/** Returns the target of a strategy that has given no intent yet. */
export function emptyTarget(strategyId: string, pair: string): QuoteTarget {
  return {
    strategyId,
    pair,
    quote: undefined,
    quoteAnnounced: '',
    idleReason: undefined,
    askedMs: undefined,
    places: [],
    awaiting: new Map(),
    isDirty: false,
    refused: new Map(),
    refusedUnjudged: '',
    pausedUntilMs: new Map(),
    rejectedMs: new Map(),
    planAtMs: 0,
    isWakeArmed: false,
  };
}

/** Plans a quote again in `delayMs`; however often asked, at most one wake waits for it. */
export function planLater(target: QuoteTarget, context: EngineServices, delayMs: number): void {
  // The latest asking counts: an earlier wake would find a level's pause still running.
  target.planAtMs = context.nowMs + delayMs;
  if (target.isWakeArmed) return;
  target.isWakeArmed = true;
  const wake = (): void => {
    const leftMs = target.planAtMs - context.nowMs;
    target.isWakeArmed = leftMs > 0;
    if (leftMs > 0) context.wakeAfter(leftMs, wake);
    else target.isDirty = true;
  };
  context.wakeAfter(delayMs, wake);
}

/** Gives up orders that were only waiting to be judged. */
export function forgetPlaces(target: QuoteTarget, matches: (place: PlaceIntent) => boolean): void {
  const kept = target.places.filter((place) => !matches(place));
  target.places.splice(0, target.places.length, ...kept);
  for (const [token, place] of target.awaiting) if (matches(place)) target.awaiting.delete(token);
}
