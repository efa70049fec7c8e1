/** Writes a recording as CSV, in the columns that import-csv.ts reads. */
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { Recording } from '../file/recording.ts';
import { type ExportColumn, type ExportRow, exportTableOf } from './export-rows.ts';

/** Yields the text in slices of some thousand lines. Throws DecodeError for a damaged recording. */
export function* exportCsv(recording: Recording): Generator<string, void> {
  const { columns, market, rows } = exportTableOf(recording);
  const titles = columns.map(({ name, kind }) => (kind === 'time' ? `${name}_us` : name));
  yield `${titles.join(',')}\n`;
  for (const block of rows()) yield block.map((row) => lineOf(row, columns, market)).join('');
}

function lineOf(row: ExportRow, columns: readonly ExportColumn[], market: Market): string {
  let line = '';
  for (const [index, { kind }] of columns.entries())
    line += `${index === 0 ? '' : ','}${textOf(row[index], kind, market)}`;
  return `${line}\n`;
}

function textOf(value: ExportRow[number], kind: ExportColumn['kind'], market: Market): string {
  if (value === undefined) return '';
  if (typeof value === 'number') {
    if (kind === 'price') return formatTicks(ticksOf(value), market);
    if (kind === 'volume') return formatLots(lotsOf(value), market);
  }
  if (kind === 'flag') return value === true ? '1' : '0';
  const text = String(value);
  return /[",]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
