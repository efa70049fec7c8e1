/**
 * Reads CSV with a first line of column names, plain or gzipped, line by line.
 *
 * A value may be quoted. It must be if it has a comma or begins with a quote; quotes in it are then
 * doubled. A value cannot span lines. One column is the time.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { DecodeError } from '../../domain/errors.ts';
import { checkInputFile } from '../../runtime/input-file.ts';
import { type CsvColumns, csvColumns } from './csv-columns.ts';
import { allowedTime, parseMicros } from './csv-time.ts';
import { TextLines } from './text-lines.ts';

export class CsvRow {
  readonly #columns: CsvColumns;
  readonly #values: readonly string[];
  readonly where: string;

  constructor(columns: CsvColumns, values: readonly string[], where: string) {
    this.#columns = columns;
    this.#values = values;
    this.where = where;
  }

  /** The names of the columns. */
  get columns(): readonly string[] {
    return [...this.#columns.places.keys()];
  }

  /** Returns a column's text; empty if there is no such column. */
  text(name: string): string {
    const index = this.#columns.places.get(name);
    return index === undefined ? '' : (this.#values[index] ?? '');
  }

  /** Returns the value that a column's text stands for; throws DecodeError for another text. */
  oneOf<Value>(name: string, values: Readonly<Record<string, Value>>): Value {
    const text = this.text(name);
    const value = Object.hasOwn(values, text) ? values[text] : undefined;
    if (value !== undefined) return value;
    throw this.wrong(name, Object.keys(values).join(', '));
  }

  /** Returns the row's time in microseconds; throws DecodeError if it is invalid. */
  micros(): number {
    const { time } = this.#columns;
    const micros = parseMicros(this.text(time), time);
    if (micros === undefined) throw this.wrong(time, allowedTime(this.text(time), time));
    return micros;
  }

  /** Whether the row's time has digits below a microsecond, which {@link micros} leaves out. */
  get isTimeCut(): boolean {
    return this.#columns.time === 'time_ns' && !/^\d{0,2}$|000$/u.test(this.text('time_ns'));
  }

  wrong(name: string, allowed: string): DecodeError {
    return new DecodeError(
      `${this.where}: ${name} must be ${allowed}; was "${this.text(name).slice(0, 80)}"`,
    );
  }
}

/**
 * Yields the rows in the first `bytes` of a file, in batches. Throws NotFoundError, or DecodeError
 * with file and line.
 */
export async function* csvRows(
  { path, bytes }: { readonly path: string; readonly bytes: number },
  needed: readonly string[],
): AsyncGenerator<readonly CsvRow[], void> {
  checkInputFile(path);
  const source = createReadStream(path, { highWaterMark: 1 << 18, end: Math.max(0, bytes - 1) });
  const plain = isGzip(path) ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => plain.destroy(error));
  const text = new TextLines(path);
  let line = 0;
  let columns: CsvColumns | undefined;
  const rowsOf = (lines: readonly string[]): CsvRow[] => {
    const rows: CsvRow[] = [];
    for (const raw of lines) {
      line++;
      const content = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (content === '') continue;
      const where = `${path}:${line}`;
      const values = valuesIn(content, where);
      if (columns === undefined) columns = csvColumns({ text: content, values, where }, needed);
      else if (values.length !== columns.places.size)
        throw new DecodeError(
          `${where}: must have ${columns.places.size} columns, has ${values.length}`,
        );
      else rows.push(new CsvRow(columns, values, where));
    }
    return rows;
  };
  try {
    for await (const chunk of plain) yield rowsOf(text.take(chunk as Buffer));
    yield rowsOf([text.rest()]);
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause;
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  } finally {
    source.destroy();
  }
  if (columns === undefined)
    throw new DecodeError(`${path}: is empty; it needs a first line of column names`);
}

/**
 * Returns whether a file is gzipped, by its first bytes: its name may be wrong. Throws DecodeError
 * for another kind of compressed file.
 */
function isGzip(path: string): boolean {
  const first = firstBytesOf(path);
  for (const [mark, kind, command] of otherFormats)
    if (first.startsWith(mark))
      throw new DecodeError(
        `${path}: is a ${kind} file; unpack it with "${command}", then import the table that was in it`,
      );
  return first.startsWith('1f8b');
}

/** The first bytes in hexadecimal, the kind of file that begins with them, and what unpacks it. */
const otherFormats = [
  ['504b0304', 'ZIP', 'unzip'],
  ['28b52ffd', 'Zstandard', 'zstd -d'],
  ['425a68', 'bzip2', 'bunzip2'],
  ['fd377a58', 'xz', 'unxz'],
] as const;

function firstBytesOf(path: string): string {
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(4);
    return bytes.toString('hex', 0, readSync(handle, bytes));
  } finally {
    closeSync(handle);
  }
}

/** Returns the values in a line. Throws DecodeError; its message begins with `where`. */
function valuesIn(line: string, where: string): readonly string[] {
  if (!line.includes('"')) return line.split(',');
  const values: string[] = [];
  // Each match is one value with the comma before it.
  for (const [, quoted, plain = ''] of `,${line}`.matchAll(
    /,(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/gu,
  )) {
    if (plain.startsWith('"'))
      throw new DecodeError(
        `${where}: a quoted value must end before a comma or the end of the line: ${plain.slice(0, 80)}`,
      );
    values.push(quoted?.replaceAll('""', '"') ?? plain);
  }
  return values;
}
