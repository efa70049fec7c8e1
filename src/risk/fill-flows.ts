/** What a fill moves: the flows of both currencies with its fees, and the value traded. */
import { type Amount, parseAmount } from '../domain/amount.ts';
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { type UnitAmount, type UnitParts, unitAmountOf, wholeUnitAmount } from './unit-amount.ts';
import { timesUnits, type UnitCount, unitCountOf, unitProduct } from './unit-count.ts';

/** Received minus paid per currency, and the value traded. */
export type FillFlows = {
  readonly base: UnitAmount;
  readonly counter: UnitAmount;
  readonly turnover: UnitParts;
  /** Ticks × lots. */
  readonly value: UnitCount;
};

type Fill = {
  readonly side: Side;
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: number | bigint;
  /** Negative for a rebate. */
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
};

export function fillFlowsOf(fill: Fill, market: Market, units: CurrencyUnits): FillFlows {
  const sign = fill.side === 'BID' ? 1 : -1;
  const value = typeof fill.value === 'number' ? fill.value : unitCountOf(fill.value);
  const bought = unitProduct(sign * fill.volume, units.unitsPerLot(market));
  const paid = timesUnits(value, sign * units.unitsPerValue(market));
  return {
    base: lessFee(bought, fill.feeBase, units.amountPerUnit(market.base)),
    counter: lessFee(timesUnits(paid, -1), fill.feeCounter, units.amountPerUnit(market.counter)),
    turnover: { units: timesUnits(paid, sign), rest: 0 },
    value,
  };
}

/** Returns `units` of a currency minus a fee. */
function lessFee(units: UnitCount, fee: Amount, amountPerUnit: bigint): UnitAmount {
  const whole = wholeUnitAmount(units, amountPerUnit);
  return fee === 0n ? whole : unitAmountOf(whole.amount - fee, amountPerUnit);
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
