/** What a run that ends at once, by an error, leaves at the exchange, and what stops it. */

import { botCommand } from '../terminal/command-hints.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import type { Bot } from './bot.ts';

export type LeftBehind = {
  readonly exitCode: number;
  /** For a person; undefined if nothing is left. */
  readonly text: string | undefined;
};

/**
 * `config` is the path of the bot's settings, `home` the folder of its state; there is no `bot`
 * until it has started.
 */
export function leftBehind(
  bot: Pick<Bot, 'engine' | 'settings'> | undefined,
  config: string,
  home: string,
): LeftBehind {
  const count = bot === undefined ? 0 : countOpen(bot);
  if (count === 0) return { exitCode: exitCodes.error, text: undefined };
  return {
    exitCode: exitCodes.ordersRemain,
    text:
      `! ${count} orders may be open at the exchange, and nobody looks after them now: ` +
      `start again, which takes them over, or stop them with: ${botCommand('panic', { config, home })}`,
  };
}

/** Pretended orders end with the process, and what waits to be sent never left it. */
function countOpen({ engine, settings }: Pick<Bot, 'engine' | 'settings'>): number {
  const { tracker } = engine.orders;
  return settings.mode === 'paper' ? 0 : tracker.liveCount - tracker.count('waiting');
}
