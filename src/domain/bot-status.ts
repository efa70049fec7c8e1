/**
 * What a running bot says about itself: one composition for the live page, the terminal view,
 * `status` and JSON. It is plain data that JSON can carry.
 *
 * Amounts and prices are decimal text; shares are fractions from 0 to 1; times are milliseconds
 * since the epoch by the bot's clock, if nothing else is said; null stands for "not known now".
 */
import type { Mode } from './bot-settings.ts';
import type { FeedValues } from './feed.ts';
import type { StopCondition } from './limit-order.ts';
import type { Side } from './market.ts';
import type { Notice } from './notice.ts';
import type { FillRow, OrderRow, TradingState } from './records.ts';
import type { SeriesFigures } from './strategy-output.ts';
import type { TradingBlock } from './trading-block.ts';

export type BotStatus = {
  readonly bot: string;
  readonly mode: Mode;
  /** `replay`: orders stay in the process, as in paper trading. */
  readonly ordersGoTo: 'simulator' | 'replay' | 'exchange';
  readonly pid: number;
  readonly run: number;
  readonly startedMs: number;
  /** When this status was composed. */
  readonly atMs: number;
  readonly configHash: string;
  readonly state: TradingState;
  /** Scopes that are not ACTIVE: the bot, strategies and pairs. */
  readonly states: readonly ScopeState[];
  /** Why strategies do not trade now; a strategy that trades has no entry. */
  readonly notTrading: readonly TradingBlock[];
  /** Why the bot has been asked to stop; null if it has not. */
  readonly stopping: string | null;
  readonly isReconciled: boolean;
  readonly areBooksUsable: boolean;
  /** How long the oldest event has waited for the event loop. */
  readonly waitingMs: number;
  readonly markets: readonly MarketState[];
  readonly strategies: readonly StrategyState[];
  /** The parameters of each strategy, in the order of the settings. */
  readonly parameters: readonly StrategyParameters[];
  /** The metrics and plots of the strategies in this run, in the order of their first values. */
  readonly series: readonly SeriesState[];
  /** The feeds in the settings, in their order. */
  readonly feeds: readonly FeedStatus[];
  readonly limits: readonly LimitUse[];
  readonly calls: CallBudgetState;
  readonly orders: OrderTotals;
  /** From an order's attempt to its answer, over the newest attempts of this run. */
  readonly latency: LatencyFigures | null;
  /** Orders of this run that the gate refused or the exchange rejected, the most frequent first. */
  readonly refusals: readonly RefusalCount[];
  readonly balances: readonly BalanceState[];
  /** The newest fills, newest first, at most {@link recentFillsMax}. */
  readonly fills: readonly FillState[];
  /** The newest notices and log lines, newest first, at most {@link recentNoticesMax}. */
  readonly notices: readonly DatedNotice[];
};

export const recentFillsMax = 20;
export const recentNoticesMax = 100;
/** Levels of each side in {@link MarketState}, besides those with own orders. */
export const ladderLevelsMax = 12;

export type ScopeState = {
  /** `bot`, `strategy:<id>` or `pair:<pair>`. */
  readonly scope: string;
  readonly state: TradingState;
  readonly reason: string;
  readonly sinceMs: number;
};

export type MarketState = {
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  /** The number of decimals of a price, and of a volume. */
  readonly priceScale: number;
  readonly volumeScale: number;
  readonly isUsable: boolean;
  /** Why no order may rely on the book; null if orders may. */
  readonly unusableReason: string | null;
  /** Time since the last message of the market's stream. */
  readonly bookAgeMs: number | null;
  readonly bid: string | null;
  readonly ask: string | null;
  readonly mid: string | null;
  /** Ask less bid, in basis points of the mid. */
  readonly spreadBps: number | null;
  /**
   * Best price first. Empty while the book is unusable. A price that only our own orders have is
   * listed too, as in paper trading, whose orders are in no book.
   */
  readonly bids: readonly LadderLevel[];
  readonly asks: readonly LadderLevel[];
  /** Every own order that is not final. */
  readonly ownOrders: readonly OwnOrder[];
  readonly lastTrade: { readonly price: string; readonly side: Side; readonly atMs: number } | null;
};

/** One price of the book. */
export type LadderLevel = {
  readonly price: string;
  /** The volume of all orders in the book, our own included if they are in it. */
  readonly volume: string;
  /** The volume of our own orders that the exchange has accepted. */
  readonly own: string;
};

export type OwnOrder = Pick<
  OrderRow,
  'intentId' | 'strategyId' | 'side' | 'price' | 'volume' | 'state' | 'createdMs' | 'clientOrderId'
> & {
  /** The volume that is not filled. */
  readonly remaining: string;
  /** Whether its cancel has been requested. */
  readonly isCancelling: boolean;
  readonly orderId: string | null;
  /** The volume at the same price that is filled before ours; null while that is not known. */
  readonly aheadVolume: string | null;
  /** The number of orders at the same price before ours; not known in paper trading. */
  readonly aheadOrders: number | null;
  /** The level of a quote; null for other orders. */
  readonly level: string | null;
  /** The key of an order that is placed by key; null for the orders of a quote. */
  readonly key: string | null;
  /** Null for an order without a stop. */
  readonly stop: OwnStop | null;
  /** When the bot cancels what is left of it; null for an order that does not expire. */
  readonly expiresMs: number | null;
};

/** The stop of a stop-limit order. */
export type OwnStop = {
  /** Where the last trade has to be, from the stop price on. */
  readonly direction: StopCondition['direction'];
  readonly price: string;
  /** Whether it is not known to have become a limit order. */
  readonly isAwaiting: boolean;
};

/** Returns the name that the strategy gave its order: the level of a quote, or the key. */
export function nameOfOrder({ level, key }: Pick<OwnOrder, 'level' | 'key'>): string {
  return level ?? key ?? '';
}

export type StrategyState = {
  /** Only in a state of a strategy that trades no pair, on each pair that it watches. */
  readonly onlyWatches?: true;
  readonly strategyId: string;
  readonly plugin: string;
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  readonly status: 'starting' | 'running' | 'ended' | 'done' | 'failed';
  /** What the strategy itself says, if it says something. */
  readonly note: string | null;
  /** Base that the fills gained, after fees, since the first run. */
  readonly position: string;
  /** In the counter currency, the position valued at the mid, exact; null without a mid. */
  readonly profit: string | null;
  readonly fees: string | null;
  readonly fills: number;
  /** The parts of {@link profit}; null without a mid. */
  readonly profitParts: ProfitParts | null;
  readonly presence: Presence;
};

/** A metric or a plot of a strategy. Its values are figures to look at, not money. */
export type SeriesState = SeriesFigures & {
  /** The newest values, at most one in ten seconds, oldest first. */
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
};

/** Profit = spread − fees + inventory. */
export type ProfitParts = {
  /** The sum over fills of the distance to the mid at the fill, in our favour. */
  readonly spread: string;
  readonly fees: string;
  /** What the position gained by moves of the mid. */
  readonly inventory: string;
  /**
   * Fills whose mid is not known, because the market's stream was down or an older version booked
   * them. Their distance to the mid is in {@link inventory}.
   */
  readonly fillsWithoutMid: number;
};

/** Shares of the time of this run in which the strategy ran, from samples. */
export type Presence = {
  /** The time between two samples. */
  readonly sampledEveryMs: number;
  readonly seconds: number;
  readonly bidQuoted: number;
  readonly askQuoted: number;
  readonly bothQuoted: number;
  /** With an own order at the best price. */
  readonly bidAtTouch: number;
  readonly askAtTouch: number;
};

/** The parameters of one strategy, in the order in which its plugin lists them. */
export type StrategyParameters = {
  readonly strategyId: string;
  readonly parameters: readonly ParameterState[];
};

export type ParameterState = {
  readonly name: string;
  /** What holds now, as the settings would have it, at most 100 characters of it. */
  readonly value: string;
  readonly description: string;
  /** What a number counts; null if that is not said, or the value has its own unit. */
  readonly unit: string | null;
  /** The allowed range in words; null if none is declared. */
  readonly range: string | null;
  /** Whether an operator may set it while the bot runs. */
  readonly mayChange: boolean;
  /** Its last change in this run; `was` is the value of the settings file. */
  readonly changed: {
    readonly was: string;
    readonly atMs: number;
    readonly by: string;
    readonly reason: string;
  } | null;
};

export type LimitUse = {
  /** The key in the settings, such as `limits.pairs.XBTZAR.positionBaseMax`. */
  readonly key: string;
  /** `bot`, a strategy's id, or a pair. */
  readonly scope: string;
  /**
   * By the gate's own figures; null if it is not known now, does not apply yet, or if the limit is
   * one of single orders.
   */
  readonly used: string | null;
  readonly max: string;
  /** A currency, `ms`, `share`, or what is counted, such as `orders`. */
  readonly unit: string;
  /** `used / max`; above 1 if the limit was lowered below its use, 0 while `used` is null. */
  readonly share: number;
  /** Whether the limit is one of single orders: nothing adds up to it. */
  readonly isPerOrder: boolean;
};

export type CallBudgetState = {
  /** Calls that may be sent in any minute; null without a limit. */
  readonly perMinute: number | null;
  /** Calls that new orders may still use now. */
  readonly forOrders: number | null;
  readonly waits: readonly WaitingOrder[];
};

/** An order that waits for the call budget or for the limits of orders per time. */
export type WaitingOrder = {
  readonly strategy: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: string;
  readonly volume: string;
  /** Why it waits. */
  readonly reason: 'call limit' | 'order rate';
  readonly waitedMs: number;
  /** How much longer it waits, at least, as far as known. */
  readonly leavesInMs: number;
  /** Id of the waiting order, or of the resting order that it replaces. */
  readonly clientOrderId: string;
  /** Price of the order that rests until then; null for a new order. */
  readonly restsAt: string | null;
  readonly text: string;
};

export type FeedStatus = {
  readonly name: string;
  /** The last values, also of a stale feed; null before the first. */
  readonly values: FeedValues | null;
  readonly receivedMs: number | null;
  /** Why it has no value that can be used; null if it has one. */
  readonly problem: string | null;
};

export type OrderTotals = {
  readonly live: number;
  readonly unknown: number;
  readonly accepted: number;
  readonly rejected: number;
};

export type LatencyFigures = {
  readonly attempts: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
};

export type RefusalCount = {
  readonly strategyId: string;
  /** The code of the gate's check, or the exchange's code and text. */
  readonly code: string;
  readonly by: 'gate' | 'exchange';
  readonly count: number;
  readonly lastMs: number;
  /** The newest refusal as a sentence. */
  readonly text: string;
};

export type BalanceState = {
  readonly currency: string;
  readonly balance: string;
  readonly available: string;
};

export type FillState = Pick<
  FillRow,
  'strategyId' | 'pair' | 'side' | 'price' | 'volume' | 'intentId' | 'tradedMs'
> & {
  /** In the currency in which it was taken: base or counter. */
  readonly fee: string;
  readonly feeCurrency: string;
  readonly isMaker: boolean;
};

export type DatedNotice = Notice & { readonly atMs: number };
