/**
 * The contract between Millrace and a strategy plugin: a function from what a strategy may see to a
 * stream of intents.
 *
 * A plugin holds no key, client, clock or timer but what it is given here. It never subscribes,
 * never waits for a promise, and reads the time only from `nowMs`; so the same file runs in
 * backtest, demo, paper and live, and replays byte for byte. RxJS's own `timer`, `interval`,
 * `debounceTime` and the like run on the engine's virtual time.
 *
 * Invariants: every value is frozen; every amount is an exact integer (ticks, lots) or a Decimal;
 * all properties show the state after an event before any stream emits for it.
 */

import type { Observable, SchedulerLike } from 'rxjs';
import type { z } from 'zod';
import type { CallsLeft } from '../domain/calls-left.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Intent } from '../domain/intent.ts';
import type { Side } from '../domain/market.ts';
import type { Candle, Top, Trade } from '../domain/market-view.ts';
import type { Decimal, Lots, Ticks } from '../domain/money.ts';
import type { OrderState, Terms } from '../domain/order.ts';

/**
 * One strategy's holding of a pair, counted from its own fills alone, less the fees that were taken
 * in its base currency, in whole lots, the rest cut off. Negative when sold short of its start.
 */
export type Position = {
  readonly base: Lots;
  /** The most it can become: every pending, open or unknown bid filled, no ask filled. */
  readonly highest: Lots;
  /** The least it can become: every pending, open or unknown ask filled, no bid filled. */
  readonly lowest: Lots;
  /**
   * Counter per base that the open position cost or brought, by its booked fills, with the fees
   * that were taken in the counter currency; undefined while there is none, and for a position that
   * an older version began.
   */
  readonly averagePrice?: Decimal;
};

/**
 * One order of this strategy. A quote's key is given by the engine; a placed order's by the
 * strategy.
 */
export type OwnOrder = {
  readonly key: string;
  /** The place among the quotes; undefined for an order that was placed by key. */
  readonly level?: string;
  readonly terms: Terms;
  /** Volume filled so far, at most `terms.volume`. */
  readonly filled: Lots;
  /**
   * `pending`: asked for in the present event, and not judged yet. An order of a quote has its
   * level as its key until then.
   */
  readonly state: OrderState | 'pending';
  /** A cancel was asked for and has not come to an end. */
  readonly cancelling: boolean;
};

export type Fill = {
  readonly key: string;
  readonly level?: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  /**
   * False while provisional: seen on the user stream, its trade not yet known. Told again when
   * booked.
   */
  readonly booked: boolean;
};

/** An intent, or one order of a quote, that the gate did not let through. */
export type Refusal = {
  readonly key: string;
  /** Every check that failed, not just the first. */
  readonly codes: readonly string[];
  /** What the first failed check saw, and the limit it saw it against, as text. */
  readonly observed: string;
  readonly limit: string;
};

/** The exchange's rules of a pair, as far as a strategy needs them. */
export type PairRules = {
  readonly volumeMin: Lots;
  readonly volumeMax: Lots;
  readonly priceMin: Ticks;
  readonly priceMax: Ticks;
  /** Fractions (0.001 is 10 bps); negative for a rebate. For signals, not for accounting. */
  readonly makerFee: number;
  readonly takerFee: number;
};

/** One pair, as one strategy sees it. */
export interface MarketContext {
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  /**
   * Undefined while the book is unusable. Resting quotes are then withdrawn by the bot's policy.
   */
  readonly top: Top | undefined;
  /**
   * A live view: read it, never keep it. Zero for a price without orders and for an unusable
   * book.
   */
  readonly book: { volumeAt(side: Side, price: Ticks): Lots };
  readonly position: Position;
  /**
   * What the strategy holds, to the last digit, in the base currency; `position.base` is the same
   * in whole lots, the rest cut off. Fees that are taken in the base currency make it uneven.
   */
  readonly holding: Decimal;
  /**
   * Whether it holds something that is below `rules.volumeMin`, so that no order can end it alone:
   * the next order in its direction has to be so much smaller, or larger.
   */
  readonly isDust: boolean;
  /**
   * This strategy's orders on the pair that are not final, and what it has asked for in the present
   * event.
   */
  readonly orders: readonly OwnOrder[];
  readonly rules: PairRules;
  /** The candles that `warmUp` asked for, oldest first; fewer where there were no more. */
  readonly history: readonly Candle[];
  /**
   * The best prices, when they changed; at most one value an event, none while the book is
   * unusable.
   */
  readonly top$: Observable<Top>;
  /**
   * Each change of whether the book can be used. The present state is not repeated on
   * subscribing.
   */
  readonly usable$: Observable<boolean>;
  readonly trade$: Observable<Trade>;
  /** This strategy's orders, each time one changes. */
  readonly order$: Observable<OwnOrder>;
  readonly fill$: Observable<Fill>;
  readonly refusal$: Observable<Refusal>;
  /**
   * Candles of `intervalMs` milliseconds (a whole number, at least 1), closed by time also when
   * nobody trades. Periods start at whole multiples since the epoch; the first candle is the
   * first period seen from its beginning, and none comes before a price is known. A trade is of
   * the period in which it is heard; those of `history` are of when they were traded.
   */
  candle$(intervalMs: number): Observable<Candle>;
  /** Returns a price in ticks; throws RangeError if `text` is not exactly a price of this pair. */
  ticks(text: string): Ticks;
  /** Returns a volume in lots; throws RangeError if `text` is not exactly a volume of this pair. */
  lots(text: string): Lots;
  /**
   * Returns a computed price as whole ticks; throws RangeError if it is not finite or too large.
   */
  round(ticks: number, to: 'down' | 'up'): Ticks;
  /** Returns how much base the amount `counter` (decimal text) buys at `price`, rounded down. */
  lotsFor(counter: string, price: Ticks): Lots;
  /** Returns `price × volume` in the counter currency, exactly. */
  valueOf(price: Ticks, volume: Lots): Decimal;
  /** Returns the volume in the base currency, exactly. */
  amountOf(volume: Lots): Decimal;
  /** Returns the price as decimal text, for reasons. */
  priceText(price: Ticks): string;
}

/** All that one strategy may see and use. */
export interface Context<P, S> {
  /** The strategy's id in the bot's settings. */
  readonly id: string;
  /** Checked by the plugin's schema, and frozen. */
  readonly parameters: P;
  /** One per configured pair, in the order of the settings. */
  readonly pairs: readonly MarketContext[];
  /** The state as last remembered, or `state.initial`. Frozen. */
  state(): S;
  /**
   * What is left of this strategy's budget in `currency` after its holds and its pending orders;
   * zero if not budgeted.
   */
  available(currency: string): Decimal;
  /** The most of `currency` this strategy may have in orders and position; zero if not budgeted. */
  budget(currency: string): Decimal;
  /**
   * What is left of the calls to the exchange. What a strategy asks for counts when its event is
   * over.
   */
  callsLeft(): CallsLeft;
  /**
   * Counts 0, 1, 2... every `intervalMs` milliseconds from subscribing; misses are not made up
   * for.
   */
  every(intervalMs: number): Observable<number>;
  /**
   * Emits at each time of the cron pattern in the IANA `zone`. `period` is that time in ISO 8601
   * (UTC): put it into the key of an order and no period is ever served twice. A period missed
   * while the bot was down comes once, at start; of several missed ones only the last.
   */
  schedule(cron: string, zone: string): Observable<{ readonly period: string }>;
  /** Milliseconds since the epoch, on the engine's clock. Constant within one event. */
  readonly nowMs: () => number;
  /** A number in [0, 1), seeded and recorded, so that it replays. */
  readonly random: () => number;
  /**
   * The engine's virtual time, for operators that want a scheduler. RxJS's default ones are the
   * same.
   */
  readonly scheduler: SchedulerLike;
}

/**
 * How much history a strategy wants before it runs, of each of its pairs: the last whole candles
 * before the start, one after the other. A bot asks the exchange for them, a backtest takes them
 * from its recording. There may be fewer, or none; a start and a backtest say so. The candle of the
 * period in which the run begins is neither among them nor emitted by `candle$`.
 */
export type WarmUp = {
  /** Of one candle: one of the exchange's durations, 60 000 (a minute) to 604 800 000 (a week). */
  readonly intervalMs: number;
  /** At most 10 000. */
  readonly candles: number;
};

export type Quoting = {
  /** How far from the mid its quotes stand, as a fraction of it. */
  readonly halfSpread: number;
  /** How often it renews its quotes at least, in milliseconds. */
  readonly refreshMs?: number;
  /** How far a quote may be from where it should stand before it is replaced, as a fraction. */
  readonly tolerance?: number;
};

/** The orders that a strategy places: what `allow` and the limits have to leave it. */
export type Needs = {
  readonly sides: readonly Side[];
  readonly timeInForce: readonly ('GTC' | 'IOC' | 'FOK')[];
  /** True if all its orders are post-only, false if none is. */
  readonly postOnly: boolean;
  /** The volume of its usual order, in the base currency, as decimal text. */
  readonly size?: string;
};

/** A plugin. Make it with {@link defineStrategy} and export it as the default of `strategy.ts`. */
export interface Strategy<P, S> {
  /** The plugin's name, equal to its folder's. */
  readonly name: string;
  readonly parameters: z.ZodType<P>;
  /** How many pairs one instance trades. */
  readonly pairs: number | 'any';
  /** What it keeps over a restart, through `remember` intents. JSON only. */
  readonly state?: { readonly schema: z.ZodType<S>; readonly initial: S };
  warmUp?(parameters: P): WarmUp;
  /**
   * How it means to quote, so that a person hears before the first order when it cannot earn at the
   * account's fees. It decides nothing; asked once, before the start.
   */
  quoting?(parameters: P): Quoting;
  /**
   * What its orders look like, so that a configuration that would refuse all of them is warned of.
   * It decides nothing; asked once, before the start.
   */
  needs?(parameters: P): Needs;
  /**
   * Returns the intents. Called once; never subscribes. A strategy whose stream throws, ends or
   * floods is stopped alone, and its orders are cancelled.
   */
  run(context: Context<P, S>): Observable<Intent>;
}

/** A plugin whose parameter and state types are known only to itself. */
export type AnyStrategy = Strategy<unknown, unknown>;

/** As settings have it, which name plugins. */
const namePattern = /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/u;
const defined = new WeakSet<object>();

/** Returns whether `name` may be a plugin's: lower-case letters, digits and dashes, at most 32. */
export function isPluginName(name: string): boolean {
  return namePattern.test(name);
}

/** Returns whether `value` came out of {@link defineStrategy}. */
export function isStrategy(value: unknown): value is AnyStrategy {
  return typeof value === 'object' && value !== null && defined.has(value);
}

/**
 * Returns the plugin, checked and frozen. Throws {@link ConfigError} when it breaks the contract.
 */
export function defineStrategy<P, S = undefined>(strategy: Strategy<P, S>): Strategy<P, S> {
  const { name, parameters, pairs, state, warmUp, quoting, needs, run } = strategy;
  const refuse = (problem: string): never => {
    throw new ConfigError(`strategy ${JSON.stringify(name)}: ${problem}`);
  };
  if (typeof name !== 'string' || !isPluginName(name)) {
    refuse(
      'name must be at most 32 lower-case letters, digits and dashes, from a letter to a letter or digit',
    );
  }
  if (typeof parameters?.safeParse !== 'function') refuse('parameters must be a zod schema');
  if (pairs !== 'any' && !(Number.isSafeInteger(pairs) && pairs >= 1 && pairs <= 100)) {
    refuse(`pairs must be 1 to 100 or 'any', was ${String(pairs)}`);
  }
  if (state !== undefined && !state.schema.safeParse(state.initial).success) {
    refuse('state.initial does not fit state.schema');
  }
  if (warmUp !== undefined && typeof warmUp !== 'function') refuse('warmUp must be a function');
  if (quoting !== undefined && typeof quoting !== 'function') refuse('quoting must be a function');
  if (needs !== undefined && typeof needs !== 'function') refuse('needs must be a function');
  if (typeof run !== 'function') refuse('run must be a function');
  const plugin = Object.freeze({ ...strategy });
  defined.add(plugin);
  return plugin;
}
