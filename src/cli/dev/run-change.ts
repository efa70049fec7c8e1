/** What a run of `millrace dev` shows on the terminal: its figures, and what changed. */
import { Decimal } from '../../domain/money.ts';
import { printedByPlugin } from '../../terminal/console-output.ts';

/** Figures of a run by name, in the order in which they are shown; amounts are exact texts. */
export type RunFigures = ReadonlyMap<string, string>;

type Json = { readonly [name: string]: unknown };

/** Returns the figures in the result of a backtest; `result` is what `backtest --json` prints. */
export function figuresOf(result: Json): RunFigures {
  const figures = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'number' || typeof value === 'string') figures.set(name, String(value));
  };
  add('orders', result['orders']);
  add('fills', result['fills']);
  add('profit', result['profit']);
  for (const [pair, metrics] of marketsOf(result)) {
    const trader = partOf(metrics, 'trader');
    const of = pair === undefined ? '' : ` ${pair}`;
    if (pair !== undefined) add(`profit${of}`, trader['profit']);
    add(`drawdown${of}`, trader['drawdownMax']);
  }
  add('drawdown', partOf(result, 'account')['drawdownMax']);
  const refusals = partOf(result, 'refusals');
  add('refusals', sumOf(partOf(refusals, 'gate')) + sumOf(partOf(refusals, 'exchange')));
  return figures;
}

/** Returns a line for each figure: its value, and if it changed since `before`, from what. */
export function changeLines(now: RunFigures, before: RunFigures | undefined): readonly string[] {
  const rows = [...now].map(([name, value]) => {
    const old = before?.get(name);
    if (old === undefined) return [name, value, ''];
    return [name, value, old === value ? 'as before' : `was ${old}, ${differenceOf(value, old)}`];
  });
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([name = '', value = '', change = '']) =>
    `  ${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${change}`.trimEnd(),
  );
}

/** Returns the warnings and what plugins printed; `said` is all that a run wrote to stderr. */
export function noticesIn(said: readonly string[]): readonly string[] {
  return said.filter(
    (line) => line.startsWith('!') || line.startsWith(printedByPlugin) || line.includes(' print '),
  );
}

function differenceOf(value: string, old: string): string {
  const difference = new Decimal(value).minus(old);
  return `${difference.isNegative() ? '' : '+'}${difference.toFixed()}`;
}

/** Returns the figures of each market; without a pair, if there is only one. */
function marketsOf(result: Json): readonly (readonly [string | undefined, Json])[] {
  const metrics = partOf(result, 'metrics');
  if (metrics['trader'] !== undefined) return [[undefined, metrics]];
  return Object.keys(metrics).map((pair) => [pair, partOf(metrics, pair)]);
}

function partOf(of: Json, name: string): Json {
  const part = of[name];
  return typeof part === 'object' && part !== null ? (part as Json) : {};
}

function sumOf(counts: Json): number {
  return Object.values(counts).reduce<number>(
    (sum, count) => sum + (typeof count === 'number' ? count : 0),
    0,
  );
}
