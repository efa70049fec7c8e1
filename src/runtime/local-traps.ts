/**
 * Traps for functions that depend on the time zone or the language of the machine: local hours,
 * texts of dates and numbers, and comparisons of text. They make a strategy behave differently on
 * another machine.
 */
import type { CallTrap, Owner, TrapSet } from './trap-set.ts';

// The original function, without a trap.
const { parse } = Date;

/** Time zones differ by whole minutes, so seconds are the same everywhere. */
const getters = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes'];
/** Setters use local time, which skips and repeats hours. */
const setters = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];

const zone = "it depends on the machine's time zone";
const language = "it depends on the machine's language";

export function trapLocal(traps: TrapSet): void {
  const date = Date.prototype as unknown as Owner;
  const trapDate = (name: string, trap: CallTrap) => traps.call(date, name, name, trap);
  for (const part of getters) trapDate(`get${part}`, { advice: `${zone}; use getUTC${part}` });
  for (const part of setters) trapDate(`set${part}`, { advice: `${zone}; use setUTC${part}` });
  trapDate('getYear', { advice: `${zone}; use getUTCFullYear` });
  trapDate('setYear', { advice: `${zone}; use setUTCFullYear` });
  trapDate('getTimezoneOffset', { advice: zone });
  for (const name of ['toString', 'toDateString', 'toTimeString'])
    trapDate(name, { advice: `${zone}; use toISOString` });
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
    trapDate(name, { when: lacksZone, advice: `${zone}; use toISOString` });
  trapTexts(traps);
  trapIntl(traps);
}

function trapTexts(traps: TrapSet): void {
  // Not money: Number is trapped here, not called.
  for (const { prototype } of [Number, BigInt])
    traps.call(prototype as unknown as Owner, 'toLocaleString', 'toLocaleString', {
      when: ([locale]) => isDefaultLocale(locale),
      advice: `${language}; pass a locale`,
    });
  const text = String.prototype as unknown as Owner;
  traps.call(text, 'localeCompare', 'localeCompare', {
    when: ([, locale]) => isDefaultLocale(locale),
    advice: `${language}; compare with <, or pass a locale`,
  });
  for (const [name, plain] of [
    ['toLocaleLowerCase', 'toLowerCase'],
    ['toLocaleUpperCase', 'toUpperCase'],
  ] as const)
    traps.call(text, name, name, {
      when: ([locale]) => isDefaultLocale(locale),
      advice: `${language}; use ${plain}`,
    });
}

function trapIntl(traps: TrapSet): void {
  const intl = Intl as unknown as Owner;
  for (const name of Object.getOwnPropertyNames(Intl).filter((key) => /^[A-Z]/u.test(key)))
    if (name === 'DateTimeFormat')
      traps.call(intl, name, `Intl.${name}`, {
        when: lacksZone,
        advice: `${zone} and language; pass a locale and a timeZone`,
      });
    else
      traps.call(intl, name, `Intl.${name}`, {
        when: ([locale]) => isDefaultLocale(locale),
        advice: `${language}; pass a locale`,
      });
  // Without a date, both functions use the clock.
  const format = Intl.DateTimeFormat.prototype as unknown as Owner;
  const now: CallTrap = { when: ([date]) => date === undefined };
  traps.call(format, 'formatToParts', 'Intl.DateTimeFormat.formatToParts', now);
  const bound = Object.getOwnPropertyDescriptor(format, 'format')?.get;
  if (bound === undefined) return;
  traps.define(format, 'format', {
    get(this: unknown): unknown {
      const own = Reflect.apply(bound, this, []) as object;
      return traps.trapped(own, 'Intl.DateTimeFormat.format', now);
    },
  });
}

/** Returns the advice for these arguments of Date; undefined if they mean the same everywhere. */
export function localDate(values: readonly unknown[]): string | undefined {
  if (values.length > 1) return `${zone}; use Date.UTC`;
  const [text] = values;
  if (typeof text !== 'string' || zoned.test(text) || Number.isNaN(parse(text))) return;
  return `${zone}; end the text with Z`;
}

/**
 * A date without a time, which is in UTC, or a time with a zone:
 *
 *     2026-11-20   2026-11-20T12:00Z   2026-11-20T12:00:00+02:00   Fri, 20 Nov 2026 12:00:00 GMT
 */
const zoned = new RegExp(
  String.raw`^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}$|\dZ$|\b(?:Z|UTC?|GMT|[ECMP][DS]T)\b|` +
    String.raw`:\d\d(?:\.\d+)? ?[+-]\d\d`,
  'iu',
);

function lacksZone([locale, options]: readonly unknown[]): boolean {
  return isDefaultLocale(locale) || (options as Intl.DateTimeFormatOptions)?.timeZone === undefined;
}

/** Whether no locale is given, so that the machine's is used. */
function isDefaultLocale(locale: unknown): boolean {
  return locale === undefined || (Array.isArray(locale) && locale.length === 0);
}
