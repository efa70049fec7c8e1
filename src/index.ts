/** Everything that a strategy may import from Millrace. */
export type { CallsLeft } from './domain/calls-left.ts';
export type { Intent, QuotedOrder } from './domain/intent.ts';
export type { Side } from './domain/market.ts';
export type { Candle, Top, Trade } from './domain/market-view.ts';
export { Decimal, decimalOf, type Lots, type Ticks } from './domain/money.ts';
export { isFinal, type OrderState, type Terms } from './domain/order.ts';
export {
  type Context,
  defineStrategy,
  type Fill,
  type MarketContext,
  type OwnOrder,
  type PairRules,
  type Position,
  type Quoting,
  type Refusal,
  type Strategy,
  type WarmUp,
} from './strategy/contract.ts';
export type { Needs } from './strategy/needs.ts';
export { amount, exactShare, share, span } from './strategy/parameter-types.ts';
