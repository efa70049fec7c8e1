/**
 * Parses values with a unit, as people write them in YAML: spans ("15s") and shares ("20bps").
 *
 * Invariants: a number without a unit is never a span or a share; nothing is rounded.
 */
import { decimalOf, formatDecimal } from './money.ts';

/** The largest number of decimals of a fee rate, as a fraction. */
export const feeDecimalsMax = 12;

/** A span, a share and a share that may be negative, as they are written. */
export const spanPattern = /^(0|[1-9]\d{0,11})(us|ms|s|m|h|d)$/u;
export const sharePattern = /^((?:0|[1-9]\d{0,5})(?:\.\d{1,12})?)(bps|%)$/u;
export const signedSharePattern = new RegExp(sharePattern.source.replace('^', '^-?'), 'u');

const microsecondsIn = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
} as const;

/**
 * Returns the span in microseconds, or undefined if `text` is not a whole number with one of the
 * units us, ms, s, m, h, d.
 */
export function parseSpanUs(text: string): number | undefined {
  const match = spanPattern.exec(text);
  if (match === null) return undefined;
  const [, count = '', unit = ''] = match;
  const span = Number.parseInt(count, 10) * microsecondsIn[unit as keyof typeof microsecondsIn];
  return Number.isSafeInteger(span) ? span : undefined;
}

/**
 * Returns the span in milliseconds ("250ms", "15s", "5m", "24h", "7d"), or undefined if `text` is
 * not a whole number with one of the units ms, s, m, h, d.
 */
export function parseSpanMs(text: string): number | undefined {
  const us = text.endsWith('us') ? undefined : parseSpanUs(text);
  return us === undefined ? undefined : us / 1_000;
}

/**
 * Returns the share as an exact fraction ("20bps" is "0.002", "2%" is "0.02"), or undefined if
 * `text` is not a plain decimal followed by bps or %. Never negative.
 */
export function parseShare(text: string): string | undefined {
  const match = sharePattern.exec(text);
  if (match === null) return undefined;
  const [, count = '', unit] = match;
  return formatDecimal(decimalOf(count).div(unit === '%' ? 100 : 10_000));
}

/** Like {@link parseShare}, but accepts a leading minus: a maker fee may be a rebate ("-1bps"). */
export function parseSignedShare(text: string): string | undefined {
  const negative = text.startsWith('-');
  const share = parseShare(negative ? text.slice(1) : text);
  return negative && share !== undefined && share !== '0' ? `-${share}` : share;
}

/** Returns a duration for people, in at most two units: "250ms", "1.5s", "2m", "1h 30m". */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  if (ms < 60_000) return `${ms / 1_000}s`;
  let rest = Math.round(ms / 1_000) * 1_000_000;
  const parts: string[] = [];
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = Math.floor(rest / microsecondsIn[unit]);
    rest -= count * microsecondsIn[unit];
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}
