/**
 * Guesses the span, share or size that malformed text most likely means: `15sec` is "15s", 0.02 is
 * "2%". The caller checks whether the guess is allowed.
 */
import { decimalOf, formatDecimal } from '../domain/money.ts';
import { parseSpanUs } from '../domain/unit-text.ts';

const spanWords: readonly (readonly [unit: string, words: RegExp])[] = [
  ['us', /^(?:us|µs|usecs?|micros?|microseconds?)$/iu],
  ['ms', /^(?:ms|msecs?|millis?|milliseconds?)$/iu],
  ['s', /^(?:s|secs?|seconds?)$/iu],
  ['m', /^(?:m|mins?|minutes?)$/iu],
  ['h', /^(?:h|hrs?|hours?)$/iu],
  ['d', /^(?:d|days?)$/iu],
];

/** Returns the span that `source` most likely means; a number without a unit is in `unit`. */
export function likelySpan(source: string, unit: 'ms' | 's'): string | undefined {
  const [, count, word = ''] =
    /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-zµ%]*)$/iu.exec(source.trim()) ?? [];
  if (count === undefined) return undefined;
  const isBare = word === '' || word === '%';
  const meant = isBare ? unit : spanWords.find(([, words]) => words.test(word))?.[0];
  const unitUs = meant === undefined ? undefined : parseSpanUs(`1${meant}`);
  if (meant === undefined || unitUs === undefined) return undefined;
  if (!count.includes('.')) return `${count}${meant}`;
  const us = decimalOf(count).times(unitUs);
  // A span, not money.
  return us.isInteger() ? spanText(us.toNumber()) : undefined;
}

/** Returns a span as text, in the largest of the units h, s, ms and us that is exact. */
export function spanText(us: number): string {
  if (us > 0)
    for (const unit of ['h', 's', 'ms']) {
      const count = us / (parseSpanUs(`1${unit}`) ?? 1);
      if (Number.isInteger(count)) return `${count}${unit}`;
    }
  return us === 0 ? '0ms' : `${us}us`;
}

/** The meaning of a number of 1 or more without a unit. Below 1 it is always a fraction. */
export type BareShare = '%' | 'bps' | 'fraction';

/** Returns the share that `source` most likely means, or undefined if that is not clear. */
export function likelyShare(source: string, bare: BareShare | undefined): string | undefined {
  const [, sign, count, word = ''] =
    /^(-?)(\d{1,12}(?:\.\d{1,12})?)\s*([a-z% ]*)$/iu.exec(source.trim()) ?? [];
  if (count === undefined) return undefined;
  const value = decimalOf(count);
  if (/^(?:%|percent|per cent|pct)$/iu.test(word)) return `${sign}${formatDecimal(value)}%`;
  if (/^(?:bps?|basis points?)$/iu.test(word)) return `${sign}${formatDecimal(value)}bps`;
  if (word !== '') return undefined;
  if (value.isZero()) return '0%';
  if (value.lessThan(1) || bare === 'fraction') return `${sign}${formatDecimal(value.times(100))}%`;
  return bare === undefined ? undefined : `${sign}${formatDecimal(value)}${bare}`;
}

/** Returns the size that `source` most likely means; a small number without a unit is in GB. */
export function likelySize(source: string, minBytes: number): string | undefined {
  const [, count, word = ''] =
    /^(\d{1,9}(?:\.\d{1,3})?)\s*(mb?|gb?|tb?|megabytes?|gigabytes?|terabytes?|)$/iu.exec(
      source.trim(),
    ) ?? [];
  if (count === undefined) return undefined;
  const letter = word.charAt(0).toLowerCase();
  const isMega = letter === '' ? decimalOf(count).times(1e6).greaterThanOrEqualTo(minBytes) : false;
  const megabytes = decimalOf(count).times(
    letter === 'm' || isMega ? 1 : letter === 't' ? 1e6 : 1e3,
  );
  if (!megabytes.isInteger()) return undefined;
  const gigabytes = megabytes.div(1e3);
  return gigabytes.isInteger() ? `${formatDecimal(gigabytes)}GB` : `${formatDecimal(megabytes)}MB`;
}
