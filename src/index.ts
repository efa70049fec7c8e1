/** Everything that a strategy may import from Millrace. */
export type { CallsLeft } from './domain/calls-left.ts';
export type { FeedValues } from './domain/feed.ts';
export type { Intent, QuotedOrder } from './domain/intent.ts';
export type { Side } from './domain/market.ts';
export type { BookLevel, Candle, Top, Trade } from './domain/market-view.ts';
export { Decimal, decimalOf, type Lots, type Ticks } from './domain/money.ts';
export {
  isFinal,
  type MarketTerms,
  type OrderState,
  type OwnTerms,
  type Terms,
} from './domain/order.ts';
export { lotsOf, ticksOf } from './domain/ticks-and-lots.ts';
export type {
  AccountBalance,
  Fees,
  Profit,
  Totals,
  Traded,
} from './strategy/account/own-account.ts';
export {
  type Context,
  defineStrategy,
  type MarketContext,
  type Strategy,
  type WatchedMarket,
} from './strategy/contract.ts';
export { type ChaseOptions, chase } from './strategy/executors/chase.ts';
export { type DcaOptions, dca } from './strategy/executors/dca.ts';
export type {
  PlaceOptions,
  TakeOptions,
  TimeOptions,
  WorkOptions,
} from './strategy/executors/executor-options.ts';
export type { ExecutorPart } from './strategy/executors/executor-part.ts';
export { type GridOptions, grid } from './strategy/executors/grid.ts';
export { type HedgeOptions, hedge } from './strategy/executors/hedge.ts';
export { type IcebergOptions, iceberg } from './strategy/executors/iceberg.ts';
export { type PovOptions, pov } from './strategy/executors/pov.ts';
export { sequence } from './strategy/executors/sequence.ts';
export { type TripleBarrierOptions, tripleBarrier } from './strategy/executors/triple-barrier.ts';
export { type TwapOptions, twap } from './strategy/executors/twap.ts';
export type { Feed, FeedValue } from './strategy/feeds/strategy-feeds.ts';
export { atr, ema, type Macd, macd, rsi, sma } from './strategy/indicators/averages.ts';
export { type Indicator, indicate } from './strategy/indicators/indicator.ts';
export { orderFlowImbalance, tradeIntensity, vwap } from './strategy/indicators/order-flow.ts';
export {
  type Bands,
  bollinger,
  donchian,
  realisedVolatility,
  zScore,
} from './strategy/indicators/ranges.ts';
export { cancel, place, quote } from './strategy/intents/builders.ts';
export type { MarketBook } from './strategy/market/market-book.ts';
export type { Needs, Quoting, WarmUp } from './strategy/needs.ts';
export type { Fill, OwnOrder, PairRules, Position, Refusal, Room } from './strategy/own-views.ts';
export { type ParamOptions, param } from './strategy/parameters/param.ts';
export { amount, exactShare, share, span } from './strategy/parameters/parameter-types.ts';
export type { Slot } from './strategy/parts/slot.ts';
export {
  type Hold,
  type HoldMoment,
  type HoldOptions,
  type HoldParameters,
  holdStrategy,
} from './strategy/shapes/hold-strategy.ts';
export {
  type QuoteMoment,
  type QuoteOptions,
  type QuoteParameters,
  type QuotingOptions,
  quoteStrategy,
  quoting,
} from './strategy/shapes/quote-strategy.ts';
export type {
  ParameterProblems,
  ParameterTypes,
  ParameterValues,
} from './strategy/shapes/shape-parameters.ts';
export type { Quote, QuoteLevel } from './strategy/shapes/wanted-quote.ts';
