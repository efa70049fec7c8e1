/** What a strategy wants on one pair, until it says otherwise. */
import type { Intent } from '../domain/intent.ts';

export type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

export type Wish = {
  readonly strategyId: string;
  readonly pair: string;
  quote: QuoteIntent | undefined;
  idleReason: string | undefined;
  /** Whether places and cancels must be worked out again. */
  isDirty: boolean;
  /** Refusals as last stored, per level, so that a standing refusal is stored once. */
  readonly refused: Map<string, string>;
  /** Levels whose last order the exchange rejected: not placed again before this time. */
  readonly pausedUntilMs: Map<string, number>;
  /** When it is planned again although nothing happened, at the earliest; one wake waits for it. */
  planAtMs: number;
  isWakeArmed: boolean;
};

/** Returns the wish of a strategy that has said nothing yet. */
export function emptyWish(strategyId: string, pair: string): Wish {
  return {
    strategyId,
    pair,
    quote: undefined,
    idleReason: undefined,
    isDirty: false,
    refused: new Map(),
    pausedUntilMs: new Map(),
    planAtMs: 0,
    isWakeArmed: false,
  };
}
