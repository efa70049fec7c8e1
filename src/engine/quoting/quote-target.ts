/** What a strategy wants on one pair: its quote, waiting orders, and how they were answered. */
import type { Intent } from '../../domain/intent.ts';
import { isUnderPart, partOf } from '../../domain/part-name.ts';
import { WantedQuotes } from '../../strategy/parts/wanted-quotes.ts';
import type { EngineServices } from '../engine-services.ts';

export type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

/** A `place` intent and when the strategy sent it. */
export type PlaceIntent = Extract<Intent, { kind: 'place' }> & { readonly createdMs: number };

/** A refused quote is judged again after this time, because the cause may have gone. */
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
  readonly quotes: WantedQuotes;
  /** The last announced quote as text, so that an equal quote is not announced again. */
  quoteAnnounced: string;
  idleReason: string | undefined;
  /** Why parts of the strategy do nothing, by part. */
  readonly idleParts: Map<string, string>;
  /**
   * When the strategy last sent an intent for this pair; -Infinity if it never did. V8 stores it in
   * place, where undefined would make each intent allocate a number.
   */
  askedMs: number;
  /** Approved `place` intents that will be judged again in the next plan. */
  readonly places: PlaceIntent[];
  /** `place` intents that wait for a person's approval, by approval token. */
  readonly awaiting: Map<string, PlaceIntent>;
  /** Whether the orders to place and cancel must be planned again. */
  isDirty: boolean;
  /**
   * Whether the last plan left an order that is not being cancelled for each order of the quote,
   * and cancelled all others.
   */
  isSettled: boolean;
  /** Whether to plan again when an order that is being sent is open: its quote has moved. */
  plansWhenOpen: boolean;
  /**
   * The last refusal of each level, so that a repeated one is stored only once; the empty name has
   * the last refusal of an intent other than a quote.
   */
  readonly refused: Map<string, StandingRefusal>;
  /** Code and key of the last intent that was refused before the gate. */
  refusedUnjudged: string;
  /** Levels whose last order the exchange rejected: not placed again before this time. */
  readonly pausedUntilMs: Map<string, number>;
  /**
   * When the exchange last rejected an order of each level, until it accepts one; the empty name
   * has that of `place` intents.
   */
  readonly rejectedMs: Map<string, number>;
  /** The earliest time to plan again without an event; at most one timer waits for it. */
  planAtMs: number;
  isWakeArmed: boolean;
};

/** Returns the target of a strategy that has sent no intent yet. */
export function emptyTarget(strategyId: string, pair: string): QuoteTarget {
  return {
    strategyId,
    pair,
    quotes: new WantedQuotes(),
    quoteAnnounced: '',
    idleReason: undefined,
    idleParts: new Map(),
    askedMs: Number.NEGATIVE_INFINITY,
    places: [],
    awaiting: new Map(),
    isDirty: false,
    isSettled: false,
    plansWhenOpen: false,
    refused: new Map(),
    refusedUnjudged: '',
    pausedUntilMs: new Map(),
    rejectedMs: new Map(),
    planAtMs: 0,
    isWakeArmed: false,
  };
}

/** Whether comparing the same quote with the orders again would find nothing to do. */
export function isAtRest(target: QuoteTarget): boolean {
  if (!target.isSettled || target.isDirty) return false;
  return target.refused.size === 0 && target.pausedUntilMs.size === 0;
}

/** Plans a quote again in `delayMs`; repeated calls share one timer. */
export function planLater(target: QuoteTarget, context: EngineServices, delayMs: number): void {
  // The latest call determines the time: at an earlier time, a level would still be paused.
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

/** Drops the matching `place` intents that wait to be judged. */
export function forgetPlaces(target: QuoteTarget, matches: (place: PlaceIntent) => boolean): void {
  const kept = target.places.filter((place) => !matches(place));
  target.places.splice(0, target.places.length, ...kept);
  for (const [token, place] of target.awaiting) if (matches(place)) target.awaiting.delete(token);
}

/**
 * Lets the orders of a quote that has changed be tried again at once: drops how those of its part
 * were answered, and the last refusal of another intent.
 */
export function forgetAnswers({ refused, pausedUntilMs }: QuoteTarget, part = ''): void {
  if (refused.size > 0)
    for (const level of refused.keys())
      if (level === '' || partOf(level) === part) refused.delete(level);
  if (pausedUntilMs.size > 0)
    for (const level of pausedUntilMs.keys())
      if (partOf(level) === part) pausedUntilMs.delete(level);
}

/** Whether the strategy, or a part of it, has said why it asks for nothing. */
export function isIdle({ idleReason, idleParts }: QuoteTarget): boolean {
  return idleReason !== undefined || idleParts.size > 0;
}

/** Drops why parts ask for nothing: a part that ends, and those in it; all of them without one. */
export function forgetIdle({ idleParts }: QuoteTarget, part?: string): void {
  for (const name of idleParts.keys())
    if (part === undefined || name === part || isUnderPart(name, part)) idleParts.delete(name);
}

/** Why a strategy asks for nothing, with its parts; undefined if it does not say so. */
export function idleTextOf({ idleReason, idleParts }: QuoteTarget): string | undefined {
  if (idleParts.size === 0) return idleReason;
  const ofParts = [...idleParts].map(([part, reason]) => `${part}: ${reason}`);
  return [...(idleReason === undefined ? [] : [idleReason]), ...ofParts].join('; ');
}

/**
 * Stores and reports why a strategy, or a part of it, does nothing; undefined when it does
 * something again.
 */
export function noteIdle(
  context: EngineServices,
  target: QuoteTarget,
  reason: string | undefined,
  part?: string,
): void {
  const before = part === undefined ? target.idleReason : target.idleParts.get(part);
  if (before === reason) return;
  if (part === undefined) target.idleReason = reason;
  else if (reason === undefined) target.idleParts.delete(part);
  else target.idleParts.set(part, reason);
  if (reason === undefined) return;
  const { strategyId, pair } = target;
  const said = part === undefined ? reason : `${part}: ${reason}`;
  if (context.keepsAllRecords)
    context.record({ kind: 'idle', atMs: context.nowMs, strategyId, pair, reason: said });
  if (context.reportsInfo) {
    const text = `${strategyId} ${pair} is idle: ${said}`;
    context.notice({ level: 'info', topic: 'idle', text });
  }
}
