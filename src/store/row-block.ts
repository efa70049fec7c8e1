/**
 * Many rows as one text: a column for each member, which is shorter and quicker to write than the
 * rows one after the other. A value that all rows share is written once, and whole numbers as
 * differences from the first one.
 */

/** A member of all rows; `null` stands for undefined. */
type Column =
  | { readonly name: string; readonly same: unknown }
  | { readonly name: string; readonly from: number; readonly by: readonly number[] }
  | { readonly name: string; readonly values: readonly unknown[] };

type Block = { readonly count: number; readonly columns: readonly Column[] };

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns rows as text. All rows must have the same members, in the same order; their values must
 * be texts, numbers, booleans or undefined. There must be at least one row.
 */
export function encodeRows(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] as object).map((name) => columnOf(rows, name));
  return JSON.stringify({ count: rows.length, columns } satisfies Block);
}

function columnOf(rows: readonly object[], name: string): Column {
  const first = (rows[0] as Members)[name] ?? null;
  let same = 1;
  while (same < rows.length && ((rows[same] as Members)[name] ?? null) === first) same++;
  if (same === rows.length) return { name, same: first };
  const values: unknown[] = [];
  let isWhole = true;
  for (const row of rows) {
    const value = (row as Members)[name] ?? null;
    values.push(value);
    if (isWhole && !Number.isSafeInteger(value)) isWhole = false;
  }
  if (!isWhole) return { name, values };
  const from = first as number;
  return { name, from, by: values.map((value) => (value as number) - from) };
}

/** Returns the rows of a text that {@link encodeRows} made, without undefined members. */
export function decodeRows(text: string): readonly object[] {
  const { count, columns } = JSON.parse(text) as Block;
  const rows: Record<string, unknown>[] = [];
  for (let at = 0; at < count; at++) {
    const row: Record<string, unknown> = {};
    for (const column of columns) {
      const value = valueIn(column, at);
      if (value !== null) row[column.name] = value;
    }
    rows.push(row);
  }
  return rows;
}

function valueIn(column: Column, at: number): unknown {
  if ('same' in column) return column.same;
  return 'by' in column ? column.from + (column.by[at] as number) : column.values[at];
}
