/**
 * Reads comma-separated text with a first line of column names, plain or gzipped, line by line.
 *
 * A value may be quoted, which it must be if it has a comma or begins with a quote; a quote in it
 * stands twice. None spans lines. Times stand in a column `time_us`, `time_ms` or
 * `time_ns`, integers since the epoch.
 */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { DecodeError, NotFoundError } from '../domain/errors.ts';

export class CsvRow {
  readonly #columns: ReadonlyMap<string, number>;
  readonly #values: readonly string[];
  readonly where: string;

  constructor(columns: ReadonlyMap<string, number>, values: readonly string[], where: string) {
    this.#columns = columns;
    this.#values = values;
    this.where = where;
  }

  /** Returns a column's text, empty if there is no such column. */
  text(name: string): string {
    const index = this.#columns.get(name);
    return index === undefined ? '' : (this.#values[index] ?? '');
  }

  /** Returns one of `values`; throws DecodeError for another text. */
  oneOf<Value>(name: string, values: Readonly<Record<string, Value>>): Value {
    const text = this.text(name);
    const value = Object.hasOwn(values, text) ? values[text] : undefined;
    if (value !== undefined) return value;
    throw this.wrong(name, Object.keys(values).join(', '));
  }

  /** Returns what `parse` makes of a column; throws DecodeError if that is nothing. */
  parsed<Value>(name: string, parse: (text: string) => Value | undefined, allowed: string): Value {
    const value = parse(this.text(name));
    if (value === undefined) throw this.wrong(name, allowed);
    return value;
  }

  /** Returns the row's time in microseconds. */
  micros(): number {
    for (const [name, digits] of [
      ['time_us', 0],
      ['time_ms', 3],
      ['time_ns', -3],
    ] as const) {
      if (!this.#columns.has(name)) continue;
      const text = this.text(name);
      const micros = digits < 0 ? text.slice(0, digits) : `${text}${'0'.repeat(digits)}`;
      if (!/^\d{1,20}$/u.test(text) || !/^\d{1,16}$/u.test(micros))
        throw this.wrong(name, 'an integer since the epoch');
      return Number.parseInt(micros, 10);
    }
    throw new DecodeError(`${this.where}: needs a column time_us, time_ms or time_ns`);
  }

  wrong(name: string, allowed: string): DecodeError {
    return new DecodeError(
      `${this.where}: ${name} must be ${allowed}; was "${this.text(name).slice(0, 80)}"`,
    );
  }
}

/** Yields the rows in batches. Throws NotFoundError, or DecodeError with file and line. */
export async function* csvRows(
  path: string,
  needed: readonly string[],
): AsyncGenerator<readonly CsvRow[], void> {
  const source = createReadStream(path, { highWaterMark: 1 << 18 });
  const plain = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => plain.destroy(error));
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  let columns: ReadonlyMap<string, number> | undefined;
  const rowsOf = (lines: readonly string[]): CsvRow[] => {
    const rows: CsvRow[] = [];
    for (const ended of lines) {
      line++;
      const text = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      if (text === '') continue;
      const where = `${path}:${line}`;
      const values = valuesIn(text, where);
      if (columns === undefined) columns = columnsOf(values, needed, where);
      else if (values.length !== columns.size)
        throw new DecodeError(`${where}: must have ${columns.size} columns, has ${values.length}`);
      else rows.push(new CsvRow(columns, values, where));
    }
    return rows;
  };
  try {
    for await (const chunk of plain) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield rowsOf(lines);
    }
    yield rowsOf([rest]);
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw new NotFoundError(`${path} is not there`);
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  } finally {
    source.destroy();
  }
  if (columns === undefined)
    throw new DecodeError(`${path}: is empty; a line of column names is needed`);
}

/** Returns the values in a line; throws DecodeError that begins with `where`. */
function valuesIn(line: string, where: string): readonly string[] {
  if (!line.includes('"')) return line.split(',');
  const values: string[] = [];
  // One value at a time, each with the comma in front of it.
  for (const [, quoted, plain = ''] of `,${line}`.matchAll(
    /,(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/gu,
  )) {
    if (plain.startsWith('"'))
      throw new DecodeError(
        `${where}: a quote must end before a comma or the line's end: ${plain.slice(0, 80)}`,
      );
    values.push(quoted?.replaceAll('""', '"') ?? plain);
  }
  return values;
}

function columnsOf(
  names: readonly string[],
  needed: readonly string[],
  where: string,
): ReadonlyMap<string, number> {
  const columns = new Map(names.map((name, index) => [name.trim(), index]));
  if (columns.size !== names.length) throw new DecodeError(`${where}: a column is named twice`);
  for (const name of needed)
    if (!columns.has(name))
      throw new DecodeError(`${where}: lacks the column ${name}; needs ${needed.join(', ')}`);
  return columns;
}
