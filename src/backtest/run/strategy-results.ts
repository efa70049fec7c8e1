/** What each of several strategies of a backtest has done in each market that it was filled in. */
import { formatAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { type Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import { baseOf, counterOf, type Positions, profitOf } from '../../execution/fills/positions.ts';

export type StrategyResult = {
  readonly strategy: string;
  readonly pair: string;
  readonly fills: number;
  /** Gained since the start, fees taken off, in the base and the counter currency. */
  readonly position: string;
  readonly cash: string;
  /** In the counter currency, as the profit; null where there is nothing to value them with. */
  readonly fees: string | null;
  readonly profit: string | null;
};

/** Returns the results by strategy, then pair; `mids` has the last mid of each pair. */
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

/** A row each for a table: whose it is, and what it came to. */
export function strategyRows(
  results: readonly StrategyResult[],
  markets: readonly { readonly market: Market }[],
): readonly (readonly [name: string, text: string])[] {
  return results.map(({ strategy, pair, fills, position, fees, profit }) => {
    const { counter = '' } = markets.find(({ market }) => market.pair === pair)?.market ?? {};
    return [
      `${strategy} ${pair}`,
      `profit ${profit ?? 'not known'} ${counter} after fees of ${fees ?? 'not known'}, ` +
        `${fills} fills, position ${position}`,
    ];
  });
}
