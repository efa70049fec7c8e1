/** Candles. Unlike other market data, they need a key. */
import * as z from 'zod';
import { candleDurations } from '../../../../domain/candle-durations.ts';
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
    'Returns the 1000 earliest candles that start at or after since, oldest first, including the ' +
    'current one (ours). At least the newest 1000 candles with trades of each duration are kept; ' +
    'older ones are discarded. A candle without trades between them has volume 0 and the last ' +
    'price four times (ours). The simulator makes up 400 days of candles from before its start, ' +
    'in markets with participants.',
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
