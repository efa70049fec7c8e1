/**
 * Traps for what goes by the time zone and the language of the machine: local hours, texts of dates
 * and numbers, and an order of words. The same strategy does something else on another machine.
 */
import type { CallTrap, Owner, TrapSet } from './trap-set.ts';

// Not the one with a trap.
const { parse } = Date;

/** Whole minutes lie between all time zones, so that seconds are the same in each. */
const getters = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes'];
/** Setters go over local time, which skips hours and repeats them. */
const setters = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];

const zone = "it goes by the machine's time zone";
const language = "it goes by the machine's language";

export function trapLocal(traps: TrapSet): void {
  const date = Date.prototype as unknown as Owner;
  const trapDate = (name: string, trap: CallTrap) => traps.call(date, name, name, trap);
  for (const part of getters) trapDate(`get${part}`, { advice: `${zone}; there is getUTC${part}` });
  for (const part of setters) trapDate(`set${part}`, { advice: `${zone}; there is setUTC${part}` });
  trapDate('getYear', { advice: `${zone}; there is getUTCFullYear` });
  trapDate('setYear', { advice: `${zone}; there is setUTCFullYear` });
  trapDate('getTimezoneOffset', { advice: zone });
  for (const name of ['toString', 'toDateString', 'toTimeString'])
    trapDate(name, { advice: `${zone}; there is toISOString` });
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
    trapDate(name, { when: lacksZone, advice: `${zone}; there is toISOString` });
  trapTexts(traps);
  trapIntl(traps);
}

function trapTexts(traps: TrapSet): void {
  // Not money: these are trapped, not called.
  for (const { prototype } of [Number, BigInt])
    traps.call(prototype as unknown as Owner, 'toLocaleString', 'toLocaleString', {
      when: ([locale]) => isUsual(locale),
      advice: `${language}; name a locale`,
    });
  const text = String.prototype as unknown as Owner;
  traps.call(text, 'localeCompare', 'localeCompare', {
    when: ([, locale]) => isUsual(locale),
    advice: `${language}; compare by <, or name a locale`,
  });
  for (const [name, plain] of [
    ['toLocaleLowerCase', 'toLowerCase'],
    ['toLocaleUpperCase', 'toUpperCase'],
  ] as const)
    traps.call(text, name, name, {
      when: ([locale]) => isUsual(locale),
      advice: `${language}; there is ${plain}`,
    });
}

function trapIntl(traps: TrapSet): void {
  const intl = Intl as unknown as Owner;
  for (const name of Object.getOwnPropertyNames(Intl).filter((one) => /^[A-Z]/u.test(one)))
    if (name === 'DateTimeFormat')
      traps.call(intl, name, `Intl.${name}`, {
        when: lacksZone,
        advice: `${zone} and language; name a locale and a timeZone`,
      });
    else
      traps.call(intl, name, `Intl.${name}`, {
        when: ([locale]) => isUsual(locale),
        advice: `${language}; name a locale`,
      });
  // Without a date both of these take the clock's.
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

/** Returns what is said of such arguments of Date, or undefined if they are the same everywhere. */
export function localDate(values: readonly unknown[]): string | undefined {
  if (values.length > 1) return `${zone}; there is Date.UTC`;
  const [text] = values;
  if (typeof text !== 'string' || zoned.test(text) || Number.isNaN(parse(text))) return;
  return `${zone}; end the text in Z`;
}

/**
 * A day alone, which is one of UTC, or a time with its zone:
 *
 *     2026-11-20   2026-11-20T12:00Z   2026-11-20T12:00:00+02:00   Fri, 20 Nov 2026 12:00:00 GMT
 */
const zoned = new RegExp(
  String.raw`^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}$|\dZ$|\b(?:Z|UTC?|GMT|[ECMP][DS]T)\b|` +
    String.raw`:\d\d(?:\.\d+)? ?[+-]\d\d`,
  'iu',
);

function lacksZone([locale, options]: readonly unknown[]): boolean {
  return isUsual(locale) || (options as Intl.DateTimeFormatOptions)?.timeZone === undefined;
}

/** Whether a locale is left out, so that it is the machine's. */
function isUsual(locale: unknown): boolean {
  return locale === undefined || (Array.isArray(locale) && locale.length === 0);
}
