/** The options of a fill model. */
import type { Market } from '../../domain/market.ts';
import type { DatedRates, FeeRates } from '../../exchange-accounts/fee-schedule.ts';
import type { BookOptions } from '../../market/book/book.ts';
import type { OrderIds } from '../account/order-ids.ts';
import type { ModelListener } from './fill-event.ts';

export type FillModelOptions = {
  readonly market: Market;
  readonly rates: FeeRates | readonly DatedRates[];
  /** How long volume that we took stays taken; by default as long as the order that had it. */
  readonly consumedMicros?: number;
  /** Called synchronously by the fill model; it must not call the exchange. */
  readonly listener: ModelListener;
  /** Shared by all markets of the account; by default a new sequence. */
  readonly orderIds?: OrderIds;
  /** The last trade number of an earlier process of the same account. */
  readonly tradeSequence?: number;
  /** Sizes of history's book, for a history of few orders. */
  readonly book?: BookOptions;
};
