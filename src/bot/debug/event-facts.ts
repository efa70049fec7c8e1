/**
 * What is known about one event of a run, as plain data for the page and for JSON. Amounts and
 * prices are decimal text.
 */
import type { MarketState } from '../../domain/bot-status.ts';
import type { CheckVerdict } from '../../domain/check-verdict.ts';
import type { Side } from '../../domain/market.ts';

/** What an event can be looked for by. */
export const markKinds = ['decision', 'order', 'fill', 'refusal', 'incident'] as const;

/**
 * - `decision`: a strategy asked for something else than before.
 * - `order`: the state of one of its orders changed.
 * - `fill`: a fill was booked.
 * - `refusal`: the gate refused an order, or the exchange rejected one.
 * - `incident`: an incident, or a change of the trading state.
 */
export type MarkKind = (typeof markKinds)[number];

export type EventFacts = {
  /** Counted from 1. */
  readonly number: number;
  readonly atMs: number;
  /** The time in UTC, with microseconds. */
  readonly time: string;
  /** What reached the engine. */
  readonly text: string;
  readonly input: unknown;
  readonly marks: readonly MarkKind[];
  /** What followed, in order. */
  readonly happenings: readonly Happening[];
  /** The books after the event, which strategies saw in it, with our orders. */
  readonly markets: readonly MarketState[];
  /** Whose queue the place of our orders is in. */
  readonly placesIn: 'exchange' | 'our book';
  readonly positions: readonly HeldPosition[];
};

export type Happening =
  | {
      /** A value, a timer or the start that ran code of the strategy. */
      readonly kind: 'given';
      readonly strategyId: string;
      readonly text: string;
    }
  | {
      readonly kind: 'emitted';
      readonly strategyId: string;
      readonly text: string;
      readonly intent: unknown;
      /** Whether it is the same as the one before, so that nothing follows from it. */
      readonly isRepeated: boolean;
    }
  | JudgedOrder
  | {
      readonly kind: 'left';
      readonly operation: string;
      readonly text: string;
      readonly parameters: unknown;
    }
  | {
      readonly kind: 'stored';
      readonly record: string;
      readonly text: string;
      readonly value: unknown;
    }
  /** A line for the operator, or what a strategy printed. */
  | { readonly kind: 'said'; readonly level: string; readonly text: string };

export type JudgedOrder = {
  readonly kind: 'judged';
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: string;
  readonly volume: string;
  /** The level of a quote, or the key of another order. */
  readonly name: string;
  readonly reason: string;
  readonly isApproved: boolean;
  /** In the order of the gate, also those that the order passes. */
  readonly checks: readonly CheckVerdict[];
};

export type HeldPosition = {
  readonly strategyId: string;
  readonly pair: string;
  readonly base: string;
  /** What it holds, and the least and most if its open orders fill. */
  readonly held: string;
  readonly lowest: string;
  readonly highest: string;
};

/** What is known of the whole run after the first pass. */
export type RunFacts = {
  /** As given: a scenario, a bot or a journal. */
  readonly name: string;
  readonly source: 'backtest' | 'journal';
  readonly strategies: readonly string[];
  readonly pairs: readonly string[];
  readonly events: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly counts: Readonly<Record<MarkKind, number>>;
  /** What a reader must know, such as that code has changed since the run. */
  readonly notes: readonly string[];
  readonly timeline: readonly TimelineBucket[];
};

/** A part of the run's time with how many marks of each kind it has. */
export type TimelineBucket = {
  readonly fromMs: number;
  /** The first event with a mark in it. */
  readonly number: number;
  readonly counts: Readonly<Record<MarkKind, number>>;
};
