/**
 * Reads the table of a feed for a backtest: a time column (`time_ms`, `time_us` or `time_ns`), when
 * each value was received, and a column for each number. If it has one number only, that is the
 * feed's `value`, whatever its column is called.
 */
import { statSync } from 'node:fs';
import { DecodeError } from '../../domain/errors.ts';
import { type FeedReading, plainNumber } from '../../domain/feed.ts';
import { checkInputFile } from '../../runtime/input-file.ts';
import { csvRows } from './csv-file.ts';
import { timeColumns } from './csv-time.ts';

/**
 * Returns the readings of feed `name` in the file at `path`, up to `toMicros`. Throws
 * NotFoundError, or DecodeError with file and line.
 */
export async function readFeedTable(
  path: string,
  name: string,
  limits: {
    readonly toMicros: number;
    readonly readingsMax: number;
    /** The numbers that it must have, if they are known. */
    readonly fields?: readonly string[];
  },
): Promise<readonly FeedReading[]> {
  checkInputFile(path);
  const readings: FeedReading[] = [];
  let lastMicros = 0;
  for await (const rows of csvRows({ path, bytes: statSync(path).size }, [])) {
    for (const row of rows) {
      const receivedMicros = row.micros();
      if (receivedMicros < lastMicros)
        throw new DecodeError(
          `${row.where}: time goes back: a feed's lines are in the order in which they were received`,
        );
      lastMicros = receivedMicros;
      if (receivedMicros > limits.toMicros) return readings;
      const values = row.columns
        .filter((column) => !isTime(column))
        .map((column): [string, string] => {
          const number = plainNumber(row.text(column).trim());
          if (number === undefined) throw row.wrong(column, 'a number such as 1012000.5');
          return [column, number];
        });
      if (values.length === 0)
        throw new DecodeError(`${path}:1: lacks a column with the numbers, such as value`);
      const [only] = values.length === 1 ? values : [];
      const all = only === undefined ? values : [...values, ['value', only[1]] as const];
      if (readings.length === 0) checkFields(path, name, limits.fields, all);
      readings.push({ name, values: Object.fromEntries(all), receivedMicros });
      if (readings.length > limits.readingsMax)
        throw new DecodeError(
          `${row.where}: has more than ${limits.readingsMax} values, which a backtest keeps in memory: split the table`,
        );
    }
  }
  return readings;
}

/** Throws DecodeError if the table lacks a number that strategies may ask for. */
function checkFields(
  path: string,
  feed: string,
  fields: readonly string[] = [],
  values: readonly (readonly [column: string, number: string])[],
): void {
  const columns = values.map(([column]) => column);
  const missing = fields.filter((field) => !columns.includes(field));
  if (missing.length === 0) return;
  throw new DecodeError(
    `${path}:1: lacks the column ${missing.join(' and ')}, a number of the feed ${feed} in the bot's file; its numbers are ${columns.join(', ')}`,
  );
}

function isTime(column: string): boolean {
  return (timeColumns as readonly string[]).includes(column);
}
