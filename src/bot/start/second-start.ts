/** What a start says if its bot, or another one on the exchange of its home, runs already. */
import { join } from 'node:path';
import { AlreadyRunningError } from '../../domain/errors.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { botCommand, millraceCommand, quoted } from '../../terminal/command-hints.ts';
import { runningBots } from '../running-bots.ts';
import { simulatorFolder } from '../state-place.ts';
import { isHeld } from './bot-venue.ts';

export type StartingBot = {
  readonly bot: string;
  readonly config: string;
  readonly home: string;
  readonly workspace: Workspace;
};

/**
 * Throws AlreadyRunningError if another bot runs on the simulated exchange of the home, which only
 * one start can use.
 */
export function refuseSharedExchange({ bot, config, home, workspace }: StartingBot): void {
  const other = runningBots(workspace).find((one) => one.home === home && one.bot !== bot);
  if (other === undefined || !isHeld(simulatorFolder(home))) return;
  const own = { config, home: join(home, bot), workspace };
  throw new AlreadyRunningError(
    `bot ${other.bot} (${other.config}) runs on the simulated exchange of ${home}, which only one start uses; ` +
      `stop it with Ctrl-C in its terminal, or give bot ${bot} an exchange and a folder of its own:\n  ${botCommand('start', own)}\n`,
  );
}

/** Runs `begin`; if that finds that this bot runs already, its error says how to see and end it. */
export async function tellingIfRunning<Result>(
  { bot, config, home, workspace }: StartingBot,
  begin: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof AlreadyRunningError)) throw error;
    const running = runningBots(workspace).find((one) => one.home === home && one.bot === bot);
    if (running === undefined) throw error;
    const status = millraceCommand(workspace, `status ${quoted(bot)}`);
    throw new AlreadyRunningError(
      `bot ${bot} of ${running.config} runs already: Ctrl-C in its terminal stops it, and this shows it:\n  ${status}\n` +
        `a second bot beside it needs a file with another name than ${config} has (bot: ${bot})`,
      { cause: error },
    );
  }
}
