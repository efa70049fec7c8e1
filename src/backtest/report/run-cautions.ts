/** What a reader should know of a run as a whole before believing any of its figures. */
import type { BacktestResult } from '../backtest-result.ts';
import { timeText } from '../recording-chain.ts';

/** Returns a sentence each, the gravest first. */
export function runCautionsOf(
  { partial }: Pick<BacktestResult, 'partial'>,
  { lastRowMicros }: { readonly lastRowMicros: number },
): readonly string[] {
  if (partial === undefined) return [];
  return [`partial, played up to ${timeText(lastRowMicros)}: ${partial}`];
}
