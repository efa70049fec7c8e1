/** Readers of single values: text, choices, amounts, spans, shares, whole numbers, instants. */
import { isMap, isScalar } from 'yaml';
import { decimalOf, formatDecimal, parseDecimal } from '../domain/money.ts';
import { parseShare, parseSignedShare, parseSpanUs } from '../domain/unit-text.ts';
import { type Field, field, isQuoted, refuse, sourceOf } from './field.ts';
import { nearestWord } from './nearest-word.ts';

const amountPattern = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?$/u;

/** Reads text that matches `pattern`; `allowed` says in words what that is. */
export function text(pattern: RegExp, allowed: string): Field<string> {
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    if (typeof node.value === 'string' && pattern.test(node.value)) return node.value;
    // YAML made a number or a boolean of it; the text itself may be what was meant.
    const source = sourceOf(node);
    const fits = typeof node.value !== 'string' && node.value !== null && pattern.test(source);
    return refuse(
      cursor,
      fits ? `${allowed}, in quotes` : allowed,
      fits ? `"${source}"` : undefined,
    );
  });
}

/** Reads an id, which may be longer than a number can hold, so that it must be quoted. */
export function id(allowed: string): Field<string> {
  return text(/^[1-9]\d{0,18}$/u, allowed);
}

/** Reads one of `choices`. */
export function choice<const C extends string>(choices: readonly C[]): Field<C> {
  return field({ kind: 'value', allowed: choices.join(', ') }, (cursor) => {
    const { node } = cursor;
    const found = choices.find((candidate) => isScalar(node) && node.value === candidate);
    if (found !== undefined) return found;
    const near = isScalar(node) ? nearestWord(sourceOf(node), choices) : undefined;
    return refuse(cursor, choices.join(', '), near);
  });
}

/** Reads an amount: a plain decimal in quotes, because YAML would make a float of it. */
export function amount({ zero }: { readonly zero: boolean }): Field<string> {
  const allowed = `a decimal in quotes, ${zero ? '0 or more' : 'above 0'}, such as "0.02"`;
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const isAmount = amountPattern.test(source) && (zero || !decimalOf(source).isZero());
    if (!isQuoted(node)) return refuse(cursor, allowed, isAmount ? `"${source}"` : undefined);
    return isAmount ? source : refuse(cursor, allowed);
  });
}

/** Reads a span in microseconds; `us` only where latencies are meant. */
export function spanUs(limits: {
  readonly minUs: number;
  readonly maxUs: number;
  readonly allowed: string;
  /** What a bare number most likely means. */
  readonly unit: 'ms' | 's';
}): Field<number> {
  const isWithin = (us: number | undefined): boolean =>
    us !== undefined && us >= limits.minUs && us <= limits.maxUs;
  return field({ kind: 'value', allowed: limits.allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, limits.allowed);
    const source = sourceOf(node);
    const span = typeof node.value === 'string' ? parseSpanUs(source) : undefined;
    if (span !== undefined && isWithin(span)) return span;
    const count = /^\d+/u.exec(source)?.[0];
    const likely = `${count}${unitIn(source) ?? limits.unit}`;
    const isHint = span === undefined && isWithin(parseSpanUs(likely));
    return refuse(cursor, limits.allowed, isHint ? `"${likely}"` : undefined);
  });
}

/** Reads a span in milliseconds, from `minMs` to `maxMs`. */
export function spanMs(limits: { readonly minMs: number; readonly maxMs: number }): Field<number> {
  const [min, max] = [spanText(limits.minMs), spanText(limits.maxMs)];
  const read = spanUs({
    minUs: limits.minMs * 1_000,
    maxUs: limits.maxMs * 1_000,
    allowed: `a whole number with ms, s, m, h or d, ${min} to ${max}, such as "15s"`,
    unit: 's',
  });
  return field(read.about, (cursor) => {
    const us = read(cursor);
    if (us === undefined) return undefined;
    return us % 1_000 === 0 ? us / 1_000 : refuse(cursor, 'a span in ms, s, m, h or d');
  });
}

/** Reads a size in bytes, from `minBytes` to `maxBytes`; a MB is a million. */
export function sizeBytes(limits: {
  readonly minBytes: number;
  readonly maxBytes: number;
}): Field<number> {
  const [min, max] = [limits.minBytes / 1e6, limits.maxBytes / 1e6];
  const allowed = `a whole number with MB or GB, ${min}MB to ${max}MB, such as "2GB"`;
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const [, count = '', unit = ''] = /^([1-9]\d{0,8})(MB|GB)$/u.exec(source) ?? [];
    const bytes = Number.parseInt(count, 10) * (unit === 'GB' ? 1e9 : 1e6);
    if (bytes >= limits.minBytes && bytes <= limits.maxBytes) return bytes;
    const bare = /^[1-9]\d{0,8}/u.exec(source)?.[0];
    const likely = /g/iu.test(source) ? 'GB' : 'MB';
    return refuse(
      cursor,
      allowed,
      unit === '' && bare !== undefined ? `"${bare}${likely}"` : undefined,
    );
  });
}

/** Reads a span as {@link spanMs} does, or the word "all", which is no bound. */
export function spanMsOrAll(limits: {
  readonly minMs: number;
  readonly maxMs: number;
}): Field<number | 'all'> {
  const span = spanMs(limits);
  return field(span.about, (cursor) => {
    const { node } = cursor;
    return isScalar(node) && node.value === 'all' ? 'all' : span(cursor);
  });
}

function spanText(ms: number): string {
  if (ms % 3_600_000 === 0 && ms > 0) return `${ms / 3_600_000}h`;
  return ms % 1_000 === 0 && ms > 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

/** Returns the unit that was most likely meant: `15sec` and `15 s` are seconds. */
function unitIn(source: string): string | undefined {
  const word = /[a-z]+/iu.exec(source)?.[0]?.toLowerCase() ?? '';
  if (word.startsWith('ms') || word.startsWith('mil')) return 'ms';
  if (word.startsWith('us') || word.startsWith('mic')) return 'us';
  if (word === '') return undefined;
  return 'mhd'.includes(word.charAt(0)) ? word.charAt(0) : 's';
}

/** Reads a share as a fraction in decimal text: "20bps" is "0.002". `signed` allows a rebate. */
export function share(limits: {
  readonly max: string;
  readonly signed?: boolean;
  /** Of the fraction. */
  readonly decimalsMax?: number;
  /** What a bare number of 1 or more most likely means; % unless given. */
  readonly unit?: 'bps';
}): Field<string> {
  const max = `${formatDecimal(decimalOf(limits.max).times(100))}%`;
  const least = limits.signed === true ? 'at least -' : 'above 0 and at most ';
  const range = limits.signed === true ? `${least}${max} and at most ${max}` : `${least}${max}`;
  const { decimalsMax = Infinity } = limits;
  const digits = decimalsMax === Infinity ? '' : `, of at most ${decimalsMax - 2} decimals in %`;
  const allowed = `a share with % or bps, ${range}${digits}, such as "2%" or "20bps"`;
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const parsed = limits.signed === true ? parseSignedShare(source) : parseShare(source);
    if (typeof node.value !== 'string' || parsed === undefined) {
      const hint = shareHint(source, limits.unit ?? '%');
      const isHint = hint !== undefined && !decimalOf(hint.fraction).greaterThan(limits.max);
      return refuse(cursor, allowed, isHint ? `"${hint.text}"` : undefined);
    }
    const fraction = decimalOf(parsed);
    const tooSmall = limits.signed !== true && fraction.isZero();
    const tooFine = fraction.decimalPlaces() > decimalsMax;
    if (tooSmall || tooFine || fraction.abs().greaterThan(limits.max))
      return refuse(cursor, allowed);
    return parsed;
  });
}

/** A bare number below 1 was meant as a fraction, any other in the usual unit. */
function shareHint(
  source: string,
  unit: 'bps' | '%',
): { readonly text: string; readonly fraction: string } | undefined {
  const value = parseDecimal(source);
  if (value === undefined || value.isNegative() || value.isZero()) return undefined;
  const text = value.lessThan(1)
    ? `${formatDecimal(value.times(100))}%`
    : `${formatDecimal(value)}${unit}`;
  const fraction = parseShare(text);
  return fraction === undefined ? undefined : { text, fraction };
}

/** Reads a whole number without quotes. */
export function wholeNumber(limits: { readonly min: number; readonly max: number }): Field<number> {
  const allowed = `a whole number without quotes, ${limits.min} to ${limits.max}`;
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const isWhole = /^(?:0|[1-9]\d{0,14})$/u.test(source);
    const value = isWhole ? Number.parseInt(source, 10) : undefined;
    const inRange = value !== undefined && value >= limits.min && value <= limits.max;
    if (!inRange) return refuse(cursor, allowed);
    return isQuoted(node) ? refuse(cursor, allowed, source) : value;
  });
}

/** Reads an instant with its zone, as milliseconds since 1970 UTC. */
export function instant(): Field<number> {
  const allowed = 'a date and time with its zone, such as "2023-02-07T09:30:00+08:00"';
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/u;
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node) || typeof node.value !== 'string') return refuse(cursor, allowed);
    const timeMs = pattern.test(node.value) ? Date.parse(node.value) : Number.NaN;
    // A day that its month does not have would be one of the next month.
    const [day] = node.value.split('T');
    const isDay = Number.isSafeInteger(timeMs) && dayOf(Date.parse(`${day}T00:00:00Z`)) === day;
    return isDay ? timeMs : refuse(cursor, allowed);
  });
}

function dayOf(timeMs: number): string | undefined {
  return new Date(timeMs).toISOString().split('T')[0];
}

/** Reads a map as plain values, for a schema that is not known here. */
export function plainMap(): Field<Readonly<Record<string, unknown>>> {
  return field({ kind: 'value', allowed: 'a map of parameters' }, (cursor) => {
    const { reader, node } = cursor;
    if (!isMap(node)) return refuse(cursor, 'a map of parameters');
    return reader.source.plain(node) as Record<string, unknown>;
  });
}
