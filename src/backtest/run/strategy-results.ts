/** The figures of each of several strategies in each market where it had fills. */
import { formatAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { type Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import { baseOf, counterOf, type Positions, profitOf } from '../../execution/fills/positions.ts';

export type StrategyResult = {
  readonly strategy: string;
  readonly pair: string;
  readonly fills: number;
  /** Gained since the start, after fees, in base and counter currency. */
  readonly position: string;
  readonly cash: string;
  /** In the counter currency, like the profit; null if there is no mid to value them. */
  readonly fees: string | null;
  readonly profit: string | null;
};

/** Returns the results, sorted by strategy and pair; `mids` has the last mid of each pair. */
export function strategyResultsOf(
  positions: Positions,
  mids: ReadonlyMap<string, string | null>,
): readonly StrategyResult[] {
  return positions
    .entries()
    .map(({ strategyId, pair, holding }): StrategyResult => {
      const mid = mids.get(pair) ?? null;
      const worth = mid === null ? undefined : profitOf(holding, decimalOf(mid));
      const text = (amount: Decimal | undefined): string | null =>
        amount === undefined ? null : formatDecimal(amount);
      return {
        ...{ strategy: strategyId, pair, fills: holding.fills },
        position: formatAmount(baseOf(holding)),
        cash: formatAmount(counterOf(holding)),
        fees: text(worth?.fees),
        profit: text(worth?.profit),
      };
    })
    .sort((a, b) => (`${a.strategy} ${a.pair}` < `${b.strategy} ${b.pair}` ? -1 : 1));
}

/** Returns one row of a table for each result. */
export function strategyRows(
  results: readonly StrategyResult[],
  markets: readonly { readonly market: Market }[],
): readonly (readonly [name: string, text: string])[] {
  return results.map(({ strategy, pair, fills, position, fees, profit }) => {
    const { counter = '' } = markets.find(({ market }) => market.pair === pair)?.market ?? {};
    return [
      `${strategy} ${pair}`,
      `profit ${profit ?? 'unknown'} ${counter} after fees of ${fees ?? 'unknown'}, ` +
        `${fills} fills, position ${position}`,
    ];
  });
}
