/** Reads two headers of an answer: the exchange's clock, and how long to wait. */

type Headers = Readonly<Record<string, string>>;

// 2020-01-01 to 2100-01-01: a clock outside this range is wrong.
const timeMsMin = 1_577_836_800_000;
const timeMsMax = 4_102_444_800_000;
const retryAfterMsMax = 3_600_000;

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u;

/**
 * Returns the exchange's clock in milliseconds since 1970, or undefined if it is missing or wrong.
 * It is a lower bound: the header has whole seconds, and a cache may have stored it.
 */
export function exchangeTimeMsOf(headers: Headers): number | undefined {
  const timeMs = parseHttpDate(headers['date']);
  if (timeMs === undefined || timeMs < timeMsMin || timeMs >= timeMsMax) return undefined;
  return timeMs;
}

/** Returns how long the exchange asks to wait, at most one hour, or undefined. */
export function retryAfterMsOf(headers: Headers): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/u.test(text)) return Math.min(Number.parseInt(text, 10) * 1000, retryAfterMsMax);
  // A date is only meaningful relative to the exchange's own clock.
  const untilMs = parseHttpDate(text);
  const nowMs = exchangeTimeMsOf(headers);
  if (untilMs === undefined || nowMs === undefined) return undefined;
  return Math.min(Math.max(0, untilMs - nowMs), retryAfterMsMax);
}

function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDate.test(text)) return undefined;
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
