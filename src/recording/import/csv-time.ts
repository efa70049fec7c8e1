/** Times in a table: integers since the epoch, in the unit of their column's name. */

const units = { time_us: 'microseconds', time_ms: 'milliseconds', time_ns: 'nanoseconds' } as const;

export type TimeColumn = keyof typeof units;
export const timeColumns = Object.keys(units) as readonly TimeColumn[];

const in2000Micros = 946_684_800_000_000;

/** Returns a time in microseconds; undefined if it is not an integer or exceeds 2^53. */
export function parseMicros(text: string, column: TimeColumn): number | undefined {
  if (!/^\d{1,19}$/u.test(text)) return undefined;
  const whole = column === 'time_ns' ? text.slice(0, -3) || '0' : text;
  const micros = Number.parseInt(whole, 10) * (column === 'time_ms' ? 1_000 : 1);
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** Returns what is allowed instead of a text that {@link parseMicros} refuses. */
export function allowedTime(text: string, column: TimeColumn): string {
  if (!/^\d+$/u.test(text))
    return `an integer since the epoch, in ${units[column]}; time columns are ${timeColumns.join(', ')}`;
  const fitting = timeColumns.find((name) => (parseMicros(text, name) ?? 0) >= in2000Micros);
  const hint = fitting === undefined ? '' : `; for ${units[fitting]}, name the column ${fitting}`;
  return `before the year 2255: it is too large for ${units[column]}${hint}`;
}
