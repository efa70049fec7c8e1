/**
 * Markets that the documentation names, with simulated participants: the choice of markets for a
 * new simulated exchange. Their scales and sizes are ours, because the documentation does not show
 * them.
 */
import { ConfigError } from '../../../../domain/errors.ts';
import type { Market } from '../../../../domain/market.ts';
import { lotsOf, ticksOf } from '../../../../domain/ticks-and-lots.ts';
import {
  defaultSimulatorSettings,
  type MarketSettings,
  type SimulatorSettings,
} from '../core/simulator-settings.ts';

const participants = {
  ordersPerSide: 20,
  halfSpread: 0.0006,
  depth: 0.01,
  volatility: 0.0006,
  reversion: 0.03,
  takersPerSecond: 0.4,
  sweepsPerSecond: 0.08,
};

/** Returns a market of XBT in a fiat currency, with whole prices and volumes in millionths. */
function xbtIn(counter: string, startPrice: number): MarketSettings {
  return {
    pair: `XBT${counter}`,
    base: 'XBT',
    counter,
    priceScale: 0,
    volumeScale: 6,
    feeScale: 8,
    priceMin: ticksOf(Math.floor(startPrice / 100)),
    priceMax: ticksOf(startPrice * 100),
    volumeMin: lotsOf(100),
    volumeMax: lotsOf(100_000_000),
    status: 'ACTIVE',
    participants: {
      ...participants,
      startPrice: ticksOf(startPrice),
      orderVolume: lotsOf(12_000),
      follows: ['XBTZAR'],
    },
  };
}

/** Closes the triangle of XBTZAR and ETHXBT: its price is their product, with a small noise. */
const ethzar: MarketSettings = {
  pair: 'ETHZAR',
  base: 'ETH',
  counter: 'ZAR',
  priceScale: 0,
  volumeScale: 4,
  feeScale: 8,
  priceMin: ticksOf(500),
  priceMax: ticksOf(5_000_000),
  volumeMin: lotsOf(10),
  volumeMax: lotsOf(10_000_000),
  status: 'ACTIVE',
  participants: {
    ...participants,
    startPrice: ticksOf(50_000),
    orderVolume: lotsOf(2_500),
    volatility: 0.0005,
    reversion: 0.06,
    follows: ['XBTZAR', 'ETHXBT'],
  },
};

const bchxbt: MarketSettings = {
  pair: 'BCHXBT',
  base: 'BCH',
  counter: 'XBT',
  priceScale: 6,
  volumeScale: 4,
  feeScale: 8,
  priceMin: ticksOf(100),
  priceMax: ticksOf(1_000_000),
  volumeMin: lotsOf(10),
  volumeMax: lotsOf(10_000_000),
  status: 'ACTIVE',
  participants: { ...participants, startPrice: ticksOf(5_000), orderVolume: lotsOf(2_500) },
};

const markets: readonly MarketSettings[] = [
  ...defaultSimulatorSettings.markets,
  ethzar,
  xbtIn('EUR', 50_000),
  xbtIn('UGX', 200_000_000),
  xbtIn('ZMW', 1_300_000),
  bchxbt,
];

/** Initial deposit of each user, by currency. */
const deposits: Readonly<Record<string, string>> = {
  XBT: '1',
  ZAR: '1000000',
  ETH: '20',
  EUR: '50000',
  UGX: '200000000',
  ZMW: '1300000',
  BCH: '200',
};

/** The markets of `millrace exchange`, unless others are chosen: a triangle. */
export const usualPairs: readonly string[] = ['XBTZAR', 'ETHXBT', 'ETHZAR'];

const knownPairs: readonly string[] = markets.map(({ pair }) => pair);

/**
 * Returns settings with the named markets, in which each user has deposits in all their currencies.
 * Throws {@link ConfigError} if a market is unknown or is named twice.
 */
export function settingsWithMarkets(pairs: readonly string[]): SimulatorSettings {
  const chosen = pairs.map((pair) => {
    const market = markets.find((known) => known.pair === pair);
    if (market !== undefined) return market;
    throw new ConfigError(`no market "${pair}"; choose from ${knownPairs.join(', ')}`);
  });
  if (new Set(pairs).size < pairs.length)
    throw new ConfigError(`a market is named twice in ${pairs.join(', ')}; name each market once`);
  const currencies = new Set(chosen.flatMap(({ base, counter }) => [base, counter]));
  return {
    ...defaultSimulatorSettings,
    markets: chosen,
    users: defaultSimulatorSettings.users.map((user) => ({
      ...user,
      deposits: Object.fromEntries(
        [...currencies].map((currency) => [currency, deposits[currency] ?? '0']),
      ),
    })),
  };
}

/** Returns settings with a market of recorded order flow alone, replayed at `speed`. */
export function settingsWithFlow(
  market: Market,
  speed: number,
  deposits: Readonly<Record<string, string>>,
): SimulatorSettings {
  return {
    ...defaultSimulatorSettings,
    markets: [{ ...market, flowSpeed: speed }],
    users: defaultSimulatorSettings.users.map(({ id }) => ({
      ...{ id, fees: { maker: '0', taker: '0.0005' }, deposits },
    })),
  };
}
