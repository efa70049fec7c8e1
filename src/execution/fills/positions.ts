/**
 * The exact sums that each strategy has bought and sold, from booked fills.
 *
 * A position starts at zero with the strategy's first fill; the account's other holdings are not
 * part of it.
 */
import { type Amount, formatAmount, type Sums } from '../../domain/amount.ts';
import type { Side } from '../../domain/market.ts';
import { type Decimal, decimalOf } from '../../domain/money.ts';
import type { FillTotals } from '../../domain/records.ts';
import { addSums, noSums, sumsOf } from '../orders/sums.ts';

export type Holding = { readonly bought: Sums; readonly sold: Sums; readonly fills: number };

const noHolding: Holding = { bought: noSums, sold: noSums, fills: 0 };

export class Positions {
  /** By strategy, then by pair. */
  readonly #holdings = new Map<string, Map<string, Holding>>();

  /** Adds one fill, or the sums of several. */
  add(strategyId: string, pair: string, side: Side, sums: Sums, count = 1): void {
    let holdings = this.#holdings.get(strategyId);
    if (holdings === undefined) {
      holdings = new Map();
      this.#holdings.set(strategyId, holdings);
    }
    const holding = holdings.get(pair) ?? noHolding;
    const fills = holding.fills + count;
    holdings.set(
      pair,
      side === 'BID'
        ? { bought: addSums(holding.bought, sums), sold: holding.sold, fills }
        : { bought: holding.bought, sold: addSums(holding.sold, sums), fills },
    );
  }

  restore(totals: FillTotals): void {
    this.add(totals.strategyId, totals.pair, totals.side, sumsOf(totals), totals.count);
  }

  holding(strategyId: string, pair: string): Holding {
    return this.#holdings.get(strategyId)?.get(pair) ?? noHolding;
  }

  /** Returns every strategy and pair with fills. */
  entries(): readonly {
    readonly strategyId: string;
    readonly pair: string;
    readonly holding: Holding;
  }[] {
    return [...this.#holdings].flatMap(([strategyId, holdings]) =>
      [...holdings].map(([pair, holding]) => ({ strategyId, pair, holding })),
    );
  }
}

/** Returns base bought minus sold, minus fees taken in it. */
export function baseOf(holding: Holding): Amount {
  const { bought, sold } = holding;
  return bought.base - sold.base - bought.feeBase - sold.feeBase;
}

/** Returns counter received minus paid, minus fees taken in it. */
export function counterOf(holding: Holding): Amount {
  const { bought, sold } = holding;
  return sold.counter - bought.counter - bought.feeCounter - sold.feeCounter;
}

/**
 * Returns the profit in the counter currency after fees, with the position valued at `price`
 * (counter per base), and the fees alone at the same price.
 */
export function profitOf(holding: Holding, price: Decimal): { profit: Decimal; fees: Decimal } {
  const { bought, sold } = holding;
  const feeBase = bought.feeBase + sold.feeBase;
  const feeCounter = bought.feeCounter + sold.feeCounter;
  return {
    profit: totalValueOf(counterOf(holding), baseOf(holding), price),
    fees: totalValueOf(feeCounter, feeBase, price),
  };
}

/** Returns `counter + base × price`. */
function totalValueOf(counter: Amount, base: Amount, price: Decimal): Decimal {
  return decimalOf(formatAmount(base)).times(price).plus(formatAmount(counter));
}
