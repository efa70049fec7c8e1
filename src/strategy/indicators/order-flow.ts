/** What trades and changes of the best prices say. */
import type { Top } from '../../domain/market-view.ts';
import { refuseArgument } from '../argument.ts';
import { checkPeriod, type Indicator, indicatorOf, lastOf, sumOf } from './indicator.ts';

type PriceVolume = { readonly price: number; readonly volume: number };

/**
 * Returns the average price of the last `period` trades, each with its volume as its weight;
 * undefined if they have none.
 */
export function vwap(
  period: number,
  history: Iterable<PriceVolume> = [],
): Indicator<PriceVolume, number> {
  checkPeriod(['vwap', 'period'], period);
  const last = lastOf<PriceVolume>(period);
  return indicatorOf<PriceVolume, number>({
    ...{ name: 'vwap', warmUp: period, history, members: ['price', 'volume'] },
    next: (trade) => {
      if (trade.volume < 0) refuseArgument(['vwap', 'input.volume'], 'at least 0', trade.volume);
      const trades = last(trade);
      if (trades === undefined) return undefined;
      const volume = sumOf(trades.map((one) => one.volume));
      if (volume === 0) return undefined;
      return sumOf(trades.map((one) => one.price * one.volume)) / volume;
    },
  });
}

type Timed = { readonly timeMs: number };

/**
 * Returns the trade intensity: trades a second, over the time of the last `period` trades as of the
 * last one. Undefined if they all have the same time.
 */
export function tradeIntensity(
  period: number,
  history: Iterable<Timed> = [],
): Indicator<Timed, number> {
  checkPeriod(['tradeIntensity', 'period'], period);
  const last = lastOf<Timed>(period + 1);
  return indicatorOf<Timed, number>({
    ...{ name: 'tradeIntensity', warmUp: period + 1, history, members: ['timeMs'] },
    next: (trade) => {
      const first = last(trade)?.[0];
      if (first === undefined || first.timeMs >= trade.timeMs) return undefined;
      return period / ((trade.timeMs - first.timeMs) / 1_000);
    },
  });
}

type BestPrices = Pick<Top, 'bid' | 'bidVolume' | 'ask' | 'askVolume'>;

/**
 * Returns the order-flow imbalance after Cont, Kukanov and Stoikov, in lots: over the last `period`
 * changes of the best prices and their volumes, what came to the bids and left the asks, less what
 * came to the asks and left the bids. Above 0 buyers press. It takes `topWithVolume$`.
 */
export function orderFlowImbalance(
  period: number,
  history: Iterable<BestPrices> = [],
): Indicator<BestPrices, number> {
  checkPeriod(['orderFlowImbalance', 'period'], period);
  const last = lastOf<number>(period);
  let before: BestPrices | undefined;
  return indicatorOf<BestPrices, number>({
    ...{ name: 'orderFlowImbalance', warmUp: period + 1, history },
    members: ['bidVolume', 'askVolume'],
    next: (top) => {
      for (const side of ['bid', 'ask'] as const)
        if (top[side] !== undefined && !Number.isFinite(top[side]))
          refuseArgument(['orderFlowImbalance', `input.${side}`], 'a finite number', top[side]);
      const flows = before === undefined ? undefined : last(flowOf(before, top));
      before = top;
      return flows && sumOf(flows);
    },
  });
}

function flowOf(was: BestPrices, is: BestPrices): number {
  // A side without orders has the worst price.
  const [bidWas, bidIs] = [was.bid ?? -Infinity, is.bid ?? -Infinity];
  const [askWas, askIs] = [was.ask ?? Infinity, is.ask ?? Infinity];
  const bids = (bidIs >= bidWas ? is.bidVolume : 0) - (bidIs <= bidWas ? was.bidVolume : 0);
  const asks = (askIs <= askWas ? is.askVolume : 0) - (askIs >= askWas ? was.askVolume : 0);
  return bids - asks;
}
