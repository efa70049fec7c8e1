/** The texts on the axes of a chart: times with their dates, and short figures. */
import { roundedText, shortText } from '../format/figures.ts';
import { clockText, dateText } from '../format/times.ts';

const dayMs = 86_400_000;

/**
 * Returns the labels of a time axis in UTC. The first label, and the first one of each day, has the
 * date in a second line, so that a time is never without its day.
 */
export function timeLabels(times: readonly number[], stepMs: number): string[] {
  let day = '';
  return times.map((ms) => {
    const date = dateText(ms);
    if (stepMs >= dayMs) return date;
    const clock = clockOf(ms, stepMs);
    const isNewDay = date !== day;
    day = date;
    return isNewDay ? `${clock}\n${date}` : clock;
  });
}

function clockOf(ms: number, stepMs: number): string {
  if (stepMs >= 60_000) return clockText(ms).slice(0, 5);
  if (stepMs >= 1_000) return clockText(ms);
  return `${clockText(ms)}.${String(Math.floor(ms) % 1_000).padStart(3, '0')}`;
}

/** Returns the labels of a value axis with as many decimals as its steps need. */
export function valueLabels(values: readonly number[]): string[] {
  const [first = 0, second = first] = values;
  const step = Math.abs(second - first);
  const largest = Math.max(...values.map(Math.abs));
  // The short form has three digits: it must not round.
  const unit = 10 ** (Math.floor(Math.log10(largest)) - 2);
  if (largest >= 1e6 && values.every((value) => value % unit === 0)) return values.map(shortText);
  const decimals = step > 0 ? Math.min(12, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
  // Not money: a label.
  return values.map((value) => roundedText(Number(value.toFixed(decimals)), { decimals }));
}
