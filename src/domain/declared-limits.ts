/**
 * Every limit of the settings, declared once. The settings reader, the schemas, the pages, the
 * defaults, the presets, the texts of refusals and the lists of uses are made from this table. A
 * new limit is an entry here and a check that compares with it and tells one of its codes; if
 * orders add up to it, also a figure in `risk/limit-uses.ts`.
 *
 * Values are in the form in which a file gives them; {@link LimitValues} has that of settings that
 * were read. The order is that of the pages, and of the hash of the limits.
 *
 * Invariant: a default only narrows what the limits without one allow. It is a breaker, a rate, or
 * the same amount again; no default allows an order that the required limits would refuse.
 */

/**
 * What happens when a breaker trips. `refuse` and `cancel` end with their cause; `reduce` and
 * `halt` last until a person resumes, even across restarts.
 */
export type BreakerAction = 'refuse' | 'cancel' | 'reduce' | 'halt';

/** Trips at more than `max` events within a time span. */
export type Breaker = {
  readonly max: number;
  /** At most an hour. */
  readonly withinMs: number;
  readonly action: BreakerAction;
};

/** The value of a limit in settings that were read, by its kind. */
export type LimitValues = {
  /** Decimal text by currency. Orders in any other currency are refused. */
  amounts: Readonly<Record<string, string>>;
  /** Decimal text in the base currency of the pair. */
  amount: string;
  /** A fraction as decimal text: "0.02" for 2 %. */
  share: string;
  count: number;
  /** Milliseconds. */
  span: number;
  action: BreakerAction;
  breaker: Breaker;
  /** How many may be alike that were placed within the time. */
  identical: { readonly max: number; readonly withinMs: number };
  /** How many in a row, and how long a pause follows more. */
  losses: { readonly max: number; readonly coolDownMs: number };
};

type Written = string | number | Readonly<Record<string, string | number>>;

type Limit = {
  readonly kind: keyof LimitValues;
  readonly meaning: string;
  /** As text of a file; of amounts, the digits of one currency. */
  readonly example: string;
  /** What applies outside mode live if a file leaves it out. */
  readonly default?: Written;
  /** Instead of a default: the limit of the account, or of the pair, whose value applies. */
  readonly like?: string;
  /** The value of the preset, if it is not the default. Of amounts, a percentage of the budgets. */
  readonly learner?: Written;
  /** The bounds of a count, a span (in milliseconds) or a share. */
  readonly min?: number;
  readonly max?: number;
  /** What it counts, unless its kind says it. */
  readonly unit?: string;
  /** By code of a refusal: what is compared with the limit, as the start of the sentence. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** A value that equals the limit is already refused. */
  readonly refusesEqual?: true;
};

type Section = Readonly<Record<string, Limit>>;

const dayMs = 86_400_000;

/** Of the whole account. */
const account = {
  openNotionalMax: {
    ...{ kind: 'amounts', example: '50000', learner: 100 },
    meaning:
      'Value of all open orders, by counter currency. Orders in an unknown state count as open.',
    refusals: { OPEN_NOTIONAL: 'the value of all open orders including this one' },
  },
  turnoverDayMax: {
    ...{ kind: 'amounts', example: '200000', learner: 10_000 },
    meaning: 'Value traded in a UTC day, as if every open order filled.',
    refusals: { TURNOVER_DAY: "today's turnover if all open orders fill" },
  },
  lossDayMax: {
    ...{ kind: 'amounts', example: '1500', learner: 10, refusesEqual: true },
    meaning: 'Loss in a UTC day. Once it is reached, only orders that reduce a position pass.',
    refusals: { LOSS_DAY: "the loss of today's trades" },
  },
  drawdownMax: {
    ...{ kind: 'amounts', example: '1500', like: 'lossDayMax', learner: 10, refusesEqual: true },
    meaning: 'The largest fall of the profit from its highest point.',
    refusals: { DRAWDOWN: 'the fall of profit from its peak' },
  },
  onLoss: {
    ...{ kind: 'action', example: 'halt', default: 'refuse', learner: 'halt' },
    meaning:
      'The action at lossDayMax or drawdownMax. An order that only reduces a position passes, except after halt.',
  },
  collarBudgetMax: {
    ...{ kind: 'amounts', example: '1500', like: 'openNotionalMax', learner: 10 },
    meaning: 'Distance from the mid times volume, summed over the orders of five minutes.',
    refusals: {
      COLLAR_BUDGET: 'the total deviation from the mid (distance × volume) within five minutes',
    },
  },
  approveAbove: {
    ...{ kind: 'amounts', example: '1500', like: 'openNotionalMax', learner: 25 },
    meaning: 'An order of a higher value needs the approval of a person.',
    refusals: { APPROVAL: "the order's value" },
  },
  feeBuffer: {
    ...{ kind: 'share', example: '"1%"', default: '1%' },
    meaning:
      'Share of the value of a bid that stays free for a fee beside it. The fee of an ask is taken from what it receives.',
  },
  ordersOpenMax: {
    ...{ kind: 'count', max: 1_000, example: '10', learner: 20 },
    meaning: 'Open orders at once.',
    refusals: { ORDERS_OPEN: 'the number of open orders including this one' },
  },
  ordersPerSecondMax: {
    ...{ kind: 'count', max: 10_000, example: '10', default: 20, learner: 10 },
    meaning: 'New orders in any second.',
    refusals: { ORDERS_PER_SECOND: 'the number of orders of all strategies within one second' },
  },
  ordersPerMinuteMax: {
    ...{ kind: 'count', max: 10_000, example: '60', learner: 120 },
    meaning: 'New orders in any 60 seconds.',
    refusals: { ORDERS_PER_MINUTE: 'the number of orders of all strategies within one minute' },
  },
  intentAgeMsMax: {
    ...{ kind: 'span', max: 3_600_000, example: '"10s"', default: '10s' },
    meaning: 'The longest time from an intent to place an order until the gate checks it.',
    refusals: { AGE: 'the age of the intent' },
  },
  orderAgeMsMax: {
    ...{ kind: 'span', min: 1_000, max: 30 * dayMs, example: '"1h"', default: '24h' },
    meaning: 'The longest time that an order may rest. Then it is cancelled.',
  },
} as const satisfies Section;

/** Of each strategy alone; the same for all strategies. */
const eachStrategy = {
  openNotionalMax: {
    ...{ kind: 'amounts', example: '1500', like: 'openNotionalMax', learner: 100 },
    meaning: 'Value of the open orders of the strategy.',
    refusals: { UNEXECUTED: "the value of the strategy's open orders including this one" },
  },
  ordersPerSecondMax: {
    ...{ kind: 'count', max: 10_000, example: '6', default: 10 },
    meaning: 'New orders in any second.',
    refusals: { STRATEGY_PER_SECOND: 'the number of orders of the strategy within one second' },
  },
  ordersPerMinuteMax: {
    ...{ kind: 'count', max: 10_000, example: '120', like: 'ordersPerMinuteMax', learner: 120 },
    meaning: 'New orders in any 60 seconds.',
    refusals: { STRATEGY_PER_MINUTE: 'the number of orders of the strategy within one minute' },
  },
  cancelShareMax: {
    ...{ kind: 'share', max: 10, unit: 'cancels for each order' },
    ...{ example: '"200%"', default: '200%' },
    meaning: 'Cancels for each order of the last hour.',
    refusals: { CANCEL_SHARE: 'the number of cancels per order in the last hour' },
  },
  ordersPerFillMax: {
    ...{ kind: 'count', max: 100_000, unit: 'orders for each fill' },
    ...{ example: '2000', default: 5_000 },
    meaning: 'Orders for each fill of the last hour.',
    refusals: { ORDERS_PER_FILL: 'the number of orders per fill in the last hour' },
  },
  // Requoting cancels the old order first; an order that is being cancelled does not count.
  identical: {
    ...{ kind: 'identical', example: '{ max: 1, within: "2s" }' },
    default: { max: 1, within: '2s' },
    meaning: 'Identical orders that may be open at once and were placed within this time.',
    refusals: { DUPLICATE: 'the number of identical live orders including this one' },
  },
  fills: {
    ...{ kind: 'breaker', unit: 'fills', example: '{ max: 1000, within: "10m", action: halt }' },
    default: { max: 1_000, within: '10m', action: 'halt' },
    meaning: 'A breaker that counts fills of the strategy.',
    refusals: { REPEATED_FILLS: "the strategy's number of fills within the configured span" },
  },
  rejections: {
    ...{ kind: 'breaker', unit: 'rejections', example: '{ max: 5, within: "60s", action: halt }' },
    default: { max: 5, within: '60s', action: 'halt' },
    meaning:
      'A breaker that counts orders of the strategy that the exchange rejected. ' +
      'A post-only order that would have traded counts if the last order of its level was rejected for that, too.',
    refusals: { REJECTIONS: "the strategy's number of rejected orders within the configured span" },
  },
  refusals: {
    ...{ kind: 'breaker', unit: 'refusals', example: '{ max: 300, within: "60s", action: halt }' },
    default: { max: 600, within: '60s', action: 'halt' },
    meaning: 'A breaker that counts orders of the strategy that the gate refused.',
    refusals: { REFUSALS: "the strategy's number of refused orders within the configured span" },
  },
  losingTrades: {
    ...{ kind: 'losses', unit: 'trades', example: '{ max: 20, coolDown: "60s" }' },
    default: { max: 50, coolDown: '60s' },
    meaning:
      'After more losing trades in a row on a pair, the strategy opens no position there for a time.',
    refusals: { COOL_DOWN: 'the cool-down after losing trades lasts another' },
  },
} as const satisfies Section;

/** Of one pair. Orders of any other pair are refused. */
const pairs = {
  orderBaseMax: {
    ...{ kind: 'amount', example: '"0.02"', learner: 10 },
    meaning: 'Volume of one order, in the base currency.',
    refusals: { ORDER_VOLUME: "the order's volume" },
  },
  positionBaseMax: {
    ...{ kind: 'amount', example: '"0.05"', learner: 100 },
    meaning: 'Position in the base currency, including open orders.',
    refusals: { POSITION: 'the worst-case position with this order' },
  },
  collar: {
    ...{ kind: 'share', example: '"2%"', learner: '2%' },
    meaning:
      'The largest distance of a price from the mid and from the median trade price of the last minute; ' +
      'of a stop-limit order, from its stop price.',
    refusals: {
      COLLAR_MID: "the price's relative distance from the mid",
      COLLAR_TRADES: "the price's relative distance from the median trade",
      COLLAR_STOP: "the limit price's relative distance from the stop price",
    },
  },
  slippageMax: {
    ...{ kind: 'share', example: '"1%"', like: 'collar', learner: '1%' },
    meaning: 'The largest distance of the average price of a taker order from the mid.',
    refusals: { SLIPPAGE: "the average price's relative distance from the mid" },
  },
  depthShareMax: {
    ...{ kind: 'share', example: '"10%"', default: '10%' },
    meaning: "The largest share of the other side's best 100 levels that one taker order may take.",
    refusals: { DEPTH_SHARE: "the order's share of the volume on the best 100 levels" },
  },
  bookAgeMsMax: {
    // The longest candle is a day.
    ...{ kind: 'span', max: 2 * dayMs, example: '"3s"', learner: '5s' },
    meaning: 'The longest time without a message from the exchange. After it, orders are refused.',
    refusals: { BOOK_STALE: 'the age of the order book' },
  },
} as const satisfies Section;

/** The sections of `limits` in a file; `pairs` is the section of each pair. */
export type LimitSections = {
  account: typeof account;
  eachStrategy: typeof eachStrategy;
  pairs: typeof pairs;
};

type ValuesOf<S extends Section> = { readonly [Name in keyof S]: LimitValues[S[Name]['kind']] };

export type AccountLimits = ValuesOf<typeof account>;
export type EachStrategyLimits = ValuesOf<typeof eachStrategy>;
export type PairLimits = ValuesOf<typeof pairs>;

export type Limits = {
  readonly account: AccountLimits;
  readonly eachStrategy: EachStrategyLimits;
  readonly pairs: Readonly<Record<string, PairLimits>>;
};

/** A limit with its names. */
export type DeclaredLimit = Limit & {
  /** The name in {@link Limits}. */
  readonly name: string;
  /** The key in its section of a file, and the whole path with `<pair>` for a pair. */
  readonly key: string;
  readonly path: string;
};

/** The limits of each section, in the order of the files. */
export const declaredLimits: Readonly<Record<keyof LimitSections, readonly DeclaredLimit[]>> = {
  account: named('account', account),
  eachStrategy: named('eachStrategy', eachStrategy),
  pairs: named('pairs.<pair>', pairs),
};

function named(path: string, section: Section): readonly DeclaredLimit[] {
  return Object.entries(section).map(([name, limit]) => {
    const key = keyOf(name);
    return { ...limit, name, key, path: `limits.${path}.${key}` };
  });
}

/** Returns the key in a file: a value there has its unit, and here the name says milliseconds. */
export function keyOf(name: string): string {
  return name.replace('Ms', '');
}

/** Whether a file must have the limit in every mode. */
export function isRequired(limit: DeclaredLimit): boolean {
  return limit.default === undefined && limit.like === undefined;
}
