/** What a fill model begins with. */
import type { Market } from '../../domain/market.ts';
import type { DatedRates, FeeRates } from '../../exchange-accounts/fee-schedule.ts';
import type { BookOptions } from '../../market/book/book.ts';
import type { OrderIds } from '../account/order-ids.ts';
import type { ModelListener } from './fill-event.ts';

export type FillModelOptions = {
  readonly market: Market;
  readonly rates: FeeRates | readonly DatedRates[];
  /** How long what our orders took stays taken; as long as the order lives unless given. */
  readonly consumedMicros?: number;
  /** Called within the calls below; it must not call the exchange. */
  readonly listener: ModelListener;
  /** Of all markets of the account; its own unless given. */
  readonly orderIds?: OrderIds;
  /** The number of the last trade that an earlier life of the same account has seen. */
  readonly tradeSequence?: number;
  /** Of history's book, for a history of a few orders. */
  readonly book?: BookOptions;
};
