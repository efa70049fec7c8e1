/**
 * The durable state of the simulated exchange: plain data that `node:v8` can serialize.
 *
 * It holds everything that an answer or a stream message depends on, except what a restart may
 * lose: open streams, rate-limit counters and the market-data cache.
 */
import type { Amount } from '../../../../domain/amount.ts';
import type { Market } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import type { AccountTrade } from '../../../../exchange-accounts/account-order.ts';
import type { ErrorCode } from '../../api/error-codes.ts';
import type { RevisionLimits } from '../../api/limits.ts';
import type { OperationName } from '../../api/operations.ts';
import type { PermissionValues } from '../../api/permissions.ts';
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

/** One side of a trade, as listtrades returns it to the owner of the order. */
export type ExecutedTrade = AccountTrade & { readonly sequence: bigint };

export type UserMessageEntry = { readonly timeMs: number; readonly frame: string };

/** Traded volume by pair, then by day (days since 1970). */
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
  /** In order of creation, including closed orders. */
  readonly orderIds: string[];
  readonly openOrderIds: Set<string>;
  readonly orderIdByClientOrderId: Map<string, string>;
  readonly trades: ExecutedTrade[];
  /** In order of creation. */
  readonly quoteIds: string[];
  /** Messages of the user stream from the last five minutes; user-feed.ts bounds them. */
  messages: UserMessageEntry[];
  /** Characters in the frames of `messages`, which are bytes: frames are ASCII. */
  messageBytes: number;
};

export type MarketState = {
  market: Market;
  /** Sequence of the last message of the market stream. */
  sequence: bigint;
  tradeSequence: bigint;
  lastTradePrice: Ticks | undefined;
  /** When the last message of the market stream was created. */
  lastMessageMicros: number;
  lastChangeMs: number;
  /** Traded volume of the last 24 hours by minute (minutes since 1970). */
  readonly volumeByMinute: Map<number, Lots>;
  readonly history: TradeHistory;
  /** A market under maintenance is DISABLED too. */
  isUnderMaintenance: boolean;
  readonly participants: ParticipantsState | undefined;
  readonly flow: FlowState | undefined;
};

/** A quote as the exchange stores it. Base and counter are those of the quote's own pair. */
export type Quote = {
  readonly id: string;
  readonly userId: string;
  readonly type: 'BUY' | 'SELL';
  /** As the caller wrote it. */
  readonly pair: string;
  /** The market it trades in. Its pair may be the reverse of `pair`. */
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
  /** Id of the move, send, withdrawal or deposit. */
  readonly id: string;
};

export type ExchangeState = {
  /** Microseconds since 1970. */
  timeMicros: number;
  readonly idSeed: bigint;
  orderCount: number;
  /** How many times an order has entered a book. */
  arrivalCount: number;
  readonly quotes: Map<string, Quote>;
  readonly markets: Map<string, MarketState>;
  readonly users: Map<string, User>;
  readonly accounts: Map<string, Account>;
  /** The retained orders of recorded users, and the open orders of all other users. */
  readonly orders: Map<string, SimulatedOrder>;
  readonly keys: Map<string, ApiKey>;
  /** Net deposits per currency. The balances of all accounts must add up to them. */
  readonly deposited: Map<string, Amount>;
  /** How many ids have been issued, see `Exchange.nextId`. */
  idCount: number;
  /** What the exchange will do by itself, earliest first. */
  readonly agenda: AgendaEntry[];
  /** Set by an operator, see restrictions.ts and trading-controls.ts. */
  readonly restrictions: Set<string>;
  readonly money: MoneyState;
  readonly wallet: WalletState;
  /** Failures that an operator requested for the next calls, oldest first. */
  readonly failures: { readonly operation: OperationName; readonly code: ErrorCode }[];
  readonly limits: RevisionLimits;
  readonly permissionValues: PermissionValues;
  /** How much history is kept. Default: `historyBounds`. */
  readonly history?: HistoryBounds | undefined;
};
