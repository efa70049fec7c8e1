/** The orders that may be open at the exchange when an error ends a run, and how to stop them. */

import { type BotPlace, botCommand } from '../terminal/command-hints.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { Bot } from './bot.ts';

export type OpenAtExit = {
  readonly exitCode: number;
  /** A warning for a person; undefined if no order can be open. */
  readonly text: string | undefined;
};

/**
 * Returns the exit code and the warning; `bot` is undefined before it has started.
 */
export function openAtExit(
  bot: Pick<Bot, 'engine' | 'settings'> | undefined,
  place: BotPlace,
): OpenAtExit {
  const count = bot === undefined ? 0 : countOpen(bot);
  if (count === 0) return { exitCode: exitCodes.error, text: undefined };
  return {
    exitCode: exitCodes.ordersRemain,
    text:
      `! ${count} orders may be open at the exchange, and no process manages them now: ` +
      `start the bot again to take them over, or stop them with: ${botCommand('panic', place)}`,
  };
}

/** Paper orders end with the process, and waiting orders were never sent. */
function countOpen({ engine, settings }: Pick<Bot, 'engine' | 'settings'>): number {
  const { tracker } = engine.orders;
  return settings.mode === 'paper' ? 0 : tracker.liveCount - tracker.count('waiting');
}
