/** Times in a table: integers since the epoch, in the unit that the name of their column says. */

const units = { time_us: 'microseconds', time_ms: 'milliseconds', time_ns: 'nanoseconds' } as const;

export type TimeColumn = keyof typeof units;
export const timeColumns = Object.keys(units) as readonly TimeColumn[];

const in2000Micros = 946_684_800_000_000;

/** Returns a time in microseconds, or undefined if it is none, or one beyond 2^53 of them. */
export function parseMicros(text: string, column: TimeColumn): number | undefined {
  if (!/^\d{1,19}$/u.test(text)) return undefined;
  const whole = column === 'time_ns' ? text.slice(0, -3) || '0' : text;
  const micros = Number.parseInt(whole, 10) * (column === 'time_ms' ? 1_000 : 1);
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** Returns what a time must be that {@link parseMicros} does not take. */
export function microsAllowed(text: string, column: TimeColumn): string {
  if (!/^\d+$/u.test(text))
    return `an integer since the epoch, in ${units[column]}; columns of times are ${timeColumns.join(', ')}`;
  const fitting = timeColumns.find((one) => (parseMicros(text, one) ?? 0) >= in2000Micros);
  const hint = fitting === undefined ? '' : `; ${units[fitting]} stand in a column ${fitting}`;
  return `before the year 2255: it is too large for ${units[column]}${hint}`;
}
