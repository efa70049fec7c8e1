/** Lines that write what a strategy makes, and that call what it imports. */
import { EMPTY, ignoreElements, of } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  atr,
  bollinger,
  cancel,
  chase,
  dca,
  decimalOf,
  donchian,
  ema,
  exactShare,
  grid,
  type Hold,
  hedge,
  type Intent,
  iceberg,
  indicate,
  isFinal,
  lotsOf,
  type MarketTerms,
  macd,
  type Needs,
  orderFlowImbalance,
  type ParamOptions,
  type PlaceOptions,
  param,
  place,
  pov,
  type Quote,
  type Quoting,
  type QuotingOptions,
  quote,
  quoting,
  realisedVolatility,
  rsi,
  type Strategy,
  sequence,
  share,
  sma,
  span,
  type TakeOptions,
  type TimeOptions,
  ticksOf,
  tradeIntensity,
  tripleBarrier,
  twap,
  vwap,
  type WarmUp,
  zScore,
} from '../../../../src/index.ts';
import type { Parameters, State, Written } from './lines.ts';

type Made = {
  readonly Hold: Hold;
  readonly Quote: Quote;
  readonly Quoting: Quoting;
  readonly QuotingOptions: QuotingOptions<Parameters>;
  readonly WarmUp: WarmUp;
  readonly Needs: Needs;
  readonly MarketTerms: MarketTerms;
  readonly ParamOptions: ParamOptions<number>;
  readonly Strategy: Strategy<Parameters, State>;
  readonly PlaceOptions: PlaceOptions;
  readonly TakeOptions: TakeOptions;
  readonly TimeOptions: TimeOptions;
};

const parameters = z.strictObject({ size: amount, fast: z.int().min(1) });

export const written: { readonly [Name in keyof Made]: Written<Made[Name]> } = {
  Quote: {
    bid: () => ({ bid: 998_000.5 }),
    ask: () => ({ ask: [1_002_000, { price: 1_004_000, size: '0.02', tag: 'far' }] }),
    why: () => ({ why: 'the spread is wide' }),
    done: () => ({ done: 'the target is reached' }),
  },
  Hold: {
    share: () => ({ share: 0.5 }),
    why: () => ({ why: 'the average of 5 candles is above that of 20' }),
    tag: () => ({ tag: 'entry' }),
    isLast: () => ({ isLast: true }),
  },
  Strategy: {
    name: () => ({ name: 'average' }),
    parameters: () => ({ parameters }),
    pairs: () => ({ pairs: 1 }),
    watches: () => ({ watches: 1 }),
    state: () => ({ state: { schema: z.object({ bought: z.number() }), initial: { bought: 0 } } }),
    warmUp: () => ({ warmUp: ({ fast }) => ({ intervalMs: 60_000, candles: fast }) }),
    quoting: () => ({ quoting: () => ({ halfSpread: 0.002, refreshMs: 15_000 }) }),
    needs: () => ({ needs: () => ({ sides: ['BID'], timeInForce: ['GTC'], postOnly: true }) }),
    run: () => ({ run: ({ pairs: [market] }) => market?.trade$.pipe(ignoreElements()) ?? EMPTY }),
  },
  Quoting: {
    halfSpread: () => ({ halfSpread: 0.002 }),
    refreshMs: () => ({ refreshMs: 15_000 }),
    tolerance: () => ({ tolerance: 0.0002 }),
  },
  QuotingOptions: {
    lean: () => ({ lean: (position) => -position.base / 1_000 }),
    requote: () => ({ requote: (market) => market.top$ }),
    quote: () => ({ quote: ({ mid }) => ({ bid: mid * 0.998, ask: mid * 1.002 }) }),
  },
  WarmUp: {
    intervalMs: () => ({ intervalMs: 60_000 }),
    candles: () => ({ candles: 20 }),
  },
  Needs: {
    sides: () => ({ sides: ['BID', 'ASK'] }),
    timeInForce: () => ({ timeInForce: ['GTC'] }),
    postOnly: () => ({ postOnly: true }),
    types: () => ({ types: ['limit', 'stop-limit', 'market'] }),
    size: () => ({ size: '0.01' }),
    ordersAtOnce: () => ({ ordersAtOnce: 2 }),
  },
  MarketTerms: {
    type: () => ({ type: 'market' }),
    side: () => ({ side: 'BID' }),
    spend: () => ({ spend: '1000' }),
    volume: () => ({ volume: lotsOf(10_000) }),
  },
  ParamOptions: {
    description: () => ({ description: 'How many candles the average takes.' }),
    unit: () => ({ unit: 'candles' }),
    from: () => ({ from: 1 }),
    to: () => ({ to: 200 }),
    step: () => ({ step: 1 }),
    mayChange: () => ({ mayChange: true }),
  },
  PlaceOptions: {
    pair: () => ({ pair: 'XBTZAR' }),
  },
  TakeOptions: {
    slip: () => ({ slip: 0.002 }),
  },
  TimeOptions: {
    duration: () => ({ duration: 3_600_000 }),
  },
};

/** An intent of each kind. */
type Intents = { readonly [Kind in Intent['kind']]: () => Extract<Intent, { kind: Kind }> };

export const intents: Intents = {
  quote: () => ({ kind: 'quote', pair: 'XBTZAR', orders: [], reason: 'the spread is narrow' }),
  place: () => ({
    ...{ kind: 'place', pair: 'XBTZAR', key: 'entry-1', reason: 'the average has turned' },
    terms: { side: 'BID', price: ticksOf(990_000), volume: lotsOf(10_000), timeInForce: 'IOC' },
  }),
  cancel: () => ({ kind: 'cancel', pair: 'XBTZAR', key: 'entry-1', reason: 'it is too old' }),
  cancelAll: () => ({ kind: 'cancelAll', pair: 'XBTZAR', reason: 'the market is too fast' }),
  idle: () => ({ kind: 'idle', pair: 'XBTZAR', reason: 'waits for the average' }),
  remember: () => ({ kind: 'remember', state: { bought: 3 } }),
  done: () => ({ kind: 'done', reason: 'all is bought' }),
};

/** A call of each function that a strategy may import, apart from those of whole strategies. */
export const calls = {
  quote: () => quote({ pair: 'XBTZAR' }, [], 'the spread is narrow', { toleranceTicks: 5 }),
  place: () =>
    place(
      { pair: 'XBTZAR' },
      'entry-1',
      { side: 'BID', price: ticksOf(990_000), volume: lotsOf(10_000) },
      'the average has turned',
    ),
  quoting: () =>
    quoting({
      values: ({ size }: Parameters) => ({ size }),
      quote: ({ mid }) => ({ bid: mid * 0.998 }),
    }),
  twap: () => twap({ side: 'BID', total: '0.5', duration: 3_600_000, slices: 60 }),
  pov: () => pov({ side: 'ASK', total: '0.5', rate: 0.1 }),
  chase: () => chase({ side: 'BID', total: '0.05', limit: '1000000' }),
  iceberg: () => iceberg({ side: 'BID', total: '0.5', limit: '990000', display: '0.01' }),
  tripleBarrier: () => tripleBarrier({ stopLoss: 0.01, takeProfit: 0.02 }),
  grid: () => grid({ lower: '900000', upper: '1100000', cells: 20, size: '0.001' }),
  dca: () =>
    dca({ size: '0.01', safetyOrders: 3, safetySize: '0.01', step: 0.01, takeProfit: 0.01 }),
  hedge: () => hedge({ pair: 'XBTZAR', exposure: () => decimalOf('0.02'), band: '0.01' }),
  sequence: () => sequence({ exit: tripleBarrier({ timeLimit: 3_600_000 }) }),
  cancel: () => cancel({ pair: 'XBTZAR' }, 'entry-1', 'it is too old'),
  decimalOf: () => decimalOf('0.30').times(3),
  lotsOf: () => lotsOf(2 * 5_000),
  ticksOf: () => ticksOf(1_000_000 - 1),
  isFinal: () => isFinal('open'),
  param: () => param(z.int(), { description: 'How many.', default: 5, from: 1, to: 50 }),
  amount: () => z.object({ size: amount }).parse({ size: '0.01' }),
  share: () => z.object({ distance: share }).parse({ distance: '20bps' }),
  exactShare: () => z.object({ part: exactShare }).parse({ part: '2%' }),
  span: () => z.object({ wait: span }).parse({ wait: '15s' }),
  indicate: () => of(1, 2, 3).pipe(indicate(() => sma(2))),
  sma: () => sma(20, [1, 2, 3]).add(4),
  ema: () => ema(20).value,
  macd: () => macd(12, 26, 9).value?.histogram,
  rsi: () => rsi(14).warmUp,
  atr: () => atr(14).add({ high: 103, low: 99, close: 101 }),
  bollinger: () => bollinger(20, 2).value?.lower,
  zScore: () => zScore(20).value,
  donchian: () => donchian(20).value?.upper,
  vwap: () => vwap(100).add({ price: 101, volume: 3 }),
  realisedVolatility: () => realisedVolatility(60).value,
  tradeIntensity: () => tradeIntensity(100).add({ timeMs: 1_000 }),
  orderFlowImbalance: () => orderFlowImbalance(50).value,
};
