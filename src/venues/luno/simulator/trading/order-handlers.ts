/** Handlers of fee info and the trades of the caller. */
import { formatLots } from '../../../../domain/market.ts';
import { pageOfTrades } from '../core/account-lists.ts';
import { formatFeeRate } from '../core/fee-rate.ts';
import { feeRatesOf, thirtyDayVolume } from '../core/fee-tier.ts';
import type { Handlers } from '../core/handler.ts';
import { userTradeOf } from '../core/order-records.ts';
import { refuse } from '../core/refusal.ts';

export const orderHandlers: Pick<Handlers, 'feeInfo' | 'listtrades'> = {
  feeInfo: ({ pair }, { exchange, user }) => {
    const market = exchange.state.markets.get(pair)?.market;
    if (market === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const rates = feeRatesOf(user(), market, exchange.timeMs);
    const maker = formatFeeRate(rates.maker);
    const taker = formatFeeRate(rates.taker);
    const volume = thirtyDayVolume(user(), pair, exchange.timeMs);
    return {
      maker_fee: maker,
      maker_fee_buy: maker,
      maker_fee_sell: maker,
      taker_fee: taker,
      taker_fee_buy: taker,
      taker_fee_sell: taker,
      thirty_day_volume: formatLots(volume, market),
    };
  },

  listtrades: (parameters, { exchange, user }) => {
    const market = exchange.state.markets.get(parameters.pair)?.market;
    if (market === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const page = pageOfTrades(user().trades, parameters);
    return { trades: page.map((trade) => userTradeOf(trade, market)) };
  },
};
