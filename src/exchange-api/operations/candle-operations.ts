/** Candles: market data that needs a key, unlike the rest of it. */
import * as z from 'zod';
import { candleDurations } from '../../domain/candle-durations.ts';
import type { ErrorCode } from '../error-codes.ts';
import { operation } from '../operation.ts';
import { required, text, timeMs, integer as wholeNumber } from '../parameter.ts';
import { amount, integer, list, time } from '../wire.ts';

const invalid: ErrorCode = 'ErrInvalidArguments';
const seconds = wholeNumber(60, 604_800, invalid);
const duration: typeof seconds = {
  ...seconds,
  parse: (value) => {
    const parsed = seconds.parse(value);
    return candleDurations.find((one) => one === parsed);
  },
  schema: { type: 'integer', enum: candleDurations },
};

export const candles = operation({
  name: 'candles',
  method: 'GET',
  path: '/api/exchange/1/candles',
  repeat: 'read',
  description:
    'Returns the 1000 earliest candles that start at or after since, oldest first. The candle of ' +
    'now is among them (ours). Kept are at least the newest 1000 candles of each duration that ' +
    'had trades, and older ones are forgotten; those between them without trades have no volume ' +
    'and four times the last price (ours).',
  parameters: {
    pair: required(text(20), 'currency pair, base then counter'),
    since: required(timeMs, 'only candles that start at or after this'),
    duration: required(duration, 'seconds of one candle'),
  },
  errors: ['ErrMarketUnavailable', 'ErrInvalidArguments'],
  response: z.object({
    pair: z.string(),
    duration: integer,
    candles: list(
      z.object({
        timestamp: time,
        open: amount,
        close: amount,
        high: amount,
        low: amount,
        volume: amount,
      }),
    ),
  }),
});
