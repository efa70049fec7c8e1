/**
 * The caller's trades, and candles. The document mentions marketId, candle duration, account ids
 * and client order id, but no operation or record that uses them; both are our own, modelled on the
 * exchange document.
 */
import * as z from 'zod';
import { optional, required } from '../../parameter.ts';
import { list, optionalMember, textId, time } from '../../wire.ts';
import {
  answeredAmount,
  answeredAmountNeg,
  candleDuration,
  marketId,
  timestamp,
} from '../scalars.ts';
import { page, range, rangeErrors, walletOperation } from '../wallet-operation.ts';

const trade = z.object({
  marketId: z.string(),
  sequence: textId,
  orderId: z.string(),
  clientOrderId: optionalMember(z.string()),
  baseAccountId: textId,
  counterAccountId: textId,
  side: z.string(),
  price: answeredAmount,
  volume: answeredAmount,
  baseFee: answeredAmountNeg,
  counterFee: answeredAmountNeg,
  createdAt: time,
});
export type WalletTradeRecord = z.output<typeof trade>;

export const listWalletTrades = walletOperation({
  name: 'listWalletTrades',
  method: 'GET',
  path: '/api/wallet/1/trades',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: "Lists the caller's trades, newest first. The record is ours.",
  parameters: { marketId: optional(marketId, 'only this market'), ...range, ...page },
  errors: ['ErrMarketUnavailable', ...rangeErrors],
  response: z.object({ trades: list(trade) }),
});

export const listWalletCandles = walletOperation({
  name: 'listWalletCandles',
  method: 'GET',
  path: '/api/wallet/1/candles',
  permission: 'MP_None',
  repeat: 'read',
  description: 'Lists the candles of a market, oldest first, at most 1000. The record is ours.',
  parameters: {
    marketId: required(marketId, 'market'),
    duration: required(candleDuration, 'length of one candle'),
    from: required(timestamp, 'only candles that start at this time or later, ms'),
    to: range.to,
  },
  errors: ['ErrMarketUnavailable', ...rangeErrors],
  response: z.object({
    marketId: z.string(),
    duration: z.string(),
    candles: list(
      z.object({
        timestamp: time,
        open: answeredAmount,
        high: answeredAmount,
        low: answeredAmount,
        close: answeredAmount,
        volume: answeredAmount,
      }),
    ),
  }),
});
