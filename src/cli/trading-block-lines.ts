/** Formats trading blocks for `status` and `why`. */

import { timeOf } from '../audit/order-story.ts';
import type { DoneStrategy } from '../domain/done-strategy.ts';
import type { TradingBlock } from '../domain/trading-block.ts';
import { type BotPlace, remedyText } from '../terminal/command-hints.ts';

const parts = { BID: '(only its bids)', ASK: '(only its asks)', some: '(in part)' } as const;

/**
 * Returns a line for each block. For a bot that is not running, they are the last ones that it
 * stored, and the next start does not end those of strategies that are done.
 */
export function blockLines(
  blocks: readonly TradingBlock[],
  done: readonly DoneStrategy[],
  place: BotPlace,
  isRunning: boolean,
): readonly string[] {
  if (isRunning) return linesOf(blocks, place, isRunning);
  const left = blocks.filter((block) => !done.some((one) => one.strategyId === block.strategyId));
  return [
    ...linesOf(left, place, isRunning),
    ...done.map(
      ({ strategyId, atMs, reason }) =>
        `done       ${strategyId} since ${timeOf(atMs)}: ${reason}; to let it begin again, start with --again ${strategyId}`,
    ),
  ];
}

function linesOf(
  blocks: readonly TradingBlock[],
  place: BotPlace,
  isRunning: boolean,
): readonly string[] {
  const when = isRunning ? '' : ' when the run ended,';
  return blocks.map(({ strategyId, pair, sinceMs, reason, ends, remedy, only }) => {
    const part = only === undefined ? '' : ` ${parts[only]}`;
    const who = `${strategyId} ${pair}${part}${when} since ${timeOf(sinceMs)}`;
    // Only a running bot has an order that waits for an approval.
    const isUseful = isRunning || remedy?.command !== 'approve';
    const command = isUseful ? remedyText(remedy, place) : '';
    return `blocked    ${who}: ${reason}; ends ${ends}${command}`;
  });
}
