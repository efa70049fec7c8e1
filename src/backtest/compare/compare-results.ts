/** Compares two results of backtests, figure by figure, and lays their charts over each other. */
import { Decimal } from '../../domain/money.ts';
import {
  type BacktestPageData,
  type ComparedResult,
  type ComparisonPageData,
  type PageChart,
  type PageMarket,
  type PagePane,
  type PageRow,
  type PageSeries,
  type PageTable,
  type PageValue,
  pageFormat,
} from '../report/page-data.ts';
import { text } from '../report/page-values.ts';
import { settingsTable } from './settings-difference.ts';

/** Tables with many rows, or whose other columns follow from the first: only that is compared. */
const shortened = ['Days (UTC)', 'Highest use of each limit'];
const columns = ['A', 'B', 'B − A'] as const;

export type ComparedPair = { readonly a: BacktestPageData; readonly b: BacktestPageData };

/** `notes` are about the results, such as a recording that is gone. */
export function compareResults(
  { a, b }: ComparedPair,
  program: string,
  notes: readonly string[],
): ComparisonPageData {
  return {
    page: 'comparison',
    format: pageFormat,
    program,
    a: comparedOf(a),
    b: comparedOf(b),
    notes: [...notes, ...notesOf({ a, b })],
    overlays: overlaysOf({ a, b }),
    tables: [settingsTable(a.settings, b.settings), ...tablesOf({ a, b })],
  };
}

function comparedOf({
  tables: _tables,
  printed: _printed,
  settings: _settings,
  ...result
}: BacktestPageData): ComparedResult {
  return { ...result, markets: result.markets.map((market) => ({ ...market, tables: [] })) };
}

function notesOf({ a, b }: ComparedPair): readonly string[] {
  const notes: string[] = [];
  if (a.hash === b.hash) notes.push('both are the same result: they have the same hash');
  if (a.program !== b.program)
    notes.push(`A was written by Millrace ${a.program}, B by Millrace ${b.program}`);
  if (a.from !== b.from || a.to !== b.to)
    notes.push(`the times differ: A played ${a.from} to ${a.to}, B played ${b.from} to ${b.to}`);
  const contents = ({ recordings }: BacktestPageData): string =>
    recordings.map(({ path, hash }) => hash ?? path).join();
  const paths = ({ recordings }: BacktestPageData): string =>
    recordings.map(({ path }) => path).join(', ');
  if (contents(a) !== contents(b))
    notes.push(`the recordings differ: A played ${paths(a)}, B played ${paths(b)}`);
  for (const [name, one, other] of [
    ['A', a, b],
    ['B', b, a],
  ] as const) {
    const only = one.pairs.filter((pair) => !other.pairs.includes(pair));
    if (only.length > 0) notes.push(`only ${name} has ${only.join(', ')}, which is not compared`);
  }
  return notes;
}

function commonMarkets({ a, b }: ComparedPair): readonly (readonly [PageMarket, PageMarket])[] {
  return a.markets.flatMap((market) => {
    const other = b.markets.find(({ pair }) => pair === market.pair);
    return other === undefined ? [] : [[market, other] as const];
  });
}

function tablesOf(pair: ComparedPair): readonly PageTable[] {
  const markets = commonMarkets(pair);
  const named = (market: PageMarket, title: string): string =>
    markets.length > 1 ? `${market.pair}: ${title}` : title;
  return [
    ...markets.flatMap(([ours, theirs]) =>
      comparedTables(ours.tables, theirs.tables, (title) => named(ours, title)),
    ),
    ...comparedTables(pair.a.tables, pair.b.tables, (title) => title),
  ];
}

function comparedTables(
  ours: readonly PageTable[],
  theirs: readonly PageTable[],
  named: (title: string) => string,
): readonly PageTable[] {
  const titles = new Set([...ours, ...theirs].map(({ title }) => title));
  return [...titles].map((title) => {
    const [a, b] = [ours, theirs].map((tables) =>
      cellsOf(tables.find((table) => table.title === title)),
    ) as [Cells, Cells];
    const rows = [...new Set([...a.keys(), ...b.keys()])].map((name): PageRow => {
      const values = [a.get(name) ?? nothing, b.get(name) ?? nothing] as const;
      return { name, values: [...values, differenceOf(...values)] };
    });
    return { title: named(title), columns, rows };
  });
}

type Cells = ReadonlyMap<string, PageValue>;

const nothing = text(null);

/** Returns each value of a table by the name of its row, and of its column if it has one. */
function cellsOf(table: PageTable | undefined): Cells {
  const cells = new Map<string, PageValue>();
  if (table === undefined) return cells;
  const { title, columns: heads, rows } = table;
  for (const { name, values } of rows)
    for (const [index, value] of values.entries()) {
      if (index > 0 && shortened.includes(title)) break;
      const head = heads[index];
      cells.set(head === undefined ? name : `${name}: ${head}`, value);
    }
  return cells;
}

/** Returns `b - a`; of texts, whether they are the same. */
function differenceOf(a: PageValue, b: PageValue): PageValue {
  const isNumber = a.kind !== 'text' && a.kind === b.kind && a.unit === b.unit;
  if (isNumber && a.exact !== null && b.exact !== null)
    return { ...a, exact: new Decimal(b.exact).minus(a.exact).toFixed() };
  return text(a.exact === b.exact && a.kind === b.kind ? 'same' : 'different');
}

function overlaysOf(pair: ComparedPair): ComparisonPageData['overlays'] {
  const { a, b } = pair;
  const account =
    a.chart === undefined || b.chart === undefined
      ? []
      : [{ title: 'All markets', chart: overlayOf(a.chart, b.chart) }];
  return [
    ...account,
    ...commonMarkets(pair).map(([ours, theirs]) => ({
      title: ours.pair,
      chart: overlayOf(withoutPrices(ours.chart), withoutPrices(theirs.chart)),
    })),
  ];
}

/** Prices are shown side by side: laid over each other, they would hide each other. */
function withoutPrices({ panes, ...chart }: PageChart): PageChart {
  return { ...chart, panes: panes.slice(1) };
}

/** Returns each pane that both have, over the times of both; over the time since the start if
 * they have none in common. */
function overlayOf(a: PageChart, b: PageChart): PageChart {
  const areApart = endOf(a) < startOf(b) || endOf(b) < startOf(a);
  const [first, second] = areApart ? [sinceStart(a), sinceStart(b)] : [a, b];
  const times = [...new Set([...first.times, ...second.times])].sort((x, y) => x - y);
  const panes = first.panes.flatMap((pane): PagePane[] => {
    const other = second.panes.find(({ title }) => title === pane.title);
    if (other === undefined) return [];
    return [
      {
        ...pane,
        series: [
          ...pane.series.map((one) => seriesAt('A', one, first.times, times)),
          ...other.series.map((one) => ({
            ...seriesAt('B', one, second.times, times),
            look: 'b' as const,
          })),
        ],
      },
    ];
  });
  return { times, ...(areApart ? { isSinceStart: true as const } : {}), panes };
}

function seriesAt(
  result: 'A' | 'B',
  { isArea: _isArea, name, look, values }: PageSeries,
  from: readonly number[],
  times: readonly number[],
): PageSeries {
  let index = -1;
  const last = from.at(-1) ?? -Infinity;
  const at = times.map((time) => {
    while (index + 1 < from.length && (from[index + 1] as number) <= time) index++;
    // Before its first value and after its last one, a result has none.
    return index === -1 || time > last ? null : (values[index] ?? null);
  });
  return { name: `${result}: ${name}`, look, values: at };
}

function sinceStart(chart: PageChart): PageChart {
  const start = startOf(chart);
  return { ...chart, times: chart.times.map((time) => time - start) };
}

function startOf({ times }: PageChart): number {
  return times[0] ?? 0;
}

function endOf({ times }: PageChart): number {
  return times.at(-1) ?? 0;
}
