/**
 * Settings of a new simulated exchange: markets, users with their deposits and fees, and simulated
 * participants. A restart continues from the stored state and ignores these settings.
 */
import type { Market } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import { lotsOf, ticksOf } from '../../../../domain/ticks-and-lots.ts';
import type { RevisionLimits } from '../../api/limits.ts';
import type { PermissionValues } from '../../api/permissions.ts';
import type { FeeRates } from './fee-rate.ts';

/** How the other participants of one market behave. Distances are fractions of the price. */
export type ParticipantSettings = {
  readonly startPrice: Ticks;
  /**
   * Pairs whose fair values move this one in the same proportion, as far as the exchange has them:
   * ETHZAR follows XBTZAR and ETHXBT. They must not follow others. Default: none.
   */
  readonly follows?: readonly string[];
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
  /** Average number of takers per second. */
  readonly takersPerSecond: number;
  /** Average number of sweeps of several levels per second. */
  readonly sweepsPerSecond: number;
};

export type MarketSettings = Market & {
  /** If omitted, only the users trade in this market. */
  readonly participants?: ParticipantSettings;
  /** Replays the recorded order flow in this market at this multiple of real time. */
  readonly flowSpeed?: number;
};

/** Rates for users who traded at least `volumeMin` of base currency. */
export type FeeTier = FeeRates & { readonly volumeMin: string };

export type UserSettings = {
  readonly id: string;
  readonly fees: FeeRates;
  /** Rates by trading volume. Default: no tiers. */
  readonly feeTiers?: readonly FeeTier[];
  /** Initial deposit per currency, the first ledger row of each account. */
  readonly deposits: Readonly<Record<string, string>>;
  /** Account id per currency. An omitted id is derived from the seed. */
  readonly accountIds?: Readonly<Record<string, string>>;
};

/** How much history is kept: orders and trades per user, ledger rows per account. */
export type HistoryBounds = {
  readonly orders: number;
  readonly trades: number;
  readonly rows: number;
};

export type SimulatorSettings = {
  readonly markets: readonly MarketSettings[];
  readonly users: readonly UserSettings[];
  /** Limits that differ between revisions of the API. Default: those of the current revision. */
  readonly limits?: RevisionLimits;
  /**
   * Bits of permissions whose values the documentation does not show. A permission without bits is
   * granted to every key.
   */
  readonly permissionValues?: PermissionValues;
  /** Default: `historyBounds`. */
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

/** Two active markets and one user with funds in three currencies. */
export const defaultSimulatorSettings: SimulatorSettings = {
  markets: [xbtzar, ethxbt],
  users: [
    {
      id: 'desk',
      fees: { maker: '0.0005', taker: '0.0010' },
      deposits: { XBT: '1', ZAR: '1000000', ETH: '20' },
      // Above 2^53, like real account ids: a JavaScript number cannot hold them exactly.
      accountIds: {
        XBT: '8203463422864003664',
        ZAR: '8535691064011841924',
        ETH: '8977310325467091551',
      },
    },
  ],
};
