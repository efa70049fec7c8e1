/**
 * The records that the engine writes to the store. They are plain data: amounts are decimal
 * strings, times are milliseconds, 64-bit numbers are text.
 *
 * Invariant: all records of a batch are written in one commit, before any effect of the batch is
 * released.
 */
import type { TimeInForce } from './bot-settings.ts';
import type { StopCondition } from './limit-order.ts';
import type { Side } from './market.ts';
import type { OrderState } from './order.ts';

/** One intent and its order; the whole row is written whenever it changes. */
export type OrderRow = {
  readonly intentId: number;
  readonly strategyId: string;
  /** Unique for the strategy, for all time. */
  readonly key: string;
  /** The level of a quote; undefined for other orders. */
  readonly level: string | undefined;
  /** The strategy's word for it. */
  readonly tag: string | undefined;
  readonly pair: string;
  readonly side: Side;
  readonly price: string;
  readonly volume: string;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** The stop of a stop-limit order; undefined for other orders. */
  readonly stopDirection: StopCondition['direction'] | undefined;
  readonly stopPrice: string | undefined;
  /** What a market order pays; undefined for other orders. See `LimitOrder`. */
  readonly pays: string | undefined;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly clientOrderId: string;
  readonly reason: string;
  readonly createdMs: number;
  /** The exchange's time after which it accepts no attempt. */
  readonly validUntilMs: number;
  /** When the bot cancels what is left of it, by our clock. */
  readonly expiresMs: number | undefined;
  readonly state: OrderState;
  readonly orderId: string | undefined;
  readonly attempts: number;
  /** Timestamp (exchange clock) and time to live of the last attempt. */
  readonly lastTimestampMs: number | undefined;
  readonly lastTtlMs: number | undefined;
  /** Whether an attempt had no definite outcome. */
  readonly ambiguous: boolean;
  readonly cancelRequestedMs: number | undefined;
  /** The exchange's totals for the order, as last read; they never decrease. */
  readonly base: string;
  readonly counter: string;
  readonly feeBase: string;
  readonly feeCounter: string;
  readonly completedMs: number | undefined;
};

const takenOverPrefix = 'lost/';

/** Returns the key of an order that was found at the exchange but is not in the store. */
export function takenOverKey(clientOrderId: string): string {
  return `${takenOverPrefix}${clientOrderId}`;
}

/** Returns whether the key is from {@link takenOverKey}; no part of a strategy has that name. */
export function isTakenOver({ key }: Pick<OrderRow, 'key'>): boolean {
  return key.startsWith(takenOverPrefix);
}

/** One trade of one of our orders; key (pair, sequence, orderId). */
export type FillRow = {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
  readonly intentId: number;
  readonly strategyId: string;
  readonly side: Side;
  readonly price: string;
  readonly volume: string;
  readonly base: string;
  readonly counter: string;
  readonly feeBase: string;
  readonly feeCounter: string;
  /** The exchange's time of the trade. */
  readonly tradedMs: number;
  readonly maker: boolean;
};

/** The mid around a fill, as far as known. Same key as the fill. */
export type FillMids = {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
  readonly strategyId: string;
  /** The last one before the trade. */
  readonly mid: string | undefined;
  /** The distance of the price from that mid times the volume, positive if it is in our favour. */
  readonly spread: string | undefined;
  /** Those at 1, 10, 60 and 300 seconds after the trade. */
  readonly mid1s: string | undefined;
  readonly mid10s: string | undefined;
  readonly mid60s: string | undefined;
  readonly mid300s: string | undefined;
};

/** The source that showed a fill. The list of trades books it, the ledger proves it. */
export type Witness = 'user-stream' | 'market-stream' | 'list-of-trades' | 'ledger';

/** One numbered row of an account's ledger. */
export type LedgerRow = {
  readonly accountId: string;
  readonly rowIndex: number;
  readonly currency: string;
  readonly kind: string;
  readonly balance: string;
  readonly balanceDelta: string;
  readonly available: string;
  readonly availableDelta: string;
  readonly pair: string | undefined;
  readonly sequence: string | undefined;
  readonly description: string;
  readonly timestampMs: number;
};

export type TradingState = 'ACTIVE' | 'REDUCING' | 'HALTED';

export type Incident = {
  readonly atMs: number;
  /** A stable name, e.g. `LEDGER_GAP`. */
  readonly code: string;
  readonly text: string;
};

export type StoreRecord =
  | { readonly kind: 'order'; readonly row: OrderRow }
  | {
      /** What proved an order's new state. */
      readonly kind: 'evidence';
      readonly intentId: number;
      readonly atMs: number;
      readonly state: OrderState;
      readonly proof: string;
    }
  | {
      readonly kind: 'decision';
      readonly atMs: number;
      readonly strategyId: string;
      readonly pair: string;
      readonly key: string;
      /** Undefined if the gate refused the order. */
      readonly intentId: number | undefined;
      readonly verdict: 'approved' | 'refused';
      /** JSON: the refusals, each with code, observed value and limit. */
      readonly refusals: string;
      /** JSON: the inputs of the checks. */
      readonly inputs: string;
      /** The version of the limits, see the `limits` record. */
      readonly limitsHash: string;
    }
  | {
      /** A version of the limits, stored once. */
      readonly kind: 'limits';
      readonly atMs: number;
      readonly hash: string;
      /** JSON: permissions, budgets, limits and accounts, the input of the hash. */
      readonly limits: string;
    }
  | {
      /** A person's approval of one order, or its use. */
      readonly kind: 'approval';
      readonly atMs: number;
      /** Identifies the order that it is for. */
      readonly token: string;
      readonly event: 'given' | 'used';
      readonly expiresMs: number;
      readonly reason: string;
    }
  | {
      readonly kind: 'attempt';
      readonly intentId: number;
      readonly number: number;
      readonly atMs: number;
      readonly timestampMs: number;
      readonly ttlMs: number;
    }
  | {
      readonly kind: 'outcome';
      readonly intentId: number;
      readonly number: number;
      readonly atMs: number;
      readonly outcome: string;
      readonly detail: string;
    }
  | { readonly kind: 'fill'; readonly row: FillRow }
  | {
      readonly kind: 'witness';
      readonly pair: string;
      readonly sequence: string;
      readonly orderId: string;
      readonly witness: Witness;
    }
  | { readonly kind: 'ledger-row'; readonly row: LedgerRow }
  | { readonly kind: 'incident'; readonly incident: Incident }
  | {
      readonly kind: 'idle';
      readonly atMs: number;
      readonly strategyId: string;
      readonly pair: string;
      readonly reason: string;
    }
  | { readonly kind: 'strategy-state'; readonly strategyId: string; readonly state: string }
  /** State that the engine keeps by name, as JSON; written as a whole whenever it changes. */
  | { readonly kind: 'risk-state'; readonly name: string; readonly state: string }
  | {
      /** The scope is `bot`, `strategy:<id>` or `pair:<pair>`. */
      readonly kind: 'trading-state';
      readonly atMs: number;
      readonly scope: string;
      readonly state: TradingState;
      readonly reason: string;
    }
  | {
      /** The best prices of a market; one a minute while its book is usable. */
      readonly kind: 'market-sample';
      readonly atMs: number;
      readonly pair: string;
      readonly bid: string;
      readonly ask: string;
    }
  | { readonly kind: 'fill-mids'; readonly row: FillMids }
  | {
      /** What an operator did, and how it ended. */
      readonly kind: 'operator-command';
      readonly atMs: number;
      /** `user NAME` or `page NAME`; empty if the program that asked did not say. */
      readonly askedBy: string;
      readonly command: string;
      readonly scope: string | undefined;
      readonly reason: string;
      readonly outcome: 'done' | 'refused' | 'unfinished';
      /** The bot's answer. */
      readonly text: string;
    };

/** The contents of the store that the engine needs at a start. */
export type Restored = {
  readonly intentIdNext: number;
  /** Orders that are not final, and final orders of the last day, which are still watched. */
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
  /** All used keys of `place` intents, by strategy. */
  readonly usedKeys: readonly { readonly strategyId: string; readonly key: string }[];
  /**
   * What the newest orders of `place` intents with fills have traded, oldest first, except those of
   * `orders`; missing in older journals. See `keptFills`.
   */
  readonly earlierTraded?: readonly (Pick<OrderRow, 'strategyId' | 'pair' | 'key'> &
    Pick<FillRow, 'base' | 'counter' | 'feeBase' | 'feeCounter'>)[];
  /** The mid at the gate's check of each order of the last minutes, in half ticks. */
  readonly judgedMids: readonly { readonly intentId: number; readonly mid2: number }[];
  /** Totals of all fills, by strategy, pair and side. */
  readonly totals: readonly FillTotals[];
  /** Totals of the fills of the current UTC day, for daily limits. */
  readonly totalsToday: readonly FillTotals[];
  /** The newest row of each account. */
  readonly ledger: readonly LedgerRow[];
  /** Fills without a ledger row so far. */
  readonly unproven: readonly Pick<FillRow, 'pair' | 'sequence' | 'orderId'>[];
  /** Ledger rows of trades, of our orders or of others, without a matching fill so far. */
  readonly looseRows: readonly LedgerRow[];
  /** Trades of the last day that the ledger has proven and that belong to orders of others. */
  readonly foreignTrades: readonly Pick<FillRow, 'pair' | 'sequence' | 'orderId' | 'tradedMs'>[];
  readonly strategyStates: readonly { readonly strategyId: string; readonly state: string }[];
  readonly tradingStates: readonly {
    readonly scope: string;
    readonly state: TradingState;
    readonly reason: string;
    readonly atMs: number;
  }[];
  readonly riskStates: readonly { readonly name: string; readonly state: string }[];
  /** Approvals that are neither used nor expired. */
  readonly approvals: readonly { readonly token: string; readonly expiresMs: number }[];
};

export type FillTotals = Pick<
  FillRow,
  'strategyId' | 'pair' | 'side' | 'base' | 'counter' | 'feeBase' | 'feeCounter'
> & { readonly count: number };

/** The restored state of a first run. */
export const nothingRestored: Restored = {
  intentIdNext: 1,
  orders: [],
  fills: [],
  usedKeys: [],
  earlierTraded: [],
  judgedMids: [],
  totals: [],
  totalsToday: [],
  ledger: [],
  unproven: [],
  looseRows: [],
  foreignTrades: [],
  strategyStates: [],
  tradingStates: [],
  riskStates: [],
  approvals: [],
};

/** Stores records. Writing is synchronous and atomic, and throws StoreError if it fails. */
export interface Store {
  commit(records: readonly StoreRecord[], commitNumber: number): void;
  /** Writes records that no restart needs, so they were left out of their commit. */
  explain(records: readonly StoreRecord[]): void;
  restore(nowMs: number): Restored;
  close(): void;
}
