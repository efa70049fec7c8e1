/** Handlers of public market data. Their answers may be up to a second old, as the API allows. */
import { amountOfVolume, amountScale, powerOfTen } from '../../../../domain/amount.ts';
import { formatLots, formatTicks, type Market, type Side } from '../../../../domain/market.ts';
import { formatScaled } from '../../../../domain/money.ts';
import { addLots, noLots } from '../../../../domain/ticks-and-lots.ts';
import { limits } from '../../api/limits.ts';
import { marketRecordOf } from '../../api/market-record.ts';
import type { ResponseOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import type { MarketState } from '../core/exchange-state.ts';
import type { Handlers, MarketDataCache } from '../core/handler.ts';
import { restingOrders, streamStatusOf } from '../core/market-updates.ts';
import { refuse } from '../core/refusal.ts';

type Level = ResponseOf<Operations['orderBook']>['bids'][number];

export const marketDataHandlers: Pick<
  Handlers,
  'markets' | 'ticker' | 'tickers' | 'orderBookTop' | 'orderBook'
> = {
  markets: ({ pair }, { exchange }) => ({
    markets: [...exchange.state.markets.values()]
      .filter(({ market }) => pair === undefined || pair.includes(market.pair))
      .map(({ market }) => marketRecordOf(market)),
  }),

  ticker: ({ pair }, { exchange, cache }) =>
    cached({ exchange, cache, pair, name: 'ticker' }, (market) => tickerOf(exchange, market)),

  tickers: ({ pair: pairs }, { exchange, cache }) => ({
    tickers: [...exchange.state.markets.values()]
      .filter(({ market }) => pairs === undefined || pairs.includes(market.pair))
      .map((state) => {
        const { pair } = state.market;
        return fresh({ exchange, cache, pair, name: 'ticker' }, state, () =>
          tickerOf(exchange, state),
        );
      }),
  }),

  orderBookTop: ({ pair }, { exchange, cache }) =>
    cached({ exchange, cache, pair, name: 'orderBookTop' }, ({ market, lastChangeMs }) => {
      const levels = (side: Side): Level[] =>
        exchange
          .bookOf(pair)
          .book.levels(side, limits.orderBookTopLevelsMax)
          .map((level) => levelOf(level, market));
      return { timestamp: lastChangeMs, bids: levels('BID'), asks: levels('ASK') };
    }),

  orderBook: ({ pair }, { exchange, cache }) =>
    cached({ exchange, cache, pair, name: 'orderBook' }, ({ market, lastChangeMs }) => {
      const identified = exchange.bookOf(pair);
      const orders = (side: Side): Level[] =>
        restingOrders(identified, side).map((slot) =>
          levelOf(
            { price: identified.book.priceOf(slot), volume: identified.book.volumeOf(slot) },
            market,
          ),
        );
      return { timestamp: lastChangeMs, bids: orders('BID'), asks: orders('ASK') };
    }),
};

type Cached = {
  readonly exchange: Exchange;
  readonly cache: MarketDataCache;
  readonly pair: string;
  readonly name: string;
};

function cached<T>(at: Cached, make: (market: MarketState) => T) {
  const market = at.exchange.state.markets.get(at.pair);
  if (market === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
  return fresh(at, market, make);
}

/** Returns the cached answer while it is fresh, otherwise a new one. */
function fresh<T>(at: Cached, market: MarketState, make: (market: MarketState) => T): T {
  const key = `${at.name} ${at.pair}`;
  const known = at.cache.get(key);
  const { timeMs } = at.exchange;
  if (known !== undefined && timeMs - known.timeMs < limits.marketDataCacheMs)
    return known.answer as T;
  const answer = make(market);
  at.cache.set(key, { timeMs, answer });
  return answer;
}

function tickerOf(exchange: Exchange, state: MarketState): ResponseOf<Operations['ticker']> {
  const { market } = state;
  const { book } = exchange.bookOf(market.pair);
  const price = (ticks: ReturnType<typeof book.bestPrice>): string =>
    ticks === undefined ? '0.00' : formatTicks(ticks, market);
  const minute = Math.floor(exchange.timeMs / 60_000);
  let volume = noLots;
  for (const [when, lots] of state.volumeByMinute)
    if (when > minute - 1440) volume = addLots(volume, lots);
  return {
    pair: market.pair,
    timestamp: state.lastChangeMs,
    bid: price(book.bestPrice('BID')),
    ask: price(book.bestPrice('ASK')),
    last_trade: price(state.lastTradePrice),
    rolling_24_hour_volume: formatLots(volume, market),
    // The ticker and the list of markets report UNKNOWN; the stream does not.
    status: market.status === 'UNKNOWN' ? 'UNKNOWN' : streamStatusOf(market.status),
  };
}

/** REST order books have 18 decimals, whatever the scales of the market. */
function levelOf(
  level: { readonly price: Market['priceMin']; readonly volume: Market['volumeMin'] },
  market: Market,
): Level {
  const priceUnits = BigInt(level.price) * powerOfTen(amountScale - market.priceScale);
  return {
    price: formatScaled(priceUnits, amountScale),
    volume: formatScaled(amountOfVolume(level.volume, market), amountScale),
  };
}
