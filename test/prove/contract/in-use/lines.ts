/**
 * What a line of use is. `docs/strategy-api.md` shows one for each member of the strategy contract,
 * and `npm run prove -- contract` runs them in a backtest, in the demo and on a paper account.
 *
 * The types require a line of each member. A line is one expression without a cast.
 */
import type {
  AccountBalance,
  Bands,
  BookLevel,
  CallsLeft,
  Candle,
  Context,
  Feed,
  FeedValue,
  Fees,
  Fill,
  HoldMoment,
  Indicator,
  Macd,
  MarketBook,
  MarketContext,
  OwnOrder,
  OwnTerms,
  PairRules,
  Position,
  Profit,
  QuoteMoment,
  Refusal,
  Room,
  Slot,
  Terms,
  Top,
  Totals,
  Trade,
  Traded,
} from '../../../../src/index.ts';

/** The parameters and the state of the strategy in which the lines stand. */
export type Parameters = { readonly size: string; readonly fast: number };
export type State = { readonly bought: number };

/** The types of the contract whose values a strategy gets. */
export type Given = {
  readonly AccountBalance: AccountBalance;
  readonly Bands: Bands;
  readonly BookLevel: BookLevel;
  readonly CallsLeft: CallsLeft;
  readonly Candle: Candle;
  readonly Context: Context<Parameters, State>;
  readonly Feed: Feed;
  readonly FeedValue: FeedValue;
  readonly Fees: Fees;
  readonly Fill: Fill;
  readonly HoldMoment: HoldMoment<Parameters>;
  readonly Indicator: Indicator<number, number>;
  readonly Macd: Macd;
  readonly MarketBook: MarketBook;
  readonly MarketContext: MarketContext;
  readonly OwnOrder: OwnOrder;
  readonly OwnTerms: Pick<OwnTerms, 'pays'>;
  readonly PairRules: PairRules;
  readonly Position: Position;
  readonly Profit: Profit;
  readonly QuoteMoment: QuoteMoment<Parameters>;
  readonly Refusal: Refusal;
  readonly Room: Room;
  readonly Slot: Slot<number>;
  readonly Terms: Terms;
  readonly Top: Top;
  readonly Totals: Totals;
  readonly Trade: Trade;
  readonly Traded: Traded;
};

/** A line for each member of a value; `market` is the pair that the value is about. */
export type LinesOf<T> = {
  readonly [Member in keyof T]-?: (value: T, market: MarketContext) => unknown;
};

/** A line for each member of a value that a strategy makes: the member as it is written. */
export type Written<T> = { readonly [Member in keyof T]-?: () => Pick<T, Member> };
