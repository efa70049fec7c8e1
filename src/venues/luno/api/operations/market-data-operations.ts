/** Public market data: markets, tickers, order books, trades. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { optional, repeated, required, text, timeMs } from '../parameter.ts';
import { amount, integer, integerId, list, openEnumeration, time } from '../wire.ts';

const pair = required(text(20), 'currency pair, base then counter');

export const markets = operation({
  name: 'markets',
  method: 'GET',
  path: '/api/exchange/1/markets',
  source: 'facts',
  authentication: 'none',
  repeat: 'read',
  description: 'Lists the markets with their scales, limits and trading status.',
  parameters: { pair: repeated(text(20), 'only these pairs') },
  response: z.object({
    markets: list(
      z.object({
        market_id: z.string(),
        trading_status: openEnumeration(['ACTIVE', 'POST_ONLY', 'SUSPENDED', 'UNKNOWN']),
        base_currency: z.string(),
        counter_currency: z.string(),
        min_volume: amount,
        max_volume: amount,
        volume_scale: integer,
        min_price: amount,
        max_price: amount,
        price_scale: integer,
        fee_scale: integer,
      }),
    ),
  }),
});

const tickerRecord = z.object({
  pair: z.string(),
  timestamp: time,
  bid: amount,
  ask: amount,
  last_trade: amount,
  rolling_24_hour_volume: amount,
  // The ticker has POSTONLY, the market information has POST_ONLY.
  status: openEnumeration(['ACTIVE', 'POSTONLY', 'DISABLED', 'UNKNOWN']),
});

export const ticker = operation({
  name: 'ticker',
  method: 'GET',
  path: '/api/1/ticker',
  earlierPaths: ['/api/1/:pair/ticker'],
  authentication: 'none',
  repeat: 'read',
  description: 'Returns the best prices, the last trade and the volume of 24 hours of one pair.',
  parameters: { pair },
  errors: ['ErrMarketUnavailable'],
  response: tickerRecord,
});

export const tickers = operation({
  name: 'tickers',
  method: 'GET',
  path: '/api/1/tickers',
  authentication: 'none',
  repeat: 'read',
  description:
    'Returns the tickers of all pairs, or of the given pairs; unknown pairs are left out.',
  parameters: { pair: repeated(text(20), 'only these pairs') },
  response: z.object({ tickers: list(tickerRecord) }),
});

const level = z.object({ price: amount, volume: amount });

export const orderBookTop = operation({
  name: 'orderBookTop',
  method: 'GET',
  path: '/api/1/orderbook_top',
  authentication: 'none',
  repeat: 'read',
  description: 'Returns the best 100 bids and asks; orders at the same price are added up.',
  parameters: { pair },
  errors: ['ErrMarketUnavailable'],
  response: z.object({ timestamp: time, bids: list(level), asks: list(level) }),
});

export const orderBook = operation({
  name: 'orderBook',
  method: 'GET',
  path: '/api/1/orderbook',
  earlierPaths: ['/api/1/:pair/orderbook'],
  authentication: 'none',
  repeat: 'read',
  description: 'Returns every bid and ask, order by order; may be large.',
  parameters: { pair },
  errors: ['ErrMarketUnavailable'],
  response: z.object({ timestamp: time, bids: list(level), asks: list(level) }),
});

export const trades = operation({
  name: 'trades',
  method: 'GET',
  path: '/api/1/trades',
  earlierPaths: ['/api/1/:pair/trades'],
  authentication: 'none',
  repeat: 'read',
  description: 'Returns the trades of the last 24 hours, newest first, at most 100.',
  parameters: {
    pair,
    since: optional(timeMs, 'only trades after this; an error if it is more than 24 hours ago'),
  },
  errors: ['ErrMarketUnavailable', 'ErrInvalidArguments'],
  response: z.object({
    trades: list(
      z.object({
        sequence: integerId,
        timestamp: time,
        price: amount,
        volume: amount,
        // The taker's side: true means that the taker bought.
        is_buy: z.boolean(),
      }),
    ),
  }),
});
