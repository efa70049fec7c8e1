/** Reads headers of an answer: the exchange's clock, how long to wait, and the limit of calls. */
import type { CallLimitReport } from '../api/reply.ts';
import type { HttpHeaders } from './http-exchange.ts';

// 2020-01-01 to 2100-01-01: a clock outside this range is wrong.
const timeMsMin = 1_577_836_800_000;
const timeMsMax = 4_102_444_800_000;
const retryAfterMsMax = 3_600_000;

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u;

/** A limit that holds for a minute. */
const limitPattern = /^([1-9]\d{0,5}), *\1;w=60$/u;

/** Returns the value of a header, the first one if it is repeated; `name` in lower case. */
export function firstValueOf(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/**
 * Returns the exchange's clock in milliseconds since 1970, or undefined if it is missing or wrong.
 * It is a lower bound: the header has whole seconds, and a cache may have stored it.
 */
export function exchangeTimeMsOf(headers: HttpHeaders): number | undefined {
  const timeMs = parseHttpDate(firstValueOf(headers, 'date'));
  if (timeMs === undefined || timeMs < timeMsMin || timeMs >= timeMsMax) return undefined;
  return timeMs;
}

/** Returns how long the exchange asks to wait, at most one hour, or undefined. */
export function retryAfterMsOf(headers: HttpHeaders): number | undefined {
  const text = firstValueOf(headers, 'retry-after');
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/u.test(text)) return Math.min(Number.parseInt(text, 10) * 1000, retryAfterMsMax);
  // A date is only meaningful relative to the exchange's own clock.
  const untilMs = parseHttpDate(text);
  const nowMs = exchangeTimeMsOf(headers);
  if (untilMs === undefined || nowMs === undefined) return undefined;
  return Math.min(Math.max(0, untilMs - nowMs), retryAfterMsMax);
}

/**
 * Returns the limit of calls, and how many are left, or undefined unless the headers report a limit
 * for a window of one minute, such as `300, 300;w=60`.
 */
export function callLimitOf(headers: HttpHeaders): CallLimitReport | undefined {
  const limit = limitPattern.exec(firstValueOf(headers, 'x-ratelimit-limit') ?? '');
  const left = firstValueOf(headers, 'x-ratelimit-remaining') ?? '';
  if (limit === null || !/^\d{1,6}$/u.test(left)) return undefined;
  const perMinute = Number.parseInt(limit[1] ?? '', 10);
  const remaining = Number.parseInt(left, 10);
  return remaining > perMinute ? undefined : { perMinute, remaining };
}

/** The last date: it is the same in all answers of a second. */
let known: { readonly text: string; readonly timeMs: number | undefined } | undefined;

function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === known?.text) return known.timeMs;
  const timeMs = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  known = { text, timeMs: Number.isNaN(timeMs) ? undefined : timeMs };
  return known.timeMs;
}
