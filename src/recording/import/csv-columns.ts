/** The first line of a table: the columns it names, and what is said of a line that is none. */
import { DecodeError } from '../../domain/errors.ts';
import { type TimeColumn, timeColumns } from './csv-time.ts';

export type CsvColumns = {
  /** Where each column stands. */
  readonly places: ReadonlyMap<string, number>;
  readonly time: TimeColumn;
};

/** Returns the columns in `line`; throws DecodeError that begins with `where`. */
export function csvColumns(
  line: { readonly text: string; readonly values: readonly string[]; readonly where: string },
  needed: readonly string[],
): CsvColumns {
  const { values, where } = line;
  const places = new Map(values.map((name, index) => [name.trim(), index]));
  const times = timeColumns.filter((name) => places.has(name));
  const [time] = times;
  const lacking = needed.filter((name) => !places.has(name));
  if (time === undefined || lacking.length > 0) {
    const [first, ...others] = timeColumns;
    const all = [`${first} (or ${others.join(', ')})`, ...needed].join(', ');
    const columns = [...(time === undefined ? [first] : []), ...lacking];
    throw new DecodeError(
      `${where}: lacks the column${columns.length === 1 ? '' : 's'} ${columns.join(', ')}; ` +
        `needs ${all}; found ${JSON.stringify(line.text.slice(0, 200))}${hintOf(line)}`,
    );
  }
  if (places.size !== values.length) throw new DecodeError(`${where}: a column is named twice`);
  if (times.length > 1)
    throw new DecodeError(`${where}: has the columns ${times.join(' and ')}; one time is wanted`);
  return { places, time };
}

/** Returns what may be wrong with a line that does not name the columns. */
function hintOf(line: { readonly text: string; readonly values: readonly string[] }): string {
  if (line.text.includes('\0')) return ': it is UTF-16; UTF-8 is wanted';
  const separators = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' };
  for (const [separator, name] of Object.entries(separators))
    if (line.values.length === 1 && line.text.includes(separator))
      return `: it is separated by ${name}; commas are wanted`;
  if (line.text.startsWith('#')) return ': comments are not read';
  const hasAmounts = line.values.some((value) => /^-?\d/u.test(value));
  return hasAmounts ? ': the first line must name the columns' : '';
}
