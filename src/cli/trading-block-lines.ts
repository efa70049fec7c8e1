/** What keeps strategies from trading, for people: in `status` and `why`. */

import { timeOf } from '../audit/order-story.ts';
import type { TradingBlock } from '../domain/trading-block.ts';
import { type BotPlace, remedyText } from '../terminal/command-hints.ts';

/**
 * Returns a line for each block. Those of a bot that does not run are the last that it stored
 * before its end.
 */
export function blockLines(
  blocks: readonly TradingBlock[],
  place: BotPlace,
  isRunning: boolean,
): readonly string[] {
  const label = isRunning ? 'no trading' : 'at its end';
  return blocks.map(({ remedy, ...block }) => {
    // Only a running bot has an order that waits for an approval.
    const isUseful = isRunning || remedy?.command !== 'approve';
    return `${label} ${blockText({ ...block, ...(isUseful && remedy ? { remedy } : {}) }, place)}`;
  });
}

/** Returns who does not trade, since when, why, and what ends it. */
export function blockText(block: TradingBlock, place: BotPlace): string {
  const { strategyId, pair, sinceMs, reason, ends, remedy } = block;
  const who = `${strategyId} ${pair} does not trade since ${timeOf(sinceMs)}`;
  return `${who}: ${reason}; ends ${ends}${remedyText(remedy, place)}`;
}
