/**
 * What a simulated exchange starts with: markets, users with their deposits and fees, and the
 * participants that make the market lively. A restart goes on from the stored state and ignores
 * these.
 */
import type { Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { RevisionLimits } from '../../exchange-api/limits.ts';
import type { PermissionValues } from '../../exchange-api/permissions.ts';
import type { FeeRates } from './fee-rate.ts';

/** How the other participants of one market behave. Distances are fractions of the price. */
export type ParticipantSettings = {
  readonly startPrice: Ticks;
  /** Orders kept on each side. */
  readonly ordersPerSide: number;
  /** Distance of the innermost orders from the fair value. */
  readonly halfSpread: number;
  /** Distance of the outermost orders from the fair value. */
  readonly depth: number;
  /** Typical volume of a resting order. */
  readonly orderVolume: Lots;
  /** Standard deviation of the fair value over one second. */
  readonly volatility: number;
  /** Fraction of its deviation from the start price that the fair value loses in one second. */
  readonly reversion: number;
  /** Takers a second, on average. */
  readonly takersPerSecond: number;
  /** Sweeps of several levels a second, on average. */
  readonly sweepsPerSecond: number;
};

export type MarketSettings = Market & {
  /** Left out: nobody trades here but the users. */
  readonly participants?: ParticipantSettings;
  /** With it the recorded order flow comes here, this many times faster than in history. */
  readonly flowSpeed?: number;
};

/** Rates for whoever traded at least `volumeMin` of base currency. */
export type FeeTier = FeeRates & { readonly volumeMin: string };

export type UserSettings = {
  readonly id: string;
  readonly fees: FeeRates;
  /** Other rates from some trading volume on; none unless given. */
  readonly feeTiers?: readonly FeeTier[];
  /** Initial deposit per currency, the first ledger row of each account. */
  readonly deposits: Readonly<Record<string, string>>;
  /** Account id per currency; those left out follow from the seed. */
  readonly accountIds?: Readonly<Record<string, string>>;
};

/** How much is remembered of what is over: counts for each user, of rows for each account. */
export type HistoryBounds = {
  readonly orders: number;
  readonly trades: number;
  readonly rows: number;
};

export type SimulatorSettings = {
  readonly markets: readonly MarketSettings[];
  readonly users: readonly UserSettings[];
  /** What the revisions of the interface state differently; the current ones unless given. */
  readonly limits?: RevisionLimits;
  /** Bits of the permissions that have none in the documents; without bits any key will do. */
  readonly permissionValues?: PermissionValues;
  /** The usual counts unless given. */
  readonly history?: HistoryBounds;
};

const xbtzar: MarketSettings = {
  pair: 'XBTZAR',
  base: 'XBT',
  counter: 'ZAR',
  priceScale: 0,
  volumeScale: 6,
  feeScale: 8,
  priceMin: ticksOf(10_000),
  priceMax: ticksOf(100_000_000),
  volumeMin: lotsOf(100),
  volumeMax: lotsOf(100_000_000),
  status: 'ACTIVE',
  participants: {
    startPrice: ticksOf(1_000_000),
    ordersPerSide: 40,
    halfSpread: 0.0003,
    depth: 0.008,
    orderVolume: lotsOf(12_000),
    volatility: 0.0008,
    reversion: 0.03,
    takersPerSecond: 0.8,
    sweepsPerSecond: 0.25,
  },
};

const ethxbt: MarketSettings = {
  pair: 'ETHXBT',
  base: 'ETH',
  counter: 'XBT',
  priceScale: 5,
  volumeScale: 4,
  feeScale: 8,
  priceMin: ticksOf(100),
  priceMax: ticksOf(1_000_000),
  volumeMin: lotsOf(10),
  volumeMax: lotsOf(10_000_000),
  status: 'ACTIVE',
  participants: {
    startPrice: ticksOf(5_000),
    ordersPerSide: 20,
    halfSpread: 0.0006,
    depth: 0.01,
    orderVolume: lotsOf(2_500),
    volatility: 0.0006,
    reversion: 0.03,
    takersPerSecond: 0.4,
    sweepsPerSecond: 0.08,
  },
};

/** Two lively markets and one user with money in three currencies. */
export const defaultSimulatorSettings: SimulatorSettings = {
  markets: [xbtzar, ethxbt],
  users: [
    {
      id: 'desk',
      fees: { maker: '0.0005', taker: '0.0010' },
      deposits: { XBT: '1', ZAR: '1000000', ETH: '20' },
      // Above 2^53, as real ones are: a JavaScript number would hold another account's id.
      accountIds: {
        XBT: '8203463422864003664',
        ZAR: '8535691064011841924',
        ETH: '8977310325467091551',
      },
    },
  ],
};
