/** `millrace compare A B` with two results of backtests: their figures side by side, and a page. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareResults } from '../../backtest/compare/compare-results.ts';
import type { BacktestPageData, PageTable, PageValue } from '../../backtest/report/page-data.ts';
import { decimalOf } from '../../domain/money.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { selfContainedPage } from '../../runtime/page-document.ts';
import { writeFileAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { programVersion } from '../program-version.ts';
import { goneRecordings, readResultPage } from '../result-page.ts';
import { prepareWritableFolder } from '../writable-folder.ts';

export type CompareResultsOptions = {
  /** The paths of two results: of their pages, or of the JSON files beside them. */
  readonly a: string;
  readonly b: string;
  readonly workspace: Workspace;
  readonly output: Output;
};

/**
 * Prints every figure that differs, and writes a page into the folder of the first result. Returns
 * exit code 0 even if there are differences, since they are the result.
 */
export async function runCompareResults(options: CompareResultsOptions): Promise<number> {
  const { workspace, output } = options;
  const [a, b] = [readResultPage(options.a), readResultPage(options.b)];
  const gone = [...goneRecordings('A', a), ...goneRecordings('B', b)];
  const comparison = compareResults({ a, b }, programVersion(workspace.root), gone);
  const folder = dirname(options.a);
  prepareWritableFolder(folder);
  const page = join(folder, `compare-${a.hash.slice(0, 8)}-${b.hash.slice(0, 8)}.html`);
  const { tables, notes } = comparison;
  output.result(
    {
      a: { scenario: a.scenario, hash: a.hash },
      b: { scenario: b.scenario, hash: b.hash },
      ...{ notes, tables, report: page },
    },
    [
      `A  ${nameOf(a)}`,
      `B  ${nameOf(b)}`,
      ...notes.map((note) => `!  ${note}`),
      ...tables.flatMap(linesOf),
      '',
      `report  ${page}`,
    ],
  );
  const title = `Comparison of ${a.scenario} and ${b.scenario}`;
  const text = selfContainedPage({ title, content: comparison }, { hasCandles: false });
  await writeFileAtomically(page, (partial) => writeFileSync(partial, text));
  return exitCodes.ok;
}

function nameOf({ scenario, hash, from, to }: BacktestPageData): string {
  return `${scenario} ${hash.slice(0, 16)}, ${from} to ${to}`;
}

/** Returns the rows that differ below the title; nothing if all are equal. */
function linesOf({ title, columns, rows }: PageTable): readonly string[] {
  const differing = rows.filter(({ values: [a, b] }) => a?.exact !== b?.exact);
  if (differing.length === 0) return [];
  const cells = [
    [title, ...columns],
    ...differing.map(({ name, values }) => [name, ...values.map(shown)]),
  ];
  const widths = cells[0]?.map((_, index) =>
    Math.max(...cells.map((row) => row[index]?.length ?? 0)),
  );
  return [
    '',
    ...cells.map((row) =>
      row
        .map((cell, index) =>
          index === 0 ? cell.padEnd(widths?.[index] ?? 0) : cell.padStart(widths?.[index] ?? 0),
        )
        .join('  '),
    ),
  ];
}

function shown({ kind, exact, unit }: PageValue): string {
  if (exact === null) return 'n/a';
  if (kind === 'share') return `${decimalOf(exact).times(100).toFixed()} %`;
  if (kind === 'seconds') return `${decimalOf(exact).toDecimalPlaces(3).toFixed()} s`;
  const named = unit ?? (kind === 'bps' ? 'bps' : undefined);
  return named === undefined ? exact : `${exact} ${named}`;
}
