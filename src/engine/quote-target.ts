/** What a strategy wants on one pair, until it changes that. */
import type { Intent } from '../domain/intent.ts';
import type { EngineServices } from './engine-services.ts';

export type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

/** A `place` intent with the time at which the strategy gave it. */
export type PlaceIntent = Extract<Intent, { kind: 'place' }> & { readonly createdMs: number };

/** A refused quote is judged again after this time, because the reason may have passed. */
export const refusedRetryMs = 2_000;

export type StandingRefusal = {
  readonly key: string;
  readonly atMs: number;
  readonly codes: readonly string[];
  /** For the operator. */
  readonly text: string;
  /** Token of the approval that the order needs; undefined if it needs none. */
  readonly token: string | undefined;
};

export type QuoteTarget = {
  readonly strategyId: string;
  readonly pair: string;
  quote: QuoteIntent | undefined;
  /** The quote as it was last announced, so that an equal one is not announced again. */
  quoteAnnounced: string;
  idleReason: string | undefined;
  /** When the strategy last gave an intent here; undefined if it never did. */
  askedMs: number | undefined;
  /** Orders by key that wait for the first comparison with the exchange. */
  readonly places: PlaceIntent[];
  /** Orders by key that wait for a person's approval, by approval token. */
  readonly awaiting: Map<string, PlaceIntent>;
  /** Whether the orders to place and cancel must be planned again. */
  isDirty: boolean;
  /**
   * The last stored refusal of each level, so that a standing refusal is stored once; under the
   * empty name that of the last order by key.
   */
  readonly refused: Map<string, StandingRefusal>;
  /** Code and key of the last intent that was refused before the gate. */
  refusedUnjudged: string;
  /** Levels whose last order the exchange rejected: not placed again before this time. */
  readonly pausedUntilMs: Map<string, number>;
  /**
   * When the exchange last rejected an order of each level, until it accepts one; under the empty
   * name for orders by key.
   */
  readonly rejectedMs: Map<string, number>;
  /** The earliest time to plan again without an event; at most one timer waits for it. */
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

/** Plans a quote again in `delayMs`; repeated calls share one timer. */
export function planLater(target: QuoteTarget, context: EngineServices, delayMs: number): void {
  // The latest call counts: at an earlier time a level's pause would still be running.
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

/** Drops orders that only wait to be judged. */
export function forgetPlaces(target: QuoteTarget, matches: (place: PlaceIntent) => boolean): void {
  const kept = target.places.filter((place) => !matches(place));
  target.places.splice(0, target.places.length, ...kept);
  for (const [token, place] of target.awaiting) if (matches(place)) target.awaiting.delete(token);
}
