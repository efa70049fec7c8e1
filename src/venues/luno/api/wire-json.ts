/**
 * JSON that keeps long numbers exact in both directions.
 *
 *     {"account_id":8203463422864003664}  ⇄  { account_id: 8203463422864003664n }
 *     {"balance":123456789012.12345678}    →  { balance: "123456789012.12345678" }
 *
 * Invariant: a number that JavaScript cannot hold exactly is never rounded: an integer becomes a
 * bigint, a fraction its source text. The exchange sends such integers as account ids and
 * sequences, and has sent ledger amounts as numbers.
 */
import { Decimal } from '../../../domain/money.ts';

// Fifteen significant digits always fit; sixteen digits or points in a row may not. Digits after a
// quote are text, as most long numbers are. A match inside a string only costs the slow path.
const maybeInexact = /(?:^|[:,[\s])-?[\d.]*(?:[eE][+-]?)?[\d.]{16}/u;

/** The length of the shortest run of digits and points that {@link maybeInexact} matches. */
const runLength = 16;

/** A long integer as a member of an object, as all of them are that the exchange sends. */
const longMember = /(?<="\w+":)[1-9]\d{15,18}(?=[,}])/gu;

/** Ends a string in the place of an integer. JSON has only this spelling of the character. */
const mark = '\u0000';
const markEscaped = '\\u0000';

/**
 * Returns the value of `text`, with long numbers as described above. Throws SyntaxError for invalid
 * JSON and RangeError for JSON that is nested too deeply.
 */
export function parseWireJson(text: string): unknown {
  if (!hasLongRun(text) || !maybeInexact.test(text)) return JSON.parse(text);
  // Strings in the place of integers are several times faster than a function for each value. A
  // quoted name and a colon are never part of a string, since quotes in strings are escaped.
  const marked = text.replace(longMember, `"$&${markEscaped}"`);
  const isMarked = !hasLongRun(marked) || !maybeInexact.test(marked);
  if (!isMarked || text.includes(markEscaped)) return parseNumberByNumber(text);
  return withIntegers(JSON.parse(marked));
}

/**
 * Returns whether sixteen or more digits and points follow each other, and not a quote: only then
 * can {@link maybeInexact} match. It looks at every sixteenth character, so it takes a tenth of the
 * time of the pattern.
 */
function hasLongRun(text: string): boolean {
  for (let at = runLength - 1; at < text.length; at += runLength) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let begin = at;
    while (begin > 0 && isDigitOrPoint(text.charCodeAt(begin - 1))) begin--;
    let end = at + 1;
    while (end < text.length && isDigitOrPoint(text.charCodeAt(end))) end++;
    if (end - begin >= runLength && text[begin - 1] !== '"') return true;
    // The next run begins behind this one, which is read once, however long it is.
    at = end;
  }
  return false;
}

function isDigitOrPoint(code: number): boolean {
  // 0 to 9, or a point.
  return (code >= 48 && code <= 57) || code === 46;
}

function parseNumberByNumber(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || source.length < 16) return value;
    if (/^-?\d+$/u.test(source)) return integerOf(source);
    return isExact(value, source) ? value : source;
  });
}

/** Returns whether `value` is exactly the number in `source`. */
function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && new Decimal(source).eq(value);
}

/** Returns `value` with integers in the place of the marked strings. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'string')
    return value.endsWith(mark) ? integerOf(value.slice(0, -1)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const before = members[name];
    const after = withIntegers(before);
    if (after === before) continue;
    // An assignment to a member with this name would have no effect. Elsewhere it keeps the shape
    // of the object, which V8's optimised code depends on.
    if (name === '__proto__') Object.defineProperty(members, name, { value: after });
    else members[name] = after;
  }
  return value;
}

function integerOf(source: string): number | bigint {
  const value = Number.parseInt(source, 10);
  return Number.isSafeInteger(value) ? value : BigInt(source);
}

type RawJson = typeof JSON & { rawJSON(text: string): unknown };

/** Returns `value` as JSON text; a bigint becomes a plain JSON integer. */
export function stringifyWireJson(value: unknown): string {
  // A replacer function makes JSON.stringify several times slower.
  if (!hasBigInt(value)) return JSON.stringify(value);
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? (JSON as RawJson).rawJSON(inner.toString()) : inner,
  );
}

function hasBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  for (const inner of Object.values(value)) if (hasBigInt(inner)) return true;
  return false;
}
