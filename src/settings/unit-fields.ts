/** Readers of values with a unit: spans ("15s"), sizes ("2GB") and shares ("20bps"). */
import { isScalar } from 'yaml';
import { decimalOf, formatDecimal } from '../domain/money.ts';
import {
  parseShare,
  parseSignedShare,
  parseSpanUs,
  sharePattern,
  signedSharePattern,
  spanPattern,
} from '../domain/unit-text.ts';
import { refuse, sourceOf, type ValueField, type ValueSchema, valueField } from './field.ts';
import { type BareShare, likelyShare, likelySize, likelySpan, spanText } from './likely-value.ts';

const sizePattern = /^([1-9]\d{0,8})(MB|GB)$/u;

/** Reads a span in microseconds. `us` is a unit for latencies only. */
export function spanUs(limits: {
  readonly minUs: number;
  readonly maxUs: number;
  readonly allowed: string;
  /** What a number without a unit most likely means. */
  readonly unit: 'ms' | 's';
}): ValueField<number> {
  const { minUs, maxUs, allowed } = limits;
  return valueField({ allowed, schema: textSchema(spanPattern) }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const span = typeof node.value === 'string' ? parseSpanUs(source) : undefined;
    if (span !== undefined && span >= minUs && span <= maxUs) return span;
    return refuse(cursor, allowed, quoted(likelySpan(source, limits.unit)));
  });
}

/** Reads a span in milliseconds, from `minMs` to `maxMs`. */
export function spanMs(limits: {
  readonly minMs: number;
  readonly maxMs: number;
  /** A word that may stand in the place of the span, for the messages. */
  readonly word?: string;
}): ValueField<number> {
  const [minUs, maxUs] = [limits.minMs * 1_000, limits.maxMs * 1_000];
  const example = spanText(Math.min(Math.max(15_000_000, minUs), maxUs));
  const orWord = limits.word === undefined ? '' : `${limits.word}, or `;
  const allowed = `${orWord}a whole number with ms, s, m, h or d, ${spanText(minUs)} to ${spanText(maxUs)}, such as "${example}"`;
  const read = spanUs({ minUs, maxUs, allowed, unit: 's' });
  return valueField(read.about, (cursor) => {
    const us = read(cursor);
    if (us === undefined) return undefined;
    return us % 1_000 === 0 ? us / 1_000 : refuse(cursor, allowed);
  });
}

/** Reads a span as {@link spanMs} does, or the word, which means without a limit. */
export function spanMsOr<const Word extends string>(
  word: Word,
  limits: { readonly minMs: number; readonly maxMs: number },
): ValueField<number | Word> {
  const span = spanMs({ ...limits, word });
  const schema = { anyOf: [{ const: word }, span.about.schema] };
  return valueField({ ...span.about, schema }, (cursor) => {
    const { node } = cursor;
    return isScalar(node) && node.value === word ? word : span(cursor);
  });
}

/** Reads a size in bytes, from `minBytes` to `maxBytes`. 1 MB is 10^6 bytes. */
export function sizeBytes(limits: {
  readonly minBytes: number;
  readonly maxBytes: number;
}): ValueField<number> {
  const { minBytes, maxBytes } = limits;
  const allowed = `a whole number with MB or GB, ${minBytes / 1e6}MB to ${maxBytes / 1e6}MB, such as "2GB"`;
  return valueField({ allowed, schema: textSchema(sizePattern) }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const [, count = '', unit = ''] = sizePattern.exec(source) ?? [];
    const bytes = Number.parseInt(count, 10) * (unit === 'GB' ? 1e9 : 1e6);
    if (bytes >= minBytes && bytes <= maxBytes) return bytes;
    return refuse(cursor, allowed, quoted(likelySize(source, minBytes)));
  });
}

/** Reads a share as a fraction in decimal text: "20bps" is "0.002". `signed` allows a rebate. */
export function share(limits: {
  readonly max: string;
  readonly signed?: boolean;
  /** Of the fraction. */
  readonly decimalsMax?: number;
  /** What a number of 1 or more without a unit most likely means; % unless given. */
  readonly unit?: BareShare;
}): ValueField<string> {
  const { signed = false, decimalsMax = Infinity } = limits;
  const max = `${formatDecimal(decimalOf(limits.max).times(100))}%`;
  const range = signed ? `at least -${max} and at most ${max}` : `above 0 and at most ${max}`;
  const digits = decimalsMax === Infinity ? '' : `, of at most ${decimalsMax - 2} decimals in %`;
  const allowed = `a share with % or bps, ${range}${digits}, such as "2%" or "20bps"`;
  const schema = textSchema(signed ? signedSharePattern : sharePattern);
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node)) return refuse(cursor, allowed);
    const source = sourceOf(node);
    const parsed = signed ? parseSignedShare(source) : parseShare(source);
    if (typeof node.value !== 'string' || parsed === undefined)
      return refuse(cursor, allowed, quoted(likelyShare(source, limits.unit ?? '%')));
    const fraction = decimalOf(parsed);
    const tooSmall = !signed && fraction.isZero();
    const tooFine = fraction.decimalPlaces() > decimalsMax;
    if (tooSmall || tooFine || fraction.abs().greaterThan(limits.max))
      return refuse(cursor, allowed);
    return parsed;
  });
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `"${text}"`;
}

function textSchema(pattern: RegExp): ValueSchema {
  return { type: 'string', pattern: pattern.source };
}
