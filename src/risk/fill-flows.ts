/** What a fill moves: the flows of both currencies with its fees, and the value traded. */
import { type Amount, parseAmount } from '../domain/amount.ts';
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import type { CurrencyUnits, Exact } from './currency-unit.ts';
import type { Whole } from './whole-numbers.ts';

/** Received minus paid per currency, also in 10^-18, and the value traded. */
export type FillFlows = {
  readonly base: Exact;
  readonly counter: Exact;
  readonly baseAmount: Amount;
  readonly counterAmount: Amount;
  readonly turnover: Exact;
};

type Fill = {
  readonly side: Side;
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: Whole;
  /** Negative for a rebate. */
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
};

export function fillFlowsOf(fill: Fill, market: Market, units: CurrencyUnits): FillFlows {
  const base = units.of(market.base);
  const counter = units.of(market.counter);
  const isBid = fill.side === 'BID';
  const volume = base.scaled(fill.volume, market.volumeScale);
  const turnover = counter.scaled(fill.value, market.priceScale + market.volumeScale);
  const ofBase = base.minus(isBid ? volume : -volume, base.of(fill.feeBase));
  const ofCounter = counter.minus(isBid ? -turnover : turnover, counter.of(fill.feeCounter));
  return {
    ...{ base: ofBase, counter: ofCounter, turnover },
    baseAmount: base.amount(ofBase),
    counterAmount: counter.amount(ofCounter),
  };
}

/** Returns an amount of the store; throws InvariantError if it is not one. */
export function storedAmountOf(text: string): bigint {
  const amount = parseAmount(text);
  assert(
    amount !== undefined,
    `amount must be a plain decimal of at most 18 decimals, was "${text}"`,
  );
  return amount;
}
