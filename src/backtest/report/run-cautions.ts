/** What a reader should know of a run as a whole before believing any of its figures. */

import { timeText } from '../../recording/time-text.ts';
import type { BacktestResult } from '../backtest-result.ts';
import type { BacktestRun } from '../backtest-run.ts';
import { sendingCaution } from '../sending-sums.ts';

/** Returns a sentence each, the gravest first. */
export function runCautionsOf(
  { partial }: Pick<BacktestResult, 'partial'>,
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
  const throttled = sendingCaution(store.sending);
  if (throttled !== undefined) cautions.push(throttled);
  return cautions;
}
