/** What the page of a result holds, as a browser reads it. */
import { readFileSync } from 'node:fs';
import type { BacktestPageData, PageTable } from '../../src/backtest/report/page-data.ts';

/** Returns the data of a self-contained page; by default those of a backtest. */
export function pageContentIn<Content = BacktestPageData>(path: string): Content {
  const page = readFileSync(path, 'utf8');
  const data = /<script type="application\/json" id="page">(.*?)<\/script>/su.exec(page)?.[1];
  if (data === undefined) throw new Error(`${path} has no data`);
  return JSON.parse(data);
}

/** Returns the exact first value of each row of a table. */
export function figuresIn(tables: readonly PageTable[], title: string): Record<string, string> {
  const table = tables.find((one) => one.title === title);
  if (table === undefined)
    throw new Error(`no table "${title}"; there are ${tables.map((one) => one.title).join(', ')}`);
  return Object.fromEntries(
    table.rows.map(({ name, values }) => [name, values[0]?.exact ?? 'not known']),
  );
}
