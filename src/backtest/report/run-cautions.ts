/** What a reader should know of a run as a whole before believing any of its figures. */

import { timeText } from '../../recording/time-text.ts';
import type { BacktestResult } from '../backtest-result.ts';
import type { BacktestRun } from '../backtest-run.ts';
import { sendingCaution } from '../sending-sums.ts';

/** How many of the gate's codes are named where it refused everything. */
const codesTold = 5;

/** Returns a sentence each, the gravest first. */
export function runCautionsOf(
  { partial, orders, refusals }: Pick<BacktestResult, 'partial' | 'orders' | 'refusals'>,
  { lastRowMicros, port: { answers }, store }: BacktestRun,
): readonly string[] {
  const cautions: string[] = [];
  if (partial !== undefined)
    cautions.push(`partial, played up to ${timeText(lastRowMicros)}: ${partial}`);
  if (answers.late > 0 && answers.inTime === 0)
    cautions.push(
      `the bot never became ready: all ${answers.late} answers came later than it waits for one, so it never read its accounts; see latencies`,
    );
  else if (answers.late > 0)
    cautions.push(
      `${answers.late} of ${answers.late + answers.inTime} answers came later than the bot waits for one; see latencies`,
    );
  if (orders === 0) cautions.push(noOrderText(Object.entries(refusals.gate)));
  const throttled = sendingCaution(store.sending);
  if (throttled !== undefined) cautions.push(throttled);
  return cautions;
}

/** `counts`: what the gate refused, by strategy and code. */
function noOrderText(counts: readonly (readonly [code: string, times: number])[]): string {
  if (counts.length === 0) return 'there was no order: no strategy asked for one';
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, codesTold);
  const codes = most.map(([code]) => code).join(', ');
  return `there was no order: the gate refused every one that was asked for, for ${codes}`;
}
