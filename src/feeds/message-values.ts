/**
 * Takes the numbers out of a message of a feed: JSON, or a row of a table. Numbers keep the digits
 * that they have in the text.
 */
import { DecodeError } from '../domain/errors.ts';
import { type FeedSource, type FeedValues, plainNumber } from '../domain/feed.ts';

/** What a message says. */
export type MessageValues = {
  readonly values: FeedValues;
  /** The source's own time; undefined if the settings do not look at it. */
  readonly timeMs: number | undefined;
};

type MessageRule = Pick<FeedSource, 'fields' | 'time'>;

const shownMax = 60;

/** Returns the numbers of a JSON text. Throws DecodeError for one without them. */
export function valuesOfJson(text: string, rule: MessageRule): MessageValues {
  const document = parsed(text);
  return valuesBy((path) => memberOf(document, path), rule);
}

/** Returns the numbers of a row of a table. Throws DecodeError for one without them. */
export function valuesOfRow(header: string, row: string, rule: MessageRule): MessageValues {
  const names = header.split(',').map((name) => name.trim());
  const cells = row.split(',').map((cell) => cell.trim());
  if (cells.length !== names.length)
    throw new DecodeError(
      `the last line has ${cells.length} columns, and the first one ${names.length}`,
    );
  const columnOf = (path: string) => cells[names.indexOf(path === '' ? 'value' : path)];
  return valuesBy(columnOf, rule);
}

function valuesBy(at: (path: string) => unknown, { fields, time }: MessageRule): MessageValues {
  const values = Object.entries(fields).map(([name, path]): [string, string] => {
    const found = at(path);
    const number = typeof found === 'string' ? plainNumber(found) : undefined;
    if (number !== undefined) return [name, number];
    throw new DecodeError(`${placeText(path)} is ${shown(found)}, not a number`);
  });
  return {
    values: Object.fromEntries(values),
    timeMs: time === undefined ? undefined : timeOf(time, at(time)),
  };
}

function placeText(path: string): string {
  return path === '' ? 'the message' : path;
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

type ReviverContext = { readonly source?: string };

/** Returns a document whose numbers are the texts that stood for them. */
function parsed(text: string): unknown {
  const keepDigits = (_name: string, value: unknown, context?: ReviverContext): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  try {
    return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown) as unknown;
  } catch {
    throw new DecodeError(`the message is not JSON: ${shown(text)}`);
  }
}

function memberOf(document: unknown, path: string): unknown {
  if (path === '') return isObject(document) ? memberOf(document, 'value') : document;
  let value = document;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Up to which number a time since the epoch has a unit, and its milliseconds times a million. */
const units = [
  [1e11, 1e9],
  [1e14, 1e6],
  [1e17, 1e3],
  [1e20, 1],
] as const;

/** Returns a time in milliseconds: ISO 8601 with a zone, or a number since the epoch. */
function timeOf(path: string, value: unknown): number {
  const text = typeof value === 'string' ? value : '';
  if (/^\d{1,19}(?:\.\d{1,9})?$/u.test(text)) {
    // A time, not money.
    const number = Number.parseFloat(text);
    const [, factor] = units.find(([end]) => number < end) ?? units[0];
    return Math.round((number * factor) / 1e6);
  }
  const timeMs = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? Date.parse(text) : NaN;
  if (Number.isFinite(timeMs)) return timeMs;
  throw new DecodeError(
    `${placeText(path)} is ${shown(value)}, not a time: a number since 1970, or ISO 8601 with a zone`,
  );
}
