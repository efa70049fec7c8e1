/**
 * The whole durable state of the simulated exchange, as plain data that `node:v8` can write.
 *
 * Everything that an answer or a stream message can depend on is in here, except what a restart may
 * forget: open streams, the call counters and the market-data cache.
 */
import { type Amount, amountOf } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import type { AccountTrade } from '../../exchange-accounts/account-order.ts';
import { appendRow } from '../../exchange-accounts/ledger.ts';
import type { ErrorCode } from '../../exchange-api/error-codes.ts';
import { limitRevisions, type RevisionLimits } from '../../exchange-api/limits.ts';
import type { OperationName } from '../../exchange-api/operations.ts';
import type { PermissionValues } from '../../exchange-api/permissions.ts';
import type { Quote } from '../trading/quotes.ts';
import { createWalletState, type WalletState } from '../wallet/wallet-state.ts';
import type { Account } from './account.ts';
import type { AgendaEntry } from './agenda.ts';
import type { ApiKey } from './api-key.ts';
import { type FeeRates, parseFeeRate } from './fee-rate.ts';
import { checkFeeTiers, type FeeTier, type VolumeByDay } from './fee-tier.ts';
import type { FlowRecording } from './flow-recording.ts';
import { createFlowState, type FlowState } from './flow-state.ts';
import type { HistoryBounds } from './history-bounds.ts';
import { createMoneyState, type MoneyState } from './money-state.ts';
import { createParticipantsState, type ParticipantsState } from './participants-state.ts';
import type { SimulatedOrder } from './simulated-order.ts';
import type { MarketSettings, SimulatorSettings } from './simulator-settings.ts';
import { createTradeHistory, type TradeHistory } from './trade-history.ts';

/** The user behind all simulated participants. */
export const houseUserId = 'house';
/** The user who receives the fees. */
export const feesUserId = 'fees';

/** One side of one trade, as list trades answers it to the owner of the order. */
export type ExecutedTrade = AccountTrade & { readonly sequence: bigint };

export type UserMessageEntry = { readonly timeMs: number; readonly frame: string };

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
  readonly volumeByMinute: Map<number, number>;
  readonly history: TradeHistory;
  /** A market under maintenance is DISABLED too. */
  isUnderMaintenance: boolean;
  readonly participants: ParticipantsState | undefined;
  readonly flow: FlowState | undefined;
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

export type Genesis = {
  readonly settings: SimulatorSettings;
  readonly seed: number | string;
  readonly timeMicros: number;
  readonly keys: readonly ApiKey[];
  /** The order flow of the market whose settings ask for one. */
  readonly flow?: FlowRecording | undefined;
};

// Enough for years of trading; the exchange's own money is no part of any promise.
const houseDeposit = '1000000000000';

/** Returns the state of a new exchange: deposits are made, books are empty. */
export function createExchangeState(genesis: Genesis): ExchangeState {
  const { settings, seed, timeMicros } = genesis;
  const state: ExchangeState = {
    timeMicros,
    idSeed: seedNumberOf(String(seed)),
    orderCount: 0,
    arrivalCount: 0,
    quotes: new Map(),
    markets: new Map(),
    users: new Map(),
    accounts: new Map(),
    orders: new Map(),
    keys: new Map(genesis.keys.map((key) => [key.id, key])),
    deposited: new Map(),
    idCount: 0,
    agenda: [],
    restrictions: new Set(),
    money: createMoneyState(),
    wallet: createWalletState(),
    failures: [],
    limits: settings.limits ?? limitRevisions.current,
    permissionValues: settings.permissionValues ?? {},
    history: settings.history,
  };
  for (const market of settings.markets)
    state.markets.set(market.pair, createMarketState(market, genesis));
  const currencies = new Set(settings.markets.flatMap((market) => [market.base, market.counter]));
  const all = (amount: string) => Object.fromEntries([...currencies].map((one) => [one, amount]));
  const free: FeeRates = { maker: '0', taker: '0' };
  addUser(state, { id: houseUserId, fees: free, deposits: all(houseDeposit) }, false);
  addUser(state, { id: feesUserId, fees: free, deposits: all('0') }, false);
  for (const user of settings.users) addUser(state, user, true);
  return state;
}

function createMarketState(
  { participants, flowSpeed, ...market }: MarketSettings,
  { seed, timeMicros, flow }: Genesis,
): MarketState {
  if (flowSpeed !== undefined && flow === undefined)
    throw new RangeError(`${market.pair} replays order flow, but none is given`);
  return {
    market,
    sequence: 0n,
    tradeSequence: 0n,
    lastTradePrice: undefined,
    lastMessageMicros: timeMicros,
    lastChangeMs: Math.floor(timeMicros / 1000),
    volumeByMinute: new Map(),
    history: createTradeHistory(),
    isUnderMaintenance: false,
    participants:
      participants && createParticipantsState(participants, `${seed}/${market.pair}`, timeMicros),
    flow:
      flowSpeed === undefined || flow === undefined
        ? undefined
        : createFlowState(flow, flowSpeed, timeMicros),
  };
}

function addUser(
  state: ExchangeState,
  settings: SimulatorSettings['users'][number],
  isRecorded: boolean,
): void {
  if (state.users.has(settings.id)) throw new RangeError(`user ${settings.id} is given twice`);
  parseFeeRate(settings.fees.maker);
  parseFeeRate(settings.fees.taker);
  checkFeeTiers(settings.feeTiers ?? []);
  const user: User = {
    id: settings.id,
    fees: settings.fees,
    feeTiers: settings.feeTiers ?? [],
    volumeByDay: new Map(),
    isRecorded,
    accountIds: new Map(),
    orderIds: [],
    openOrderIds: new Set(),
    orderIdByClientOrderId: new Map(),
    trades: [],
    quoteIds: [],
    messages: [],
  };
  for (const [currency, deposit] of Object.entries(settings.deposits)) {
    const account: Account = {
      id: settings.accountIds?.[currency] ?? accountIdOf(state.idSeed, state.accounts.size),
      userId: user.id,
      currency,
      type: 'TRANSACTIONAL',
      name: `${user.id} ${currency}`,
      balance: 0n,
      reserved: 0n,
      rowCount: 0,
      rows: isRecorded ? [] : undefined,
    };
    const amount = amountOf(deposit);
    state.deposited.set(currency, (state.deposited.get(currency) ?? 0n) + amount);
    appendRow(account, {
      timeMs: Math.floor(state.timeMicros / 1000),
      balanceDelta: amount,
      reservedDelta: 0n,
      kind: 'TRANSFER',
      description: 'Initial deposit',
    });
    if (state.accounts.has(account.id))
      throw new RangeError(`account id ${account.id} is given twice`);
    state.accounts.set(account.id, account);
    user.accountIds.set(currency, account.id);
  }
  state.users.set(user.id, user);
}

/**
 * Nineteen digits, as real account ids have: above 2^53, where a JavaScript number would be wrong.
 */
export function accountIdOf(seed: bigint, index: number): string {
  return (
    8_000_000_000_000_000_001n +
    (seed % 1_000_000_007n) * 1_000_000_009n +
    BigInt(index) * 7n
  ).toString();
}

function seedNumberOf(seed: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of seed)
    hash = ((hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n) & ((1n << 64n) - 1n);
  return hash;
}
