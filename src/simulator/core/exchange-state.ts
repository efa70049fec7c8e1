/**
 * The whole durable state of the simulated exchange, as plain data that `node:v8` can write.
 *
 * Everything that an answer or a stream message can depend on is in here, except what a restart may
 * forget: open streams, the call counters and the market-data cache.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { AccountTrade } from '../../exchange-accounts/account-order.ts';
import type { ErrorCode } from '../../exchange-api/error-codes.ts';
import type { RevisionLimits } from '../../exchange-api/limits.ts';
import type { OperationName } from '../../exchange-api/operations.ts';
import type { PermissionValues } from '../../exchange-api/permissions.ts';
import type { Account } from './account.ts';
import type { ApiKey } from './api-key.ts';
import type { FeeRates } from './fee-rate.ts';
import type { FlowState } from './flow-state.ts';
import type { MoneyState } from './money-state.ts';
import type { ParticipantsState } from './participants-state.ts';
import type { SimulatedOrder } from './simulated-order.ts';
import type { FeeTier, HistoryBounds } from './simulator-settings.ts';
import type { TradeHistory } from './trade-history.ts';
import type { WalletState } from './wallet-state.ts';

/** The user behind all simulated participants. */
export const houseUserId = 'house';
/** The user who receives the fees. */
export const feesUserId = 'fees';

/** One side of one trade, as list trades answers it to the owner of the order. */
export type ExecutedTrade = AccountTrade & { readonly sequence: bigint };

export type UserMessageEntry = { readonly timeMs: number; readonly frame: string };

/** Traded volume by pair and by days since 1970. */
export type VolumeByDay = Map<string, Map<number, Lots>>;

export type User = {
  readonly id: string;
  readonly fees: FeeRates;
  readonly feeTiers: readonly FeeTier[];
  readonly volumeByDay: VolumeByDay;
  /** False for the exchange's own users: their history is not kept and they have no stream. */
  readonly isRecorded: boolean;
  /** Default account per currency. */
  readonly accountIds: Map<string, string>;
  /** In order of creation, closed ones included. */
  readonly orderIds: string[];
  readonly openOrderIds: Set<string>;
  readonly orderIdByClientOrderId: Map<string, string>;
  readonly trades: ExecutedTrade[];
  /** In order of creation. */
  readonly quoteIds: string[];
  /** The user stream's messages of the last five minutes. */
  messages: UserMessageEntry[];
};

export type MarketState = {
  market: Market;
  /** Sequence of the last message of the market stream. */
  sequence: bigint;
  tradeSequence: bigint;
  lastTradePrice: Ticks | undefined;
  /** When the last message of the market stream was made. */
  lastMessageMicros: number;
  lastChangeMs: number;
  /** Traded volume per minute since 1970, for 24 hours. */
  readonly volumeByMinute: Map<number, Lots>;
  readonly history: TradeHistory;
  /** A market under maintenance is DISABLED too. */
  isUnderMaintenance: boolean;
  readonly participants: ParticipantsState | undefined;
  readonly flow: FlowState | undefined;
};

/** A quote as the exchange keeps it. Base and counter are those of the quote's pair. */
export type Quote = {
  readonly id: string;
  readonly userId: string;
  readonly type: 'BUY' | 'SELL';
  /** As the caller wrote it. */
  readonly pair: string;
  /** The market that it belongs to. */
  readonly market: string;
  readonly baseAmount: Amount;
  readonly counterAmount: Amount;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  state: 'created' | 'exercised' | 'discarded';
};

export type AgendaEntry = {
  micros: number;
  readonly kind: 'move' | 'send' | 'withdrawal' | 'arrival';
  /** What it happens to. */
  readonly id: string;
};

export type ExchangeState = {
  /** Times are microseconds since 1970. */
  timeMicros: number;
  readonly idSeed: bigint;
  orderCount: number;
  /** How often an order entered a book. */
  arrivalCount: number;
  readonly quotes: Map<string, Quote>;
  readonly markets: Map<string, MarketState>;
  readonly users: Map<string, User>;
  readonly accounts: Map<string, Account>;
  /** Orders of recorded users as far as they are remembered, and the open ones of the others. */
  readonly orders: Map<string, SimulatedOrder>;
  readonly keys: Map<string, ApiKey>;
  /** What came in from outside, per currency: the sum over all accounts must stay this. */
  readonly deposited: Map<string, Amount>;
  /** How many ids were given out, see `Exchange.nextId`. */
  idCount: number;
  /** What is due by itself, earliest first. */
  readonly agenda: AgendaEntry[];
  /** States of the world that an operator set, see restrictions.ts. */
  readonly restrictions: Set<string>;
  readonly money: MoneyState;
  readonly wallet: WalletState;
  /** What an operator asked to fail next, oldest first. */
  readonly failures: { readonly operation: OperationName; readonly code: ErrorCode }[];
  readonly limits: RevisionLimits;
  readonly permissionValues: PermissionValues;
  /** How much is remembered; the usual counts unless given. */
  readonly history?: HistoryBounds | undefined;
};
