/** Handlers of the caller's trades and of candles in the format of the wallet API. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { formatLots, formatTicks } from '../../../../domain/market.ts';
import type { WalletTradeRecord } from '../../api/wallet/operations/trading-operations.ts';
import { candleSeconds } from '../../api/wallet/scalars.ts';
import type { Exchange } from '../core/exchange.ts';
import type { ExecutedTrade } from '../core/exchange-state.ts';
import type { Handlers } from '../core/handler.ts';
import { refuse } from '../core/refusal.ts';
import { candleHandlers } from '../trading/candle-handlers.ts';
import { inRange, pageOf, refusalOfRange } from './selection.ts';

export const tradingHandlers: Pick<Handlers, 'listWalletTrades' | 'listWalletCandles'> = {
  listWalletTrades: ({ marketId, ...query }, { exchange, user }) => {
    if (marketId !== undefined && !exchange.state.markets.has(marketId))
      return refuse('ErrMarketUnavailable', 'Market not available');
    const refusal = refusalOfRange(query);
    if (refusal !== undefined) return refusal;
    const trades = user().trades.filter(({ pair }) => marketId === undefined || pair === marketId);
    const newestFirst = inRange(trades, query, ({ timeMs }) => timeMs).toReversed();
    return { trades: pageOf(newestFirst, query).map((trade) => tradeRecordOf(trade, exchange)) };
  },

  listWalletCandles: ({ marketId, duration, ...query }, context) => {
    const refusal = refusalOfRange(query);
    if (refusal !== undefined) return refusal;
    const request = { pair: marketId, since: query.from, duration: candleSeconds[duration] };
    const answer = candleHandlers.candles(request, context);
    if ('code' in answer) return answer;
    return { marketId, duration, candles: [...inRange(answer.candles, query, startOf)] };
  },
};

function startOf(candle: { readonly timestamp: number }): number {
  return candle.timestamp;
}

function tradeRecordOf(trade: ExecutedTrade, exchange: Exchange): WalletTradeRecord {
  const { market } = exchange.marketOf(trade.pair);
  const order = exchange.state.orders.get(trade.orderId);
  return {
    marketId: trade.pair,
    sequence: trade.sequence.toString(),
    orderId: trade.orderId,
    ...(trade.clientOrderId === '' ? {} : { clientOrderId: trade.clientOrderId }),
    baseAccountId: order?.baseAccountId ?? '',
    counterAccountId: order?.counterAccountId ?? '',
    side: trade.side,
    price: formatTicks(trade.price, market),
    volume: formatLots(trade.volume, market),
    baseFee: formatWireAmount(trade.feeBase),
    counterFee: formatWireAmount(trade.feeCounter),
    createdAt: trade.timeMs,
  };
}
