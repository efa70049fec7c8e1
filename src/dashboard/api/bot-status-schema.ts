/**
 * The schema of {@link BotStatus}, for the documentation of the API and the test of its answers.
 * The type is written by hand in the domain, which has no schemas; the compiler compares the two.
 */
import * as z from 'zod';
import type { BotStatus } from '../../domain/bot-status.ts';
import { tradingBlockKinds } from '../../domain/trading-block.ts';
import { amount, side, time } from './values.ts';

const tradingState = z.enum(['ACTIVE', 'REDUCING', 'HALTED']);
export const orderState = z.enum([
  ...(['waiting', 'sending', 'unknown', 'open', 'completing'] as const),
  ...(['filled', 'cancelled', 'rejected', 'absent', 'unsent'] as const),
]);

export const scopeState = z.strictObject({
  scope: z.string().describe('`bot`, `strategy:<id>` or `pair:<pair>`.'),
  state: tradingState,
  reason: z.string(),
  sinceMs: time,
});

const remedy = z
  .union([
    z.strictObject({ command: z.literal('resume'), scope: z.string() }),
    z.strictObject({ command: z.literal('approve'), token: z.string() }),
  ])
  .exactOptional();

export const tradingBlock = z.strictObject({
  strategyId: z.string(),
  pair: z.string(),
  kind: z.enum(tradingBlockKinds),
  sinceMs: time,
  reason: z.string().describe('A clause, such as `bot is HALTED: news`.'),
  ends: z.string().describe('When it ends, as a clause after "ends".'),
  remedy,
  only: z
    .enum(['BID', 'ASK', 'some'])
    .exactOptional()
    .describe('Only where other orders may be placed: the side whose orders are not, or some.'),
});

const ladderLevel = z.strictObject({
  price: amount,
  volume: amount.describe('The volume of all orders in the book, our own included if they are.'),
  own: amount.describe('The volume of our own orders that the exchange has accepted.'),
});

const ownOrder = z.strictObject({
  intentId: z.int(),
  strategyId: z.string(),
  side,
  price: amount,
  volume: amount,
  remaining: amount,
  state: orderState,
  isCancelling: z.boolean(),
  createdMs: time,
  clientOrderId: z.string(),
  orderId: z.string().nullable(),
  aheadVolume: amount
    .nullable()
    .describe('The volume at the same price that is filled before ours; null if not known.'),
  aheadOrders: z.int().nullable(),
  level: z.string().nullable().describe('The level of a quote; null for other orders.'),
  key: z.string().nullable().describe('The key of an order by key; null for those of a quote.'),
  stop: z
    .strictObject({
      direction: z.enum(['ABOVE', 'BELOW']),
      price: amount,
      isAwaiting: z.boolean().describe('Whether it is not known to have become a limit order.'),
    })
    .nullable()
    .describe('It waits until the last trade is there; null for an order without a stop.'),
  expiresMs: time.nullable().describe('When the bot cancels what is left of it.'),
});

const market = z.strictObject({
  pair: z.string(),
  base: z.string(),
  counter: z.string(),
  priceScale: z.int(),
  volumeScale: z.int(),
  isUsable: z.boolean(),
  unusableReason: z.string().nullable(),
  bookAgeMs: z.number().nullable(),
  bid: amount.nullable(),
  ask: amount.nullable(),
  mid: amount.nullable(),
  spreadBps: z.number().nullable(),
  bids: z.array(ladderLevel),
  asks: z.array(ladderLevel),
  ownOrders: z.array(ownOrder),
  lastTrade: z.strictObject({ price: amount, side, atMs: time }).nullable(),
});

const share = z.number().describe('A share, from 0 to 1.');

const strategy = z.strictObject({
  strategyId: z.string(),
  onlyWatches: z
    .literal(true)
    .exactOptional()
    .describe('Only of a strategy that trades no pair, on each pair that it watches.'),
  plugin: z.string(),
  pair: z.string(),
  base: z.string(),
  counter: z.string(),
  status: z.enum(['starting', 'running', 'ended', 'done', 'failed']),
  note: z.string().nullable(),
  position: amount,
  profit: amount.nullable(),
  fees: amount.nullable(),
  fills: z.int(),
  profitParts: z
    .strictObject({
      spread: amount,
      fees: amount,
      inventory: amount,
      fillsWithoutMid: z
        .int()
        .describe('Fills whose mid is not known; their distance to it is in the inventory.'),
    })
    .nullable()
    .describe('Profit = spread − fees + inventory; null without a mid.'),
  presence: z.strictObject({
    sampledEveryMs: z.number().describe('The shares are from samples this far apart.'),
    seconds: z.number(),
    bidQuoted: share,
    askQuoted: share,
    bothQuoted: share,
    bidAtTouch: share,
    askAtTouch: share,
  }),
});

const feed = z.strictObject({
  name: z.string(),
  values: z
    .record(z.string(), amount)
    .nullable()
    .describe('The last values by name, also of a stale feed.'),
  receivedMs: time.nullable(),
  problem: z.string().nullable().describe('Why it has no value that can be used.'),
});

const series = z.strictObject({
  strategyId: z.string(),
  kind: z.enum(['metric', 'plot']),
  name: z.string(),
  pair: z.string().nullable().describe('The pair on whose chart a plot is drawn.'),
  pane: z.string().nullable().describe('The title of its pane; null for a plot over the prices.'),
  last: z.number(),
  lastMs: time,
  min: z.number(),
  max: z.number(),
  count: z.int(),
  leftOut: z.int().describe('Values that came too fast.'),
  timesMs: z.array(time).describe('Of the newest values, at most one in ten seconds.'),
  values: z.array(z.number()),
});

const waitingOrder = z.strictObject({
  strategy: z.string(),
  pair: z.string(),
  side,
  price: amount,
  volume: amount,
  reason: z.enum(['call limit', 'order rate']),
  waitedMs: z.number(),
  leavesInMs: z.number(),
  clientOrderId: z.string(),
  restsAt: amount.nullable().describe('The price of the order that rests until then.'),
  text: z.string(),
});

export const refusalCount = z.strictObject({
  strategyId: z.string(),
  code: z.string(),
  by: z.enum(['gate', 'exchange']),
  count: z.int(),
  lastMs: time,
  text: z.string(),
});

export const balance = z.strictObject({
  currency: z.string(),
  balance: amount,
  available: amount,
});

export const fill = z.strictObject({
  strategyId: z.string(),
  pair: z.string(),
  side,
  price: amount,
  volume: amount,
  fee: amount,
  feeCurrency: z.string(),
  isMaker: z.boolean(),
  intentId: z.int(),
  tradedMs: time.describe("The exchange's time of the trade."),
});

const notice = z.strictObject({
  level: z.enum(['info', 'warn', 'alarm']),
  topic: z.enum([
    ...(['quote', 'order', 'fill', 'refusal', 'idle', 'stream', 'reconcile'] as const),
    ...(['strategy', 'print', 'log', 'incident', 'state'] as const),
  ]),
  text: z.string(),
  remedy,
  atMs: time,
});

const parameter = z.strictObject({
  name: z.string(),
  value: z.string().describe('What holds now, as the settings would have it.'),
  description: z.string(),
  unit: z.string().nullable(),
  range: z.string().nullable().describe('In words.'),
  mayChange: z.boolean().describe('Whether the command set may change it.'),
  changed: z
    .strictObject({
      was: z.string().describe('The value of the settings file.'),
      atMs: time,
      by: z.string(),
      reason: z.string(),
    })
    .nullable()
    .describe('Its last change in this run.'),
});

export const botStatus = z.strictObject({
  bot: z.string(),
  mode: z.enum(['demo', 'paper', 'live']),
  ordersGoTo: z.enum(['simulator', 'replay', 'exchange']),
  pid: z.int(),
  run: z.int(),
  startedMs: time,
  atMs: time.describe('When this status was composed.'),
  configHash: z.string(),
  state: tradingState,
  states: z.array(scopeState).describe('Scopes that are not ACTIVE.'),
  notTrading: z.array(tradingBlock),
  stopping: z.string().nullable().describe('Why the bot has been asked to stop.'),
  isReconciled: z.boolean(),
  areBooksUsable: z.boolean(),
  waitingMs: z.number(),
  markets: z.array(market),
  strategies: z.array(strategy),
  parameters: z.array(z.strictObject({ strategyId: z.string(), parameters: z.array(parameter) })),
  series: z.array(series).describe('The metrics and plots of strategies in this run.'),
  feeds: z.array(feed).describe('The series from outside of the exchange.'),
  limits: z.array(
    z.strictObject({
      key: z.string(),
      scope: z.string(),
      used: amount.nullable().describe('Null if not known now, or for a limit of single orders.'),
      max: amount,
      unit: z.string(),
      share: z.number(),
      isPerOrder: z.boolean(),
    }),
  ),
  calls: z.strictObject({
    perMinute: z.int().nullable(),
    forOrders: z.number().nullable(),
    waits: z.array(waitingOrder),
  }),
  orders: z.strictObject({
    live: z.int(),
    unknown: z.int(),
    accepted: z.int(),
    rejected: z.int(),
  }),
  latency: z
    .strictObject({
      attempts: z.int(),
      p50Ms: z.number(),
      p95Ms: z.number(),
      p99Ms: z.number(),
    })
    .nullable(),
  refusals: z.array(refusalCount),
  balances: z.array(balance),
  fills: z.array(fill),
  notices: z.array(notice),
});

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
/** Does not compile if the schema and the type differ. */
export const isStatusDeclared: Equal<Frozen<z.infer<typeof botStatus>>, BotStatus> = true;
