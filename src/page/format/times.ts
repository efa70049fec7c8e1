/** Instants and durations as text. Instants are in UTC, as in the log and the reports. */
import { roundedText } from './figures.ts';

/** Returns `2026-11-28 14:05:09`. */
export function dateTimeText(ms: number): string {
  return isoOf(ms).slice(0, 19).replace('T', ' ');
}

/** Returns `2026-11-28 14:05:09.123 UTC`. */
export function exactTimeText(ms: number): string {
  return `${isoOf(ms).slice(0, 23).replace('T', ' ')} UTC`;
}

/** Returns `14:05:09`. */
export function clockText(ms: number): string {
  return isoOf(ms).slice(11, 19);
}

/** Returns `2026-11-28`. */
export function dateText(ms: number): string {
  return isoOf(ms).slice(0, 10);
}

function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'no such time' : date.toISOString();
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Returns the two largest units of a duration: `3 d 4 h`, `12 s`, `250 ms`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const first = units.findIndex(([, length]) => ms >= length);
  let rest = ms;
  const parts = units.slice(first, first + 2).map(([name, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return [count, name] as const;
  });
  return parts
    .filter(([count], index) => index === 0 || count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ');
}

/** A difference of durations may be negative; a whole second is too coarse for a few seconds. */
export function spanText(seconds: number): string {
  const size = Math.abs(seconds);
  const text =
    size >= 1 && size < 10 ? `${roundedText(size, { decimals: 1 })} s` : durationText(size * 1_000);
  return seconds < 0 ? `\u2212${text}` : text;
}
