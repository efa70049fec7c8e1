/**
 * Sends a person's command to a bot over its control socket, as the page's user.
 *
 * Invariant: it can only send what the control channel knows; the bot decides and records.
 */

import type { SeenBot } from '../../control/bot-registry.ts';
import { askBot } from '../../control/control-client.ts';
import { controlPathOf } from '../../control/control-message.ts';
import { MillraceError } from '../../domain/errors.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { CommandAnswer, CommandRequest } from '../api/bot-answers.ts';
import { RequestProblem } from './request-problem.ts';

/** Commands for a part of the bot. */
const scoped = ['halt', 'reduce', 'resume', 'set'];

/** Returns the bot's answer. Throws RequestProblem if the command is not complete or gets none. */
export async function sendCommand(
  bot: SeenBot,
  request: CommandRequest,
  timers: Timers,
): Promise<CommandAnswer> {
  const { command, confirm, reason, scope = 'bot', values, token, user = 'unnamed' } = request;
  if (confirm !== command)
    throw new RequestProblem(
      400,
      'NOT_CONFIRMED',
      `confirm must be "${command}", the name of the command`,
    );
  const path = controlPathOf(bot.store);
  const without = `${bot.bot} does not listen for commands`;
  if (path === undefined) throw new RequestProblem(503, 'NO_ANSWER', without);
  const details = {
    ...(scoped.includes(command) ? { scope } : {}),
    ...(values === undefined ? {} : { values }),
    ...(token === undefined ? {} : { token }),
  };
  const asked = { command, reason, by: `page ${user}`, ...details };
  const answer = await askBot(path, asked, { timers, onProgress: () => {} }).catch(
    (error: unknown) => {
      if (error instanceof MillraceError) throw new RequestProblem(503, 'NO_ANSWER', error.message);
      throw error;
    },
  );
  if (answer === undefined) throw new RequestProblem(503, 'NO_ANSWER', `${without}: it is gone`);
  const { isRefused, text, remaining } = answer;
  return { isRefused, text, remaining: remaining ?? null };
}
