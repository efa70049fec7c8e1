/** `millrace set`: changes parameters of a strategy, by a request to the running bot. */

import { statePlaceOf } from '../../bot/state-place.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { parseParameterTexts } from '../../domain/parameter-texts.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import { askRunningBot } from '../ask-running.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

export type SetOptions = BotCommandOptions & {
  readonly strategy: string;
  /** Such as `halfSpread=30bps`. */
  readonly words: readonly string[];
  readonly reason: string;
};

/** Sends the values; returns the exit code. Throws NotFoundError if no bot runs. */
export async function runSet(options: SetOptions): Promise<number> {
  const { strategy, words, config, home, reason, workspace, output } = options;
  if (strategy === '' || words.length === 0)
    throw new ConfigError(
      'name the strategy and its parameters with their values, such as mm halfSpread=30bps',
    );
  const values = parseParameterTexts(words);
  const { store } = statePlaceOf(loadBotSettings(config, options).store, home);
  const request = { command: 'set', scope: `strategy:${strategy}`, values, reason } as const;
  const place = { config, home, workspace };
  const answer = await askRunningBot({ store, place, output }, request);
  if (answer === undefined)
    throw new NotFoundError(
      `no bot is running on ${store}: at its next start it takes the parameters that ${config} has`,
    );
  if (answer.isRefused) throw new ConfigError(`the bot refused: ${answer.text}`);
  output.result({ ...answer, isRunning: true }, [answer.text]);
  return exitCodes.ok;
}
