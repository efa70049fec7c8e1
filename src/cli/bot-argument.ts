/**
 * How a command names a bot: by the path of its settings, or by its name while it runs. Nothing
 * stands for a bot that was not named: a halt or a key must not reach another one.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type RunningBot, runningBots } from '../bot/running-bots.ts';
import { ConfigError, NotFoundError } from '../domain/errors.ts';
import { type BotPlace, botCommand, quoted } from '../terminal/command-hints.ts';
import { packageRoot } from '../terminal/package-root.ts';
import { type DeclareVerb, homeAskedFor, place, settingsPath } from './command.ts';

export type NamedBot = {
  readonly config: string;
  /** Undefined where the settings say where the state is. */
  readonly home: string | undefined;
};

const argument = 'the path of its settings, or its name while it runs';

/** Declares a verb of one bot; `more` are arguments after the bot, as `[order]`. */
export function botVerb(
  verb: DeclareVerb,
  name: string,
  description: string,
  more: Readonly<Record<string, string>> = {},
): Command {
  const command = verb(name, description).argument('[bot]', argument);
  for (const [usage, text] of Object.entries(more)) command.argument(usage, text);
  return command.option('--config <file>', 'the same as the argument [bot]', place('file'));
}

/**
 * Returns the bot that the command line names, and the arguments after it: `words` are all of
 * them, and with `--config` none is the bot. Throws ConfigError if no bot is named, NotFoundError
 * if none of that name runs.
 */
export function namedBot(
  command: Command,
  words: readonly (string | undefined)[],
): NamedBot & { readonly rest: readonly (string | undefined)[] } {
  const config: string | undefined = command.getOptionValue('config');
  const [bot, ...rest] = config === undefined ? words : [config, ...words];
  if (bot === undefined)
    throw new ConfigError(
      `name the bot: ${argument}, such as ${again(command, demo)}; ${runningText(command)}`,
    );
  if (config !== undefined && words.every((word) => word !== undefined))
    throw new ConfigError(
      `the bot is named twice, by --config ${config} and by "${words[0]}": leave one out`,
    );
  return { ...botOf(bot, command), rest };
}

const demo = { config: join(packageRoot, 'config', 'demo.yaml'), home: undefined };

/** Returns the bot that `bot` names, as {@link namedBot} does. */
export function botOf(bot: string, command: Command): NamedBot {
  const home = homeAskedFor(command);
  const isPath = /[/\\]|\.ya?ml$/u.test(bot);
  if (isPath) return { config: settingsPath(bot), home };
  const alike = runningBots().filter(
    (one) => one.bot === bot && (home === undefined || resolve(one.home) === home),
  );
  const [found, ...others] = alike;
  if (others.length > 0)
    throw new ConfigError(
      `${alike.length} bots named "${bot}" run; name one by its settings and home: ${linesOf(alike, command)}`,
    );
  if (found !== undefined) return { config: found.config, home: found.home };
  const path = settingsPath(bot);
  if (existsSync(resolve(path))) return { config: path, home };
  throw new NotFoundError(
    `no bot named "${bot}" runs; a bot that does not run is named by the path of its settings, ` +
      `such as ${again(command, demo)}; ${runningText(command)}`,
  );
}

/** Returns the command as it was given, for the bot at `place`. */
function again(command: Command, place: BotPlace): string {
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
  if (running.length === 0) return 'no bot of this installation runs now';
  return `these run now: ${linesOf(running, command)}`;
}

function linesOf(bots: readonly RunningBot[], command: Command): string {
  return bots.map((one) => `\n  ${one.bot}: ${again(command, one)}`).join('');
}
