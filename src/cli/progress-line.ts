/** Formats the progress of a backtest as one line. */
import type { BacktestProgress } from '../backtest/run/run-backtest.ts';

const width = 20;

/** Returns the line, with a bar if the length of the backtest is known. */
export function progressText({ rows, nowMs, share }: BacktestProgress): string {
  const time = new Date(nowMs).toISOString().replace(/\.\d+Z$/u, 'Z');
  const text = `${rows.toLocaleString('en-US')} rows, at ${time}`;
  if (share === undefined) return text;
  const done = Math.floor(share * width);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(done)}${'.'.repeat(width - done)}] ${percent} %  ${text}`;
}
