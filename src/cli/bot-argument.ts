/**
 * How a command line names a bot: by the path of its settings, or by its name while it runs. There
 * is no default bot, so that a halt or a key never reaches the wrong one.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type RunningBot, runningBots } from '../bot/running-bots.ts';
import { ConfigError, NotFoundError } from '../domain/errors.ts';
import { type BotPlace, botCommand, quoted } from '../terminal/command-hints.ts';
import { packageRoot } from '../terminal/package-root.ts';
import {
  botHomeText,
  type DeclareCommand,
  pathParser,
  requestedHome,
  settingsPath,
} from './command.ts';

export type NamedBot = {
  readonly config: string;
  /** Folder of the bot's state; undefined if the settings decide it. */
  readonly home: string | undefined;
};

const argument = 'the path of its settings file, or its name while it runs';

/** Declares a command for one bot; `more` are arguments after the bot, as `[order]`. */
export function declareBotCommand(
  declare: DeclareCommand,
  name: string,
  description: string,
  more: Readonly<Record<string, string>> = {},
): Command {
  const command = declare(name, description, botHomeText).argument('[bot]', argument);
  for (const [usage, text] of Object.entries(more)) command.argument(usage, text);
  return command.option(
    '--config <file>',
    'path of the settings file, instead of [bot]',
    pathParser('file'),
  );
}

/**
 * Returns the bot that the command line names, and the arguments after it. `words` are all
 * arguments; with `--config` the bot is not among them. Throws ConfigError if no bot is named,
 * NotFoundError if no bot of that name runs.
 */
export function namedBot(
  command: Command,
  words: readonly (string | undefined)[],
): NamedBot & { readonly rest: readonly (string | undefined)[] } {
  const config: string | undefined = command.getOptionValue('config');
  const [bot, ...rest] = config === undefined ? words : [config, ...words];
  if (bot === undefined)
    throw new ConfigError(
      `name the bot: ${argument}, for example ${commandFor(command, demo)}; ${runningText(command)}`,
    );
  if (config !== undefined && words.every((word) => word !== undefined))
    throw new ConfigError(
      `the bot is named twice, by --config ${config} and by "${words[0]}": remove one of them`,
    );
  return { ...botOf(bot, command), rest };
}

const demo = { config: join(packageRoot, 'config', 'demo.yaml'), home: undefined };

/** Returns the bot that `bot` names; throws as {@link namedBot} does. */
export function botOf(bot: string, command: Command): NamedBot {
  const home = requestedHome(command);
  const isPath = /[/\\]|\.ya?ml$/u.test(bot);
  if (isPath) return { config: settingsPath(bot), home };
  const matching = runningBots().filter(
    (running) => running.bot === bot && (home === undefined || resolve(running.home) === home),
  );
  const [found, ...others] = matching;
  if (others.length > 0)
    throw new ConfigError(
      `${matching.length} bots named "${bot}" run; name one by its settings and home: ${linesOf(matching, command)}`,
    );
  if (found !== undefined) return { config: found.config, home: found.home };
  const path = settingsPath(bot);
  if (existsSync(resolve(path))) return { config: path, home };
  throw new NotFoundError(
    `no bot named "${bot}" is running; name a stopped bot by the path of its settings: ` +
      `${commandFor(command, demo)}; ${runningText(command)}`,
  );
}

/** Returns the command as it was given, but for the bot at `place`. */
function commandFor(command: Command, place: BotPlace): string {
  const { reason, refused } = command.opts<{ reason?: string; refused?: boolean }>();
  return botCommand(
    command.name(),
    place,
    ...(reason === undefined ? [] : [`--reason ${quoted(reason)}`]),
    ...(refused === true ? ['--refused'] : []),
  );
}

function runningText(command: Command): string {
  const running = runningBots();
  if (running.length === 0) return 'no bot of this installation is running';
  return `running now: ${linesOf(running, command)}`;
}

function linesOf(bots: readonly RunningBot[], command: Command): string {
  return bots.map((running) => `\n  ${running.bot}: ${commandFor(command, running)}`).join('');
}
