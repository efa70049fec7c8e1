/** Handlers of public trades and candles, both from the trade history of the market. */
import { formatLots, formatTicks, type Market } from '../../../../domain/market.ts';
import { limits } from '../../api/limits.ts';
import type { ResponseOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Handlers } from '../core/handler.ts';
import type { HistoricCandle } from '../core/past-candles.ts';
import { refuse, refuseArguments } from '../core/refusal.ts';
import { earliestCandles, newestTrades, type PublicTrade } from '../core/trade-history.ts';

type TradeRow = ResponseOf<Operations['trades']>['trades'][number];
type CandleRow = ResponseOf<Operations['candles']>['candles'][number];

export const candleHandlers: Pick<Handlers, 'trades' | 'candles'> = {
  trades: ({ pair, since }, { exchange }) => {
    const state = exchange.state.markets.get(pair);
    if (state === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const nowMs = exchange.timeMs;
    // The documentation shows no code for this case: it is an argument out of its range.
    if (since !== undefined && since < nowMs - limits.publicTradesAgeMsMax)
      return refuseArguments(['since'], 'since is more than 24 hours ago');
    const { history, market } = state;
    const found = newestTrades(history, { sinceMs: since, nowMs });
    return { trades: found.map((trade) => tradeRowOf(trade, market)) };
  },

  candles: ({ pair, since, duration }, { exchange }) => {
    const state = exchange.state.markets.get(pair);
    if (state === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const range = { sinceMs: since, seconds: duration, nowMs: exchange.timeMs };
    const found = earliestCandles(state.history, range);
    return { pair, duration, candles: found.map((candle) => candleRowOf(candle, state.market)) };
  },
};

function tradeRowOf(trade: PublicTrade, market: Market): TradeRow {
  return {
    sequence: trade.sequence.toString(),
    timestamp: trade.timeMs,
    price: formatTicks(trade.price, market),
    volume: formatLots(trade.volume, market),
    is_buy: trade.takerSide === 'BID',
  };
}

function candleRowOf(candle: HistoricCandle, market: Market): CandleRow {
  return {
    timestamp: candle.startMs,
    open: formatTicks(candle.open, market),
    close: formatTicks(candle.close, market),
    high: formatTicks(candle.high, market),
    low: formatTicks(candle.low, market),
    volume: formatLots(candle.volume, market),
  };
}
