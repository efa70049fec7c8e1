/** Formats trading blocks for `status` and `why`. */

import { timeOf } from '../audit/order-story.ts';
import type { TradingBlock } from '../domain/trading-block.ts';
import { type BotPlace, remedyText } from '../terminal/command-hints.ts';

/**
 * Returns a line for each block. For a bot that is not running, they are the last ones that it
 * stored.
 */
export function blockLines(
  blocks: readonly TradingBlock[],
  place: BotPlace,
  isRunning: boolean,
): readonly string[] {
  const label = isRunning ? 'blocked   ' : 'at the end';
  return blocks.map((block) => `${label} ${blockText(block, place)}`);
}

/** Returns which strategy does not trade on which pair, since when, why, and what ends it. */
export function blockText(block: TradingBlock, place: BotPlace): string {
  const { strategyId, pair, sinceMs, reason, ends, remedy } = block;
  const who = `${strategyId} ${pair} has not traded since ${timeOf(sinceMs)}`;
  return `${who}: ${reason}; ends ${ends}${remedyText(remedy, place)}`;
}
