/** `millrace set`: changes parameters of a strategy, by a request to the running bot. */

import { statePlaceOf } from '../../bot/state-place.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { parseParameterTexts } from '../../domain/parameter-texts.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { meantText } from '../../settings/nearest-word.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import { askRunningBot } from '../ask-running.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

export type SetOptions = BotCommandOptions & {
  readonly strategy: string;
  /** Such as `halfSpread=30bps`. */
  readonly words: readonly string[];
  readonly reason: string;
};

/**
 * Throws ConfigError if a bot is named, and no strategy or no values follow. Checked before the bot
 * is looked for: where it was left out, the first word is no bot.
 */
export function checkSetWords([bot, ...rest]: readonly string[]): void {
  if (bot !== undefined && rest.length < 2)
    throw new ConfigError(
      'name the strategy and its parameters with their values after the bot, such as my-bot mm halfSpread=30bps',
    );
}

/** Sends the values; returns the exit code. Throws NotFoundError if no bot runs. */
export async function runSet(options: SetOptions): Promise<number> {
  const { strategy, words, config, home, reason, workspace, output } = options;
  const values = parseParameterTexts(words);
  const settings = loadBotSettings(config, options);
  const ids = settings.strategies.map(({ id }) => id);
  if (!ids.includes(strategy))
    throw new ConfigError(
      `${config} has no strategy ${strategy}, only ${ids.join(', ')}${meantText(strategy, ids)}`,
    );
  const { store } = statePlaceOf(settings.store, home);
  const request = { command: 'set', scope: `strategy:${strategy}`, values, reason } as const;
  const place = { config, home, workspace };
  const answer = await askRunningBot({ store, place, output }, request);
  if (answer === undefined)
    throw new NotFoundError(
      `bot ${settings.bot} is not running, and a start takes its parameters from the file: write them there, ` +
        `in ${config} below strategies.${strategy}.parameters:\n${linesOf(values)}`,
    );
  if (answer.isRefused) throw new ConfigError(`the bot refused: ${answer.text}`);
  output.result({ ...answer, isRunning: true }, [answer.text]);
  return exitCodes.ok;
}

/** Returns the values as lines of a settings file. */
function linesOf(values: ReturnType<typeof parseParameterTexts>): string {
  return Object.entries(values)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`)
    .join('');
}
