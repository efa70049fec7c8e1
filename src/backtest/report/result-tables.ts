/**
 * The tables in the JSON file of a backtest's result, as comma-separated text for other programs:
 * each order, each fill, the values of series, the profit over time, and the figures by tag.
 */
import { isPlainObject } from '../../strategy/json-value.ts';

export const resultTables = ['orders', 'fills', 'series', 'equity', 'tags'] as const;
export type ResultTable = (typeof resultTables)[number];

type Row = Readonly<Record<string, unknown>>;

/** The member that has the rows of each table. */
const members: Readonly<Record<ResultTable, string>> = {
  orders: 'orderRows',
  fills: 'fillRows',
  series: 'series',
  equity: 'equity',
  tags: 'tags',
};

/** Rows of a slice of text. */
const sliceRows = 1_000;

/** Returns the rows of a table, the pair first; undefined if the result has no such table. */
export function rowsOfTable(result: Row, table: ResultTable): readonly Row[] | undefined {
  const rows = result[members[table]];
  if (!Array.isArray(rows)) return undefined;
  const flat = rows.filter(isPlainObject).flatMap((row) => pointsOf(flatOf(row)));
  return flat.map(({ pair = '', ...others }) => ({ pair, ...others }));
}

/** Yields rows as comma-separated text, with a line of titles; what a row lacks is empty. */
export function* csvOf(rows: readonly Row[]): Generator<string, void> {
  const titles = [...new Set(['pair', ...rows.flatMap((row) => Object.keys(row))])];
  yield `${titles.map(cellOf).join(',')}\n`;
  for (let from = 0; from < rows.length; from += sliceRows)
    yield rows
      .slice(from, from + sliceRows)
      .map((row) => `${titles.map((title) => cellOf(row[title])).join(',')}\n`)
      .join('');
}

/** Returns a row with the members of objects as members of its own, such as `fees.base`. */
function flatOf(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      isPlainObject(value)
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
        : [[name, value]],
    ),
  );
}

/** Returns a row for each time of a series; a row without times is one already. */
function pointsOf(row: Row): readonly Row[] {
  const { timesMs } = row;
  if (!Array.isArray(timesMs)) return [row];
  const lists = Object.entries(row).filter(([, value]) => Array.isArray(value));
  const single = ['pair', 'strategyId', 'kind', 'name', 'pane'].filter((name) => name in row);
  const fixed = Object.fromEntries(single.map((name) => [name, row[name]]));
  const titleOf = (name: string): string =>
    name.replace('timesMs', 'timeMs').replace(/^values$/u, 'value');
  return timesMs.map((_, index) => ({
    ...fixed,
    ...Object.fromEntries(
      lists.map(([name, values]) => [titleOf(name), (values as readonly unknown[])[index]]),
    ),
  }));
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = String(value);
  return /[",\n\r]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
