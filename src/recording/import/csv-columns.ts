/** The first line of a table: the columns that it names, and the errors for an invalid line. */
import { DecodeError } from '../../domain/errors.ts';
import { type TimeColumn, timeColumns } from './csv-time.ts';

export type CsvColumns = {
  /** The index of each column. */
  readonly places: ReadonlyMap<string, number>;
  readonly time: TimeColumn;
};

/** Returns the columns in `line`. Throws DecodeError; its message begins with `where`. */
export function csvColumns(
  line: { readonly text: string; readonly values: readonly string[]; readonly where: string },
  needed: readonly string[],
): CsvColumns {
  const { values, where } = line;
  const places = new Map(values.map((name, index) => [name.trim(), index]));
  const times = timeColumns.filter((name) => places.has(name));
  const [time] = times;
  const missing = needed.filter((name) => !places.has(name));
  if (time === undefined || missing.length > 0) {
    const [first, ...others] = timeColumns;
    const all = [`${first} (or ${others.join(', ')})`, ...needed].join(', ');
    const columns = [...(time === undefined ? [first] : []), ...missing];
    throw new DecodeError(
      `${where}: lacks the column${columns.length === 1 ? '' : 's'} ${columns.join(', ')}; ` +
        `required are ${all}; found ${JSON.stringify(line.text.slice(0, 200))}${hintOf(line)}`,
    );
  }
  if (places.size !== values.length) throw new DecodeError(`${where}: a column is named twice`);
  if (times.length > 1)
    throw new DecodeError(
      `${where}: has the columns ${times.join(' and ')}; exactly one time column is allowed`,
    );
  return { places, time };
}

/** Returns a hint about a line that does not name the columns, or an empty text. */
function hintOf(line: { readonly text: string; readonly values: readonly string[] }): string {
  if (line.text.includes('\0')) return ': the text is UTF-16 and must be UTF-8';
  const separators = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' };
  for (const [separator, name] of Object.entries(separators))
    if (line.values.length === 1 && line.text.includes(separator))
      return `: values are separated by ${name} and must be separated by commas`;
  if (line.text.startsWith('#')) return ': comment lines are not allowed';
  const hasAmounts = line.values.some((value) => /^-?\d/u.test(value));
  return hasAmounts ? ': the first line must name the columns' : '';
}
