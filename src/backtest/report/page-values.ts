/** Makes the values, rows and tables of a page. */
import type { PageRow, PageTable, PageValue } from './page-data.ts';

type Exact = string | number | null;

function exactValue(kind: PageValue['kind'], exact: Exact, unit?: string): PageValue {
  const text = exact === null ? null : String(exact);
  return unit === undefined ? { kind, exact: text } : { kind, exact: text, unit };
}

export const text = (exact: string | null): PageValue => exactValue('text', exact);
export const amount = (exact: string | null, unit: string): PageValue =>
  exactValue('amount', exact, unit);
export const count = (exact: number | null): PageValue => exactValue('count', exact);
export const share = (exact: number | null): PageValue => exactValue('share', exact);
export const bps = (exact: number | null): PageValue => exactValue('bps', exact);
export const ratio = (exact: number | null): PageValue => exactValue('ratio', exact);
export const seconds = (exact: number | null): PageValue => exactValue('seconds', exact);

/** Returns a row with one value or more. */
export function row(name: string, ...values: readonly PageValue[]): PageRow {
  return { name, values };
}

export function list(title: string, rows: readonly PageRow[]): PageTable {
  return { title, columns: [], rows };
}

export function textList(
  title: string,
  rows: readonly (readonly [name: string, value: string])[],
): PageTable {
  return list(
    title,
    rows.map(([name, value]) => row(name, text(value))),
  );
}
