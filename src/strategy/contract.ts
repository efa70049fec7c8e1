/**
 * The contract between Millrace and a strategy plugin: a function from what a strategy may see to a
 * stream of intents.
 *
 * A plugin has no key, client, clock or timer except those of its context. It never subscribes,
 * never waits for a promise, and reads the time only from `nowMs`, so the same file runs in
 * backtest, demo, paper and live, and replays byte for byte. RxJS's own `timer`, `interval`,
 * `debounceTime` and the like run on the engine's virtual time.
 *
 * Invariants: every value is frozen; every amount is an exact integer (ticks, lots) or a Decimal;
 * all properties already show the state after an event when the first stream emits for it.
 */

import type { Observable, SchedulerLike } from 'rxjs';
import type { z } from 'zod';
import type { CallsLeft } from '../domain/calls-left.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Intent } from '../domain/intent.ts';
import type { Side } from '../domain/market.ts';
import type { Candle, Top, Trade } from '../domain/market-view.ts';
import type { Decimal, Lots, Ticks } from '../domain/money.ts';
import type { AccountBalance, Profit, Totals, Traded } from './account/own-account.ts';
import { contractVersion, contractVersionOf, withContractVersion } from './contract-version.ts';
import type { Feed } from './feeds/strategy-feeds.ts';
import type { MarketBook } from './market/market-book.ts';
import type { Needs, Quoting, WarmUp } from './needs.ts';
import type { Fill, OwnOrder, PairRules, Position, Refusal, Room } from './own-views.ts';
import type { Slot } from './parts/slot.ts';
import { isPluginName } from './plugin-name.ts';

/**
 * One pair, as one strategy sees it. Its functions throw RangeError for an invalid argument; the
 * message names the function, the argument and what was given.
 */
export interface MarketContext {
  /** The exchange's name of the pair, such as `XBTZAR`. */
  readonly pair: string;
  /** The base currency, such as `XBT`; volumes are in it. */
  readonly base: string;
  /** The counter currency, such as `ZAR`; prices are in it. */
  readonly counter: string;
  /**
   * The best prices and their volumes now; undefined while the book is unusable. If that lasts
   * longer than `onUnusableBook` in the settings allows, the bot cancels the strategy's orders on
   * the pair.
   */
  readonly top: Top | undefined;
  /**
   * The middle between the best prices, in ticks; it may be half a tick. Undefined while a side has
   * no orders or the book is unusable.
   */
  readonly mid: number | undefined;
  /**
   * The best prices averaged, each with the volume of the other side as its weight, in ticks:
   * nearer to the side with less volume. Undefined as `mid`.
   */
  readonly microprice: number | undefined;
  /** The book behind the best prices. */
  readonly book: MarketBook;
  /** This strategy's position on the pair, in whole lots. */
  readonly position: Position;
  /**
   * The exact position in the base currency. It is not always a whole number of lots, because fees
   * may be taken in the base currency; `position.base` is rounded towards zero.
   */
  readonly holding: Decimal;
  /**
   * Whether the position is not 0 but smaller than `rules.volumeMin`, so that no order can close
   * it alone. Include it in the volume of the next order.
   */
  readonly isDust: boolean;
  /** All that this strategy has bought and sold on the pair, with fees. */
  readonly totals: Totals;
  /** This strategy's profit on the pair, in the counter currency. */
  readonly profit: Profit;
  /** This strategy's orders on the pair that are not final, oldest first, then pending orders. */
  readonly orders: readonly OwnOrder[];
  /** The limits on prices and volumes, and the fees. */
  readonly rules: PairRules;
  /** The candles that `warmUp` requests, oldest first; fewer if the source has no more. */
  readonly history: readonly Candle[];
  /**
   * Emits the best prices when the best bid or ask price changes, when the book becomes usable, and
   * right after the start: at most once per event, and not while the book is unusable. A change of
   * volume alone is not emitted, see `topWithVolume$`.
   */
  readonly top$: Observable<Top>;
  /** Like `top$`, but also emits when only the volume at a best price changes. */
  readonly topWithVolume$: Observable<Top>;
  /**
   * Emits true when the book becomes usable and false when it becomes unusable; also true right
   * after the start if the book is usable. A later subscriber gets only later changes.
   */
  readonly usable$: Observable<boolean>;
  /** Emits each trade of the market, in the order of the market stream. */
  readonly trade$: Observable<Trade>;
  /** Emits an order of this strategy whenever its state, filled volume or cancel changes. */
  readonly order$: Observable<OwnOrder>;
  /** Emits each fill of this strategy's orders, also those booked while the bot was down. */
  readonly fill$: Observable<Fill>;
  /**
   * Emits each refusal. While an order of a quote is refused, the gate checks it again every two
   * seconds; its refusal is emitted again only if the codes change or the strategy quotes again.
   */
  readonly refusal$: Observable<Refusal>;
  /**
   * Returns candles of `intervalMs` milliseconds (a whole number, at least 1; RangeError
   * otherwise). Each is emitted at the end of its period, also without trades. Periods start at
   * whole multiples of `intervalMs` since the epoch. The first candle is that of the first period
   * observed from its beginning, and there is none before a price is known. A trade belongs to the
   * period in which it arrived; in `history`, to that in which it was traded or a bar ends.
   */
  candle$(intervalMs: number): Observable<Candle>;
  /**
   * Returns what the order `key` of this strategy has traded on the pair by its booked fills, also
   * after its end and after a restart: for each of the strategy's newest 10,000 orders of `place`
   * intents that the gate approved, and for every order that is not final. Undefined for any other.
   */
  filledOf(key: string): Traded | undefined;
  /**
   * Returns the booked fills of this strategy on the pair whose trade was at `sinceMs`
   * (milliseconds, the exchange's time) or later, oldest first, also those of earlier runs.
   * RangeError if that is more than 24 hours ago, or not among the newest 10,000 fills.
   */
  fillsSince(sinceMs: number): readonly Fill[];
  /**
   * Returns a price in ticks. Throws RangeError if `text` is not decimal text, or has more decimals
   * than `rules.priceScale`; `nearestTick` rounds.
   */
  ticks(text: string): Ticks;
  /**
   * Returns a volume in lots. Throws RangeError if `text` is not decimal text, or has more decimals
   * than `rules.volumeScale`; `nearestLot` rounds.
   */
  lots(text: string): Lots;
  /** Returns the highest whole tick at or below `price`, or with `up` the lowest at or above it. */
  nearestTick(price: string | Decimal, to: 'down' | 'up'): Ticks;
  /** Returns the highest whole lot at or below `volume`, or with `up` the lowest at or above it. */
  nearestLot(volume: string | Decimal, to: 'down' | 'up'): Lots;
  /**
   * Rounds a price that was computed in ticks to whole ticks; throws RangeError if it is not finite
   * or beyond 2^53.
   */
  round(ticks: number, to: 'down' | 'up'): Ticks;
  /**
   * Returns the volume that the amount `counter` (decimal text, not negative) buys at `price`,
   * rounded down, without fees. Throws RangeError if `counter` is not such a text, `price` is not
   * above 0, or the volume is beyond 2^53 lots.
   */
  lotsFor(counter: string, price: Ticks): Lots;
  /**
   * Returns how much of an order there is room for: the market's rules, the limits of an order and
   * of the pair's position, the strategy's budget, and what the account has free, for a bid with
   * its fee buffer. Orders that the strategy has requested in the same event count as placed. The
   * gate does not refuse what is granted for any of these reasons in the same event, unless another
   * strategy takes the room first.
   *
   * `replaced` are open orders of the same side that end when the order is placed, such as those of
   * the last quote: what they use is free for it. `beside` are further orders of the same side that
   * are about to be placed with it. RangeError for an invalid argument.
   */
  room(
    side: Side,
    price: Ticks,
    size: Lots,
    others?: {
      readonly replaced?: readonly OwnOrder[];
      readonly beside?: readonly { readonly price: Ticks; readonly volume: Lots }[];
    },
  ): Room;
  /** The price at which a market order counts, the collar's worst edge; none without a book. */
  marketPrice(side: Side): Ticks | undefined;
  /** Returns `price × volume` in the counter currency, exactly. */
  valueOf(price: Ticks, volume: Lots): Decimal;
  /** Returns the volume in the base currency, exactly. */
  amountOf(volume: Lots): Decimal;
  /** Returns the price in the counter currency, exactly. */
  priceOf(price: Ticks): Decimal;
  /** Returns the price as decimal text, for the reasons of intents. */
  priceText(price: Ticks): string;
  /**
   * Draws `value` at the present time as a line of this name on the pages of a backtest and of a
   * bot: over the prices of the pair, in ticks, or with `pane` in a pane of that title, in any
   * unit. It has no effect on orders. Of several values in one event the last counts, of one second
   * the first ten. A name or title has 1 to 40 letters, digits, spaces and `. _ : % / ( ) + -`; a
   * strategy has at most 50 metrics and plots. Another argument is left out, and a line says why.
   */
  plot(name: string, value: number, options?: { readonly pane?: string }): void;
}

/**
 * A pair that a strategy only watches: its market, as of a pair that it trades. Orders on it are
 * refused as invalid, so it needs no budget and no limits.
 */
export type WatchedMarket = Omit<
  MarketContext,
  | ('position' | 'holding' | 'isDust' | 'orders' | 'order$' | 'fill$' | 'refusal$' | 'room')
  | ('totals' | 'profit' | 'filledOf' | 'fillsSince' | 'marketPrice')
>;

/** Everything that one strategy may see and use. Its functions check their arguments, too. */
export interface Context<P, S> {
  /** The strategy's id in the bot's settings. */
  readonly id: string;
  /**
   * The parameters from the settings, as parsed by the plugin's schema; frozen. Those with
   * `mayChange` may be set by an operator meanwhile, so read them where you use them.
   */
  readonly parameters: P;
  /**
   * Emits all parameters after an operator has set some of them; `parameters` has them already.
   * Only what has to happen at once needs it.
   */
  readonly parameters$: Observable<P>;
  /** One context for each pair that it trades, in the order of the settings. */
  readonly pairs: readonly MarketContext[];
  /** The pairs that it only watches, in the order of `watch` in the settings. */
  readonly watched: readonly WatchedMarket[];
  /**
   * Returns the state of the last `remember` intent, of this or an earlier run, or
   * `state.initial`; frozen. Undefined if the plugin declares no state.
   */
  state(): S;
  /**
   * Returns the intents of a part of the strategy: of what `build` returns at each subscription.
   * The part has its own quote, orders, fills, refusals and slots, stored as `name/key`; the rest
   * is that of the strategy. Of two parts' orders that would trade with each other, the later one
   * is refused with `QUOTE_CROSSED`. When its stream ends or is unsubscribed, and after a restart
   * when `run` does not open it again, its orders are cancelled and its slots dropped. RangeError
   * for another name than of 1 to 32 letters, digits, dots, dashes and underscores.
   */
  part(name: string, build: (part: Context<P, S>) => Observable<Intent>): Observable<Intent>;
  /**
   * Opens a named state of the strategy or part: what was remembered last, also in an earlier run,
   * or `initial`. JSON, with `state()` and all of at most 256 slots at most 256 kB. RangeError for
   * a name that is open, and an initial value that does not fit.
   */
  slot<T>(name: string, schema: z.ZodType<T>, initial: T): Slot<T>;
  /**
   * Returns how much of `currency` new orders may use: the budget plus what the strategy's trades
   * brought or cost, minus what its open and pending orders may use, and no more than what the
   * account has free. At least 0. In a currency that bids of the strategy pay with, a share of what
   * is free (`limits.account.feeBuffer`) is left out. So an order of this amount has its funds.
   * RangeError for a currency of neither its pairs nor its budget.
   */
  available(currency: string): Decimal;
  /**
   * Returns the strategy's budget in `currency` from the settings; 0 if it has none. RangeError for
   * a currency of neither its pairs nor its budget.
   */
  budget(currency: string): Decimal;
  /**
   * Returns what the account has of `currency`, undefined while it is not known. It is shared with
   * other strategies, bots and people; what this strategy may use is `available`. RangeError for a
   * currency of neither its pairs nor its budget.
   */
  balance(currency: string): AccountBalance | undefined;
  /**
   * Returns the profit of all pairs of the strategy whose counter currency is `currency`: the sums
   * of `market.profit`. RangeError if there is no such pair.
   */
  profit(currency: string): Profit;
  /**
   * Returns the fees that the strategy's fills have paid in `currency` since its first one, on all
   * its pairs; below 0 for rebates. RangeError as `balance`.
   */
  fees(currency: string): Decimal;
  /**
   * Returns how many calls to the exchange are left. The orders that a strategy requests count
   * from the end of the current event.
   */
  callsLeft(): CallsLeft;
  /**
   * Returns a feed: a named series of numbers from outside of the exchange, such as a reference
   * price. The settings say where it comes from, and list it under `feeds` of the strategy. A
   * backtest has the values that a recording or a file has, as of the time they were received.
   * RangeError for another name.
   */
  feed(name: string): Feed;
  /**
   * Emits 0, 1, 2, … every `intervalMs` milliseconds, the first one interval after the
   * subscription; missed times are skipped. Throws RangeError if `intervalMs` is below 1 or not
   * finite.
   */
  every(intervalMs: number): Observable<number>;
  /**
   * Emits at each time of the cron pattern in the IANA time zone `zone`. `period` is that time in
   * ISO 8601 (UTC). With it in the key of an order, no period can lead to two orders. After a time
   * in which the bot was down, the last missed period is emitted once at the start. Throws
   * RangeError for an invalid pattern or zone. A strategy may have at most 32 schedules.
   */
  schedule(cron: string, zone: string): Observable<{ readonly period: string }>;
  /**
   * Adds a line of 1 to 1000 characters to what the terminal, the log of the bot and the result of
   * a backtest show, at most 100 a minute; the number of the others follows. `fields` are at most
   * 16 values by name: text of at most 200 characters, numbers, Decimals, true or false. It has no
   * effect on orders. Another argument is left out, and a line says why.
   */
  log(text: string, fields?: Readonly<Record<string, string | number | boolean | Decimal>>): void;
  /**
   * Sets a figure that status, page and results show: its last, lowest and highest value, and how
   * it went. As `market.plot`: without effect on orders, one value an event, ten a second.
   */
  metric(name: string, value: number): void;
  /**
   * Returns the time of the engine's clock in milliseconds since the epoch; constant within one
   * event.
   */
  readonly nowMs: () => number;
  /** Returns a random number in [0, 1); its seed is recorded, so a replay repeats it. */
  readonly random: () => number;
  /**
   * The engine's virtual time, for RxJS operators that take a scheduler. RxJS's default schedulers
   * use the same time.
   */
  readonly scheduler: SchedulerLike;
}

/**
 * A plugin. Create it with {@link defineStrategy} and make it the default export of its module.
 */
export interface Strategy<P, S> {
  /**
   * The plugin's name: at most 32 lower-case letters, digits, dashes. In `strategies/` it is that
   * of its folder.
   */
  readonly name: string;
  /** The schema of the parameters in the settings; an object schema refuses unknown parameters. */
  readonly parameters: z.ZodType<P>;
  /** The number of pairs that it trades: 1 to 100, or any number; 0 if it only watches. */
  readonly pairs: number | 'any';
  /**
   * The number of pairs that it only watches, `watch` in the settings: 0 to 100, or any number.
   * Default: 0.
   */
  readonly watches?: number | 'any';
  /**
   * The schema and first value of the state that survives restarts, see the `remember` intent. JSON
   * only, at most 256 kB; `initial` must fit the schema.
   */
  readonly state?: { readonly schema: z.ZodType<S>; readonly initial: S };
  /** Returns the history that the strategy needs. Called once, before the start. */
  warmUp?(parameters: P): WarmUp;
  /**
   * Returns how the strategy intends to quote, so that the start can warn if it cannot make a
   * profit at the account's fees. It has no other effect. Called once, before the start.
   */
  quoting?(parameters: P): Quoting;
  /**
   * Returns what its orders look like, so that the start can warn about settings that would refuse
   * all of them. It has no other effect. Called once, before the start.
   */
  needs?(parameters: P): Needs;
  /**
   * Returns the stream of intents. Called once; it must not subscribe. If the stream throws, ends
   * or emits too many intents, only this strategy is stopped, and its orders are cancelled.
   */
  run(context: Context<P, S>): Observable<Intent>;
}

/** A plugin whose parameter and state types are not known to the caller. */
export type AnyStrategy = Strategy<unknown, unknown>;

/** Returns whether {@link defineStrategy} made `value`, in this copy of Millrace or in another. */
export function isStrategy(value: unknown): value is AnyStrategy {
  return contractVersionOf(value) === contractVersion;
}

/**
 * Returns the plugin, checked and frozen. Throws {@link ConfigError} if a member is invalid; the
 * message names the member and what is allowed.
 */
export function defineStrategy<P, S = undefined>(strategy: Strategy<P, S>): Strategy<P, S> {
  if (typeof strategy !== 'object' || strategy === null)
    throw new ConfigError(`defineStrategy: strategy must be an object, was ${String(strategy)}`);
  const { name, parameters, pairs, watches = 0, state, warmUp, quoting, needs, run } = strategy;
  const refuse = (problem: string): never => {
    throw new ConfigError(`strategy ${JSON.stringify(name)}: ${problem}`);
  };
  if (typeof name !== 'string' || !isPluginName(name))
    refuse(
      'name must be at most 32 lower-case letters, digits and dashes, start with a letter and not end with a dash',
    );
  if (typeof parameters?.safeParse !== 'function') refuse('parameters must be a zod schema');
  const isCount = (count: unknown, least: number): boolean =>
    count === 'any' ||
    (Number.isSafeInteger(count) && (count as number) >= least && (count as number) <= 100);
  if (!isCount(watches, 0)) refuse(`watches must be 0 to 100 or 'any', was ${String(watches)}`);
  if (!isCount(pairs, watches === 0 ? 1 : 0))
    refuse(`pairs must be 1 to 100 or 'any', or 0 if it watches any, was ${String(pairs)}`);
  if (state !== undefined && typeof state?.schema?.safeParse !== 'function')
    refuse('state must be an object with schema, a zod schema, and initial');
  if (state !== undefined && !state.schema.safeParse(state.initial).success)
    refuse('state.initial does not fit state.schema');
  for (const [member, value] of Object.entries({ warmUp, quoting, needs }))
    if (value !== undefined && typeof value !== 'function') refuse(`${member} must be a function`);
  if (typeof run !== 'function') refuse('run must be a function');
  return Object.freeze(withContractVersion({ ...strategy }));
}
