/** The results by tag, for the page of a backtest and as lines. */
import type { Market } from '../../domain/market.ts';
import type { TagResult } from '../metrics/run-tags.ts';
import type { PageTable } from './page-data.ts';
import { amount, count, row } from './page-values.ts';

type Markets = readonly { readonly market: Market }[];

/** Returns the table; none if no order had a tag. */
export function tagTables(tags: readonly TagResult[], markets: Markets): readonly PageTable[] {
  if (tags.length === 0) return [];
  const columns = [
    'profit',
    'orders',
    'fills',
    'as maker',
    'volume',
    'turnover',
    'fees',
    'base fees',
  ];
  const rows = tags.map((one) => {
    const { base, counter } = marketOf(one, markets);
    return row(
      nameOf(one, markets),
      amount(one.profit, counter),
      count(one.orders),
      count(one.fills),
      count(one.makerFills),
      amount(one.volume, base),
      amount(one.turnover, counter),
      amount(one.fees.counter, counter),
      amount(one.fees.base, base),
    );
  });
  return [{ title: 'By tag of the order', columns, rows }];
}

/** Returns a line for each tag. */
export function tagLines(tags: readonly TagResult[], markets: Markets): readonly string[] {
  return tags.map((one) => {
    const { base, counter } = marketOf(one, markets);
    const { orders, fills, volume, fees, profit } = one;
    return (
      `${'tag'.padEnd(17)} ${nameOf(one, markets)}: profit ${profit ?? '?'} ${counter}, ${orders} orders, ` +
      `${fills} fills, ${volume} ${base}, fees ${fees.base} ${base} and ${fees.counter} ${counter}`
    );
  });
}

function nameOf({ tag, pair }: TagResult, markets: Markets): string {
  const name = tag ?? '(no tag)';
  return markets.length === 1 ? name : `${pair} ${name}`;
}

function marketOf({ pair }: TagResult, markets: Markets): Pick<Market, 'base' | 'counter'> {
  const found = markets.find(({ market }) => market.pair === pair)?.market;
  return found ?? { base: '', counter: '' };
}
