/** Random limits for random account histories, in the oracle's form and in the gate's. */
import type { OrderType } from '../../src/domain/bot-settings.ts';
import type { Market } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { GateSettings } from '../../src/risk/gate-limits.ts';
import { amount } from './gate-oracle-amount.ts';
import type { OracleMarket, Rules } from './gate-oracle-types.ts';
import type { SeededRandom } from './seeded-random.ts';

const shape = {
  feeScale: 8,
  priceMin: 1 as Ticks,
  volumeMin: 2 as Lots,
  volumeMax: (10 ** 7) as Lots,
  status: 'ACTIVE',
} as const;

/**
 * Three pairs that share currencies; `mid` is the first price, in ticks. With ten decimals, amounts
 * of ZAR are numbers up to 900,719 and bigints beyond.
 */
export const gateMarkets: readonly (Market & { readonly mid: number })[] = [
  {
    ...{ ...shape, pair: 'XBTZAR', base: 'XBT', counter: 'ZAR', priceScale: 2, volumeScale: 4 },
    ...{ mid: 100_000_000, priceMax: 103_000_000 as Ticks },
  },
  {
    ...{ ...shape, pair: 'ETHZAR', base: 'ETH', counter: 'ZAR', priceScale: 0, volumeScale: 8 },
    ...{ feeScale: 10, mid: 50_000, priceMax: 60_000 as Ticks, volumeMax: (10 ** 9) as Lots },
  },
  {
    ...{ ...shape, pair: 'ETHXBT', base: 'ETH', counter: 'XBT', priceScale: 6, volumeScale: 3 },
    ...{ mid: 50_000, priceMax: 60_000 as Ticks },
  },
];

/** Returns `count × 10^-scale` as plain decimal text. */
export function decimalText(whole: number, scale: number): string {
  const digits = String(Math.abs(whole)).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return whole < 0 ? `-${text}` : text;
}

export const oracleMarkets: readonly OracleMarket[] = gateMarkets.map((market) => ({
  pair: market.pair,
  base: market.base,
  counter: market.counter,
  priceMin: amount(decimalText(market.priceMin, market.priceScale)),
  priceMax: amount(decimalText(market.priceMax, market.priceScale)),
  volumeMin: amount(decimalText(market.volumeMin, market.volumeScale)),
  volumeMax: amount(decimalText(market.volumeMax, market.volumeScale)),
  lot: amount(decimalText(1, market.volumeScale)),
}));

const never = { max: 100_000, withinMs: 60_000 };

/** Draws limits: mostly wide, and a few narrow enough to be reached. */
export function drawRules(random: SeededRandom): Rules {
  // Each limit is narrow in one history of four.
  const narrow = (text: string, wide: string): string => (random.integer(1, 4) === 1 ? text : wide);
  const few = <T>(small: T, wide: T): T => (random.integer(1, 4) === 1 ? small : wide);
  const money = (zar: readonly [string, string], xbt: readonly [string, string]) => ({
    ZAR: narrow(...zar),
    XBT: narrow(...xbt),
  });
  const pairs = gateMarkets.map(({ pair }) => pair);
  const strategy = (budget: Readonly<Record<string, string>>) => ({
    pairs: few(pairs.slice(0, 2), pairs),
    sides: few(['BID'], ['BID', 'ASK']),
    types: few(['limit'], ['limit', 'stop-limit', 'market']),
    timeInForce: few(['GTC'], ['GTC', 'IOC', 'FOK']),
    postOnly: few(random.pick(['required', 'never']), 'allowed'),
    budget,
  });
  return {
    strategies: {
      a: strategy({
        ZAR: narrow('40000', '900000'),
        XBT: narrow('0.06', '2'),
        ETH: narrow('0.9', '90'),
      }),
      b: strategy({
        ZAR: narrow('15000', '900000'),
        XBT: narrow('0.03', '2'),
        ETH: narrow('0.4', '90'),
      }),
    },
    accounts: { XBT: '1', ZAR: '2', ETH: '3' },
    money: {
      openNotionalMax: money(['60000', '2000000'], ['0.1', '9']),
      turnoverDayMax: money(['70000', '9000000'], ['0.11', '90']),
      lossDayMax: money(['400', '900000'], ['0.002', '9']),
      drawdownMax: money(['400', '900000'], ['0.002', '9']),
      collarBudgetMax: money(['600', '9000000'], ['0.0006', '9']),
      approveAbove: money(['5000', '900000'], ['0.005', '9']),
      strategyOpenMax: money(['40000', '2000000'], ['0.05', '9']),
    },
    pairs: Object.fromEntries(
      gateMarkets.map(({ pair, base }) => [
        pair,
        {
          orderMax: base === 'XBT' ? narrow('0.03', '0.9') : narrow('0.6', '9'),
          positionMax: base === 'XBT' ? narrow('0.05', '5') : narrow('1', '50'),
          collar: narrow('0.01', '0.2'),
          slippage: narrow('0.001', '0.5'),
          depthShare: narrow('0.1', '1'),
          bookAgeMs: 1_000,
        },
      ]),
    ),
    feeBuffer: few('0.012345678901234567', '0.01'),
    ordersOpen: few(4, 40),
    perSecond: few(2, 50),
    perMinute: few(8, 500),
    strategyPerSecond: few(2, 50),
    strategyPerMinute: few(5, 500),
    cancelShare: few('0.2', '3'),
    ordersPerFill: few(6, 5_000),
    identical: { max: few(1, 3), withinMs: 2_000 },
    fills: few({ max: 3, withinMs: 60_000 }, never),
    rejections: few({ max: 1, withinMs: 60_000 }, never),
    refusals: few({ max: 2, withinMs: 10_000 }, never),
    losing: few({ max: 0, restMs: 30_000 }, { max: 1_000, restMs: 30_000 }),
    intentAgeMs: 10_000,
  };
}

/** Returns the same limits as settings of the gate. */
export function gateSettingsOf(rules: Rules): GateSettings {
  const { money } = rules;
  const halt = { action: 'halt' } as const;
  return {
    accounts: rules.accounts,
    strategies: Object.entries(rules.strategies).map(([id, may]) => ({
      id,
      pairs: may.pairs,
      budget: may.budget,
      allow: {
        sides: may.sides as ('BID' | 'ASK')[],
        types: may.types as OrderType[],
        timeInForce: may.timeInForce as ('GTC' | 'IOC' | 'FOK')[],
        postOnly: may.postOnly as 'required' | 'allowed' | 'never',
      },
    })),
    limits: {
      account: {
        openNotionalMax: money.openNotionalMax,
        turnoverDayMax: money.turnoverDayMax,
        lossDayMax: money.lossDayMax,
        drawdownMax: money.drawdownMax,
        onLoss: 'refuse',
        collarBudgetMax: money.collarBudgetMax,
        approveAbove: money.approveAbove,
        feeBuffer: rules.feeBuffer,
        ordersOpenMax: rules.ordersOpen,
        ordersPerSecondMax: rules.perSecond,
        ordersPerMinuteMax: rules.perMinute,
        intentAgeMsMax: rules.intentAgeMs,
        orderAgeMsMax: 86_400_000,
      },
      eachStrategy: {
        openNotionalMax: money.strategyOpenMax,
        ordersPerSecondMax: rules.strategyPerSecond,
        ordersPerMinuteMax: rules.strategyPerMinute,
        cancelShareMax: rules.cancelShare,
        ordersPerFillMax: rules.ordersPerFill,
        identical: rules.identical,
        fills: { ...rules.fills, ...halt },
        rejections: { ...rules.rejections, ...halt },
        refusals: { ...rules.refusals, ...halt },
        losingTrades: { max: rules.losing.max, coolDownMs: rules.losing.restMs },
      },
      pairs: Object.fromEntries(
        Object.entries(rules.pairs).map(([pair, limit]) => [
          pair,
          {
            orderBaseMax: limit.orderMax,
            positionBaseMax: limit.positionMax,
            collar: limit.collar,
            slippageMax: limit.slippage,
            depthShareMax: limit.depthShare,
            bookAgeMsMax: limit.bookAgeMs,
          },
        ]),
      ),
    },
  };
}
