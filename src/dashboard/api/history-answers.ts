/**
 * What the API says about the past: columns for charts, which the server has decimated, and rows.
 * Numbers in columns are only drawn; exact amounts are text.
 */
import * as z from 'zod';
import { fill, orderState, refusalCount } from './bot-status-schema.ts';
import { amount, column, side, time, wholeIn } from './values.ts';

const pointsMax = 10_000;
const pair = z.string().max(30);
const range = {
  pair,
  from: wholeIn(0, 1e15).optional().describe('Milliseconds; the first day if it is missing.'),
  to: wholeIn(0, 1e15).optional().describe('Milliseconds; now if it is missing.'),
  points: wholeIn(10, pointsMax)
    .default(2_000)
    .describe('About how many points to answer: twice the pixels.'),
};
export const historyQuery = z.strictObject({
  ...range,
  strategy: z.string().max(100).optional().describe('All strategies together if it is missing.'),
});
export const fillsQuery = historyQuery;

const covered = {
  pair: z.string(),
  fromMs: time,
  toMs: time,
  firstMs: time.nullable().describe('The first time of which the database knows something.'),
};

export const historyAnswer = z.strictObject({
  ...covered,
  columns: z
    .strictObject({
      timesMs: z.array(time),
      bid: column,
      ask: column,
      ownBid: column.describe("The price of the strategy's best bid."),
      ownAsk: column,
      position: column.describe('In the base currency.'),
      profit: column.describe('In the counter currency, the position valued at the mid.'),
      spread: column.describe('The part of the profit that is distance to the mid at the fills.'),
      fees: column,
      inventory: column.describe('The part of the profit that is moves of the mid.'),
    })
    .describe('All of the same length. Of each stretch of time the lowest and highest are kept.'),
});

export const fillsAnswer = z.strictObject({
  ...covered,
  total: z.int().describe('Fills in this time. More than points: they are combined.'),
  columns: z
    .strictObject({
      timesMs: z.array(time),
      price: column,
      volume: column.describe('Of all fills that the point stands for.'),
      isBid: z.array(z.boolean()),
      isMaker: z.array(z.boolean()),
      intentId: z.array(z.int()).describe('Of the fill whose price the point has.'),
      count: z.array(z.int()).describe('How many fills the point stands for.'),
      markout1s: column.describe(
        'The move of the mid in the second after the fill, in basis points, in our favour if positive.',
      ),
      markout10s: column,
      markout60s: column,
      markout300s: column,
    })
    .describe('By time. Points that stand for several fills have the mean of their markouts.'),
});

export const ordersQuery = z.strictObject({
  before: wholeIn(0, 2 ** 52)
    .optional()
    .describe('Only orders with a lower intent id.'),
  limit: wholeIn(1, 500).default(50),
  pair: pair.optional(),
  strategy: z.string().max(100).optional(),
  state: orderState.optional(),
});

export const orderRow = z.strictObject({
  intentId: z.int(),
  strategyId: z.string(),
  pair: z.string(),
  side,
  price: amount,
  volume: amount,
  filled: amount.describe("The exchange's total for the order, as last read."),
  timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
  isPostOnly: z.boolean(),
  state: orderState,
  reason: z.string(),
  level: z.string().nullable(),
  key: z.string().nullable().describe('The key of an order by key; null for those of a quote.'),
  stop: z
    .strictObject({ direction: z.enum(['ABOVE', 'BELOW']), price: amount })
    .nullable()
    .describe('Where the last trade had to be for it to become a limit order.'),
  expiresMs: time.nullable().describe('When the bot cancels what is left of it.'),
  tag: z.string().nullable().describe("The strategy's word for it."),
  createdMs: time,
  completedMs: time.nullable(),
  orderId: z.string().nullable(),
  clientOrderId: z.string(),
});

export const ordersAnswer = z.strictObject({
  orders: z.array(orderRow).describe('Newest first.'),
  next: z.int().nullable().describe('`before` of the next page; null on the last one.'),
});

export const storyAnswer = z.strictObject({
  order: orderRow,
  sums: z
    .strictObject({ base: amount, counter: amount, feeBase: amount, feeCounter: amount })
    .describe('Exact sums of its fills.'),
  timeline: z.array(
    z.strictObject({
      atMs: time,
      kind: z.enum([
        ...(['intent', 'decision', 'attempt', 'outcome'] as const),
        ...(['cancel', 'state', 'fill', 'ledger'] as const),
      ]),
      clock: z.enum(['bot', 'exchange']),
      text: z.string(),
      details: z
        .array(z.string())
        .optional()
        .describe('Of a decision: the values that the gate judged by.'),
    }),
  ),
  fills: z.array(fill),
});

export const pageQuery = z.strictObject({
  before: wholeIn(0, 2 ** 52)
    .optional()
    .describe('Only rows with a lower id.'),
  limit: wholeIn(1, 500).default(50),
});

export const incidentsAnswer = z.strictObject({
  incidents: z
    .array(z.strictObject({ id: z.int(), atMs: time, code: z.string(), text: z.string() }))
    .describe('Newest first.'),
  next: z.int().nullable(),
});

export const refusalsQuery = z.strictObject({
  since: wholeIn(0, 1e15).optional().describe('Milliseconds; one day ago if it is missing.'),
  limit: wholeIn(1, 500).default(50),
});
export const refusalsAnswer = z.strictObject({
  sinceMs: time,
  counts: z.array(refusalCount.omit({ text: true, by: true })).describe('Most frequent first.'),
  newest: z.array(
    z.strictObject({
      atMs: time,
      strategyId: z.string(),
      pair: z.string(),
      codes: z.array(z.string()),
      text: z.string(),
    }),
  ),
});

export const commandsAnswer = z.strictObject({
  commands: z
    .array(
      z.strictObject({
        id: z.int(),
        atMs: time,
        by: z.string().describe('`user NAME` of the system, or `page NAME`.'),
        command: z.string(),
        scope: z.string().nullable(),
        reason: z.string(),
        outcome: z.enum(['done', 'refused', 'unfinished']),
        text: z.string(),
      }),
    )
    .describe('Newest first.'),
  next: z.int().nullable(),
});

export const daysQuery = z.strictObject({
  pair,
  limit: wholeIn(1, 4_000).default(365).describe('Days, counted back from the newest.'),
});
export const daysAnswer = z.strictObject({
  days: z
    .array(
      z.strictObject({
        day: z.string().describe('UTC, such as 2026-11-20.'),
        fills: z.int(),
        base: amount.describe('Volume traded.'),
        turnover: amount.describe('In the counter currency.'),
        feeBase: amount,
        feeCounter: amount,
        position: z.number().nullable().describe('At the end of the day.'),
        profit: z
          .number()
          .nullable()
          .describe('Since the row before, by the last mid of each day; null if one is not known.'),
      }),
    )
    .describe('Oldest first; days without fills are left out.'),
});

export const logQuery = z.strictObject({
  limit: wholeIn(1, 1_000).default(200),
  level: z.enum(['info', 'warn', 'error']).default('info').describe('The lowest level.'),
});
export const logAnswer = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        atMs: time,
        level: z.string(),
        topic: z.string().nullable(),
        text: z.string(),
      }),
    )
    .describe('The newest lines of the log file, newest first.'),
});

export type HistoryAnswer = z.infer<typeof historyAnswer>;
export type FillsAnswer = z.infer<typeof fillsAnswer>;
export type OrderListRow = z.infer<typeof orderRow>;
export type OrdersAnswer = z.infer<typeof ordersAnswer>;
export type StoryAnswer = z.infer<typeof storyAnswer>;
export type IncidentsAnswer = z.infer<typeof incidentsAnswer>;
export type RefusalsAnswer = z.infer<typeof refusalsAnswer>;
export type CommandsAnswer = z.infer<typeof commandsAnswer>;
export type DaysAnswer = z.infer<typeof daysAnswer>;
export type LogAnswer = z.infer<typeof logAnswer>;
