/**
 * What the engine asks the store to keep. Every record is plain data: amounts are decimal strings,
 * instants are milliseconds, 64-bit numbers are text.
 *
 * Invariant: a record is written in the same commit as every other record of its batch, before any
 * effect of that batch leaves.
 */
import type { TimeInForce } from './bot-settings.ts';
import type { Side } from './market.ts';
import type { OrderState } from './order.ts';

/** One intent and the order that it became; written whole whenever it changes. */
export type OrderRow = {
  readonly intentId: number;
  readonly strategyId: string;
  /** Unique per strategy for ever. */
  readonly key: string;
  /** The place among the strategy's quotes, if it is one. */
  readonly level: string | undefined;
  readonly pair: string;
  readonly side: Side;
  readonly price: string;
  readonly volume: string;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly clientOrderId: string;
  readonly reason: string;
  readonly createdMs: number;
  /** On the exchange's clock: no attempt may be taken after it. */
  readonly validUntilMs: number;
  readonly state: OrderState;
  readonly orderId: string | undefined;
  readonly attempts: number;
  /** Exchange clock and ttl of the last attempt. */
  readonly lastTimestampMs: number | undefined;
  readonly lastTtlMs: number | undefined;
  /** An attempt had no definite outcome. */
  readonly ambiguous: boolean;
  readonly cancelRequestedMs: number | undefined;
  /** The exchange's own sums, as last read; never smaller than read before. */
  readonly base: string;
  readonly counter: string;
  readonly feeBase: string;
  readonly feeCounter: string;
  readonly completedMs: number | undefined;
};

const takenOverPrefix = 'lost/';

/** Returns the key of an order that was found at the exchange, and that the store did not know. */
export function takenOverKey(clientOrderId: string): string {
  return `${takenOverPrefix}${clientOrderId}`;
}

/** Whether the order is one of {@link takenOverKey}; keys of strategies have no slash. */
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

/** Who has shown a fill. The list of trades books it, the ledger proves it. */
export type Witness = 'user-stream' | 'market-stream' | 'list-of-trades' | 'ledger';

/** One numbered row of an account. */
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
      /** Why an order's state changed: what proved it. */
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
      /** Set when the gate let the intent through. */
      readonly intentId: number | undefined;
      readonly verdict: 'approved' | 'refused';
      /** JSON: the refusals, each with code, observed and limit. */
      readonly refusals: string;
      /** JSON: the numbers that the checks looked at. */
      readonly inputs: string;
      /** The version of the limits; see the record of that kind. */
      readonly limitsHash: string;
    }
  | {
      /** A version of the limits, kept once. */
      readonly kind: 'limits';
      readonly atMs: number;
      readonly hash: string;
      /** JSON: permissions, budgets, limits and accounts, as the hash is made from. */
      readonly limits: string;
    }
  | {
      /** A person's approval of one order, and its use. */
      readonly kind: 'approval';
      readonly atMs: number;
      /** What it is bound to. */
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
  /** What the engine remembers by name, as JSON; written whole whenever it changes. */
  | { readonly kind: 'risk-state'; readonly name: string; readonly state: string }
  | {
      /** Scope is `bot`, `strategy:<id>` or `pair:<pair>`. */
      readonly kind: 'trading-state';
      readonly atMs: number;
      readonly scope: string;
      readonly state: TradingState;
      readonly reason: string;
    };

/** What a run starts from: the store's contents that the engine needs, and nothing else. */
export type Restored = {
  readonly intentIdNext: number;
  /** Orders that are not final, and final ones of the last day, which are still watched. */
  readonly orders: readonly OrderRow[];
  /** Fills of those orders. */
  readonly fills: readonly FillRow[];
  /** Keys of `place` intents that were ever used, per strategy. */
  readonly usedKeys: readonly { readonly strategyId: string; readonly key: string }[];
  /** The mid that the gate saw for each order of the last minutes, in half ticks. */
  readonly judgedMids: readonly { readonly intentId: number; readonly mid2: number }[];
  /** Sums of all fills, per strategy, pair and side. */
  readonly totals: readonly FillTotals[];
  /** Sums of the fills of the current UTC day, for the limits of a day. */
  readonly totalsToday: readonly FillTotals[];
  /** The newest row of each account. */
  readonly ledger: readonly LedgerRow[];
  /** Fills that no ledger row has shown yet: pair, sequence, order. */
  readonly unproven: readonly {
    readonly pair: string;
    readonly sequence: string;
    readonly orderId: string;
  }[];
  /** Ledger rows of trades that were not explained yet, by our fills or by those of others. */
  readonly looseRows: readonly LedgerRow[];
  /** Trades of the last day that the ledger proved and that are not of our orders. */
  readonly foreignTrades: readonly {
    readonly pair: string;
    readonly sequence: string;
    readonly orderId: string;
    readonly tradedMs: number;
  }[];
  readonly strategyStates: readonly { readonly strategyId: string; readonly state: string }[];
  readonly tradingStates: readonly {
    readonly scope: string;
    readonly state: TradingState;
    readonly reason: string;
    readonly atMs: number;
  }[];
  readonly riskStates: readonly { readonly name: string; readonly state: string }[];
  /** Approvals that were not used and have not expired. */
  readonly approvals: readonly { readonly token: string; readonly expiresMs: number }[];
};

export type FillTotals = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly base: string;
  readonly counter: string;
  readonly feeBase: string;
  readonly feeCounter: string;
  readonly count: number;
};

/** What a run that never ran before starts from. */
export const nothingRestored: Restored = {
  intentIdNext: 1,
  orders: [],
  fills: [],
  usedKeys: [],
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

/**
 * Where records go. `commit` is synchronous and all or nothing; it throws StoreError if it fails.
 */
export interface Store {
  commit(records: readonly StoreRecord[], commitNumber: number): void;
  restore(nowMs: number): Restored;
  close(): void;
}
