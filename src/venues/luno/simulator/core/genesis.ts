/**
 * The initial state of a simulated exchange: users with their deposits, markets with empty books.
 */
import { amountOf } from '../../../../domain/amount.ts';
import { lotsOf } from '../../../../domain/ticks-and-lots.ts';
import { appendRow } from '../../../../exchange-accounts/ledger.ts';
import { limitRevisions } from '../../api/limits.ts';
import type { Account } from './account.ts';
import { accountIdOf } from './account-id.ts';
import type { ApiKey } from './api-key.ts';
import {
  type ExchangeState,
  feesUserId,
  houseUserId,
  type MarketState,
  type User,
} from './exchange-state.ts';
import { type FeeRates, parseFeeRate } from './fee-rate.ts';
import { checkFeeTiers } from './fee-tier.ts';
import type { FlowRecording } from './flow-recording.ts';
import { createFlowState } from './flow-state.ts';
import { createMoneyState } from './money-state.ts';
import { createParticipantsState } from './participants-state.ts';
import type { Past } from './past-candles.ts';
import type {
  MarketSettings,
  ParticipantSettings,
  SimulatorSettings,
} from './simulator-settings.ts';
import { createTradeHistory } from './trade-history.ts';
import { createWalletState } from './wallet-state.ts';

export type Genesis = {
  readonly settings: SimulatorSettings;
  readonly seed: number | string;
  readonly timeMicros: number;
  readonly keys: readonly ApiKey[];
  /** The order flow for the market whose settings have `flowSpeed`. */
  readonly flow?: FlowRecording | undefined;
};

// Enough for years of trading; the exact amount does not matter.
const houseDeposit = '1000000000000';

/** Returns the state of a new exchange, with deposits made and books empty. */
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
  const inEach = (amount: string) =>
    Object.fromEntries([...currencies].map((currency) => [currency, amount]));
  const noFees: FeeRates = { maker: '0', taker: '0' };
  addUser(state, { id: houseUserId, fees: noFees, deposits: inEach(houseDeposit) }, false);
  addUser(state, { id: feesUserId, fees: noFees, deposits: inEach('0') }, false);
  for (const user of settings.users) addUser(state, user, true);
  return state;
}

function createMarketState(
  { participants, flowSpeed, ...market }: MarketSettings,
  genesis: Genesis,
): MarketState {
  const { seed, timeMicros, flow } = genesis;
  if (flowSpeed !== undefined && flow === undefined)
    throw new RangeError(`${market.pair} has flowSpeed, but no order flow was given`);
  return {
    market,
    sequence: 0n,
    tradeSequence: 0n,
    lastTradePrice: undefined,
    lastMessageMicros: timeMicros,
    lastChangeMs: Math.floor(timeMicros / 1000),
    volumeByMinute: new Map(),
    history: createTradeHistory(participants && pastOf(market.pair, participants, genesis)),
    isUnderMaintenance: false,
    participants:
      participants && createParticipantsState(participants, `${seed}/${market.pair}`, timeMicros),
    flow:
      flowSpeed === undefined || flow === undefined
        ? undefined
        : createFlowState(flow, flowSpeed, timeMicros),
  };
}

/** Returns the past of a market whose prices move as its participants move them later. */
function pastOf(
  pair: string,
  participants: ParticipantSettings,
  { settings, seed, timeMicros }: Genesis,
): Past {
  const waveOf = (one: string, { volatility, reversion }: ParticipantSettings) => ({
    seed: `${seed}/${one}`,
    // Of the fair value in the long run. A greater one could take prices of the past below zero.
    size: reversion > 0 ? Math.min(volatility / Math.sqrt(2 * reversion), 0.005) : 0.005,
  });
  const followed = (participants.follows ?? []).flatMap((one) => {
    const other = settings.markets.find((market) => market.pair === one)?.participants;
    return other === undefined ? [] : [waveOf(one, other)];
  });
  const { orderVolume, ordersPerSide, takersPerSecond, sweepsPerSecond } = participants;
  const ordersTaken = 60 * (takersPerSecond + (sweepsPerSecond * ordersPerSide) / 4);
  return {
    endMs: Math.floor(timeMicros / 60_000_000) * 60_000,
    endPrice: participants.startPrice,
    own: waveOf(pair, participants),
    followed,
    minuteVolume: lotsOf(Math.round(orderVolume * ordersTaken)),
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
    messageBytes: 0,
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

function seedNumberOf(seed: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of seed)
    hash = ((hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n) & ((1n << 64n) - 1n);
  return hash;
}
