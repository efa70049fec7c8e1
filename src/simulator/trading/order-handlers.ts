/** Answers of fees and own trades. */
import { formatWireAmount } from '../../domain/amount.ts';
import { formatLots, formatTicks, formatValue, type Market } from '../../domain/market.ts';
import { limits } from '../../exchange-api/limits.ts';
import type { UserTrade } from '../../exchange-api/operations/order-operations.ts';
import type { ExecutedTrade } from '../core/exchange-state.ts';
import { formatFeeRate } from '../core/fee-rate.ts';
import { feeRatesOf, thirtyDayVolume } from '../core/fee-tier.ts';
import type { Handlers } from '../core/handler.ts';
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
    const { pair, since, before, after_seq: afterSeq, before_seq: beforeSeq } = parameters;
    const market = exchange.state.markets.get(pair)?.market;
    if (market === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const first = afterSeq === undefined ? undefined : BigInt(afterSeq);
    const end = beforeSeq === undefined ? undefined : BigInt(beforeSeq);
    const isBeforeAll = (trade: ExecutedTrade): boolean =>
      (since !== undefined && trade.timeMs < since) ||
      (first !== undefined && trade.pair === pair && trade.sequence < first);
    const trades = tradesAfter(user().trades, isBeforeAll).filter(
      (trade) =>
        trade.pair === pair &&
        (before === undefined || trade.timeMs < before) &&
        (end === undefined || trade.sequence < end),
    );
    if (parameters.sort_desc === true || before !== undefined) trades.reverse();
    const page = trades.slice(0, parameters.limit ?? limits.listLimitDefault);
    return { trades: page.map((trade) => userTradeOf(trade, market)) };
  },
};

/** Returns what follows the newest trade that is before all that is asked for: a few, mostly. */
function tradesAfter(
  trades: readonly ExecutedTrade[],
  isBeforeAll: (trade: ExecutedTrade) => boolean,
): readonly ExecutedTrade[] {
  return trades.slice(trades.findLastIndex(isBeforeAll) + 1);
}

function userTradeOf(trade: ExecutedTrade, market: Market): UserTrade {
  return {
    order_id: trade.orderId,
    client_order_id: trade.clientOrderId,
    pair: trade.pair,
    sequence: trade.sequence.toString(),
    is_buy: trade.takerSide === 'BID',
    type: trade.side,
    price: formatTicks(trade.price, market),
    volume: formatLots(trade.volume, market),
    base: formatLots(trade.volume, market),
    counter: formatValue(BigInt(trade.price) * BigInt(trade.volume), market),
    fee_base: formatWireAmount(trade.feeBase),
    fee_counter: formatWireAmount(trade.feeCounter),
    timestamp: trade.timeMs,
  };
}
