/** `millrace approve`: allows one order above the soft limit, by a request to the running bot. */

import { statePlaceOf } from '../../bot/state-place.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { botCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import { askRunningBot } from '../ask-running.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

export type ApproveOptions = BotCommandOptions & {
  /** The token that the refusal shows: 16 hexadecimal digits. */
  readonly token: string;
  readonly reason: string;
};

/** Sends the approval; returns the exit code. Throws NotFoundError if no bot or order awaits it. */
export async function runApprove(options: ApproveOptions): Promise<number> {
  const { token, config, home, reason, workspace, output } = options;
  if (!/^[0-9a-f]{16}$/u.test(token))
    throw new ConfigError(
      `the token must be the 16 digits of 0-9 and a-f that the refusal shows, was "${token}"`,
    );
  const { store } = statePlaceOf(loadBotSettings(config, options).store, home);
  const place = { config, home, workspace };
  const request = { command: 'approve', reason, token } as const;
  const answer = await askRunningBot({ store, place, output }, request);
  if (answer === undefined)
    throw new NotFoundError(
      `no bot is running on ${store}: only a running bot can accept an approval`,
    );
  if (answer.isRefused)
    throw new NotFoundError(
      `${answer.text}; to list the recent refusals: ${botCommand('why', place, '--refused')}`,
    );
  output.result({ ...answer, isRunning: true }, [answer.text]);
  return exitCodes.ok;
}
