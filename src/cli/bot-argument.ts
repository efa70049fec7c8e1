/**
 * How a command line names a bot: by the path of its settings, or by its name while it runs. There
 * is no default bot, so that a halt or a key never reaches the wrong one.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type RunningBot, runningBots } from '../bot/running-bots.ts';
import { ConfigError, NotFoundError } from '../domain/errors.ts';
import type { Workspace } from '../domain/workspace.ts';
import { type BotPlace, botCommand, quoted } from '../terminal/command-hints.ts';
import type { Output } from '../terminal/output.ts';
import { botHomeText, type Cli, requestedHome } from './command.ts';
import { projectFile } from './project-file.ts';

export type NamedBot = BotPlace & { readonly workspace: Workspace };

/** What a command about a bot gets. */
export type BotCommandOptions = NamedBot & { readonly output: Output };

const argument = 'the path of its settings file, or its name while it runs';

/** Declares a command for one bot; `more` are arguments after the bot, as `[order]`. */
export function declareBotCommand(
  cli: Cli,
  name: string,
  description: string,
  more: Readonly<Record<string, string>> = {},
): Command {
  const command = cli.declare(name, description, botHomeText).argument('[bot]', argument);
  for (const [usage, text] of Object.entries(more)) command.argument(usage, text);
  return command.option(
    '--config <file>',
    'path of the settings file, instead of [bot]',
    cli.path('file'),
  );
}

/**
 * Returns the bot that the command line names, and the arguments after it. `words` are all
 * arguments; with `--config` the bot is not among them. Throws ConfigError if no bot is named,
 * NotFoundError if no bot of that name runs.
 */
export function namedBot(
  cli: Cli,
  command: Command,
  words: readonly (string | undefined)[],
): NamedBot & { readonly rest: readonly (string | undefined)[] } {
  const config: string | undefined = command.getOptionValue('config');
  const [bot, ...rest] = config === undefined ? words : [config, ...words];
  if (bot === undefined)
    throw new ConfigError(
      `name the bot: ${argument}, for example ${commandFor(command, exampleOf(cli))}; ${runningText(cli, command)}`,
    );
  if (config !== undefined && words.every((word) => word !== undefined))
    throw new ConfigError(
      `the bot is named twice, by --config ${config} and by "${words[0]}": remove one of them`,
    );
  return { ...botOf(cli, bot, command), rest };
}

function exampleOf({ workspace }: Cli): NamedBot {
  const config = projectFile(workspace) ?? join(workspace.root, 'config', 'demo.yaml');
  return { config, home: undefined, workspace };
}

/** Returns the bot that `bot` names; throws as {@link namedBot} does. */
export function botOf(cli: Cli, bot: string, command: Command): NamedBot {
  const { workspace } = cli;
  const home = requestedHome(command);
  const isPath = /[/\\]|\.ya?ml$/u.test(bot);
  if (isPath) return { config: cli.settingsPath(bot), home, workspace };
  const matching = runningBots(workspace).filter(
    (running) => running.bot === bot && (home === undefined || resolve(running.home) === home),
  );
  const [found, ...others] = matching;
  if (others.length > 0)
    throw new ConfigError(
      `${matching.length} bots named "${bot}" run; name one by its settings and home: ${linesOf(cli, matching, command)}`,
    );
  if (found !== undefined) return { config: found.config, home: found.home, workspace };
  const path = cli.settingsPath(bot);
  if (existsSync(resolve(path))) return { config: path, home, workspace };
  throw new NotFoundError(
    `no bot named "${bot}" is running; name a stopped bot by the path of its settings: ` +
      `${commandFor(command, { ...exampleOf(cli), home })}; ${runningText(cli, command)}`,
  );
}

type GivenOptions = {
  readonly reason?: string;
  readonly refused?: boolean;
  readonly journal?: boolean;
  readonly config?: string;
};

/** Returns the command as it was given, but for the bot at `place`. */
function commandFor(command: Command, place: BotPlace): string {
  const { reason, refused, journal, config } = command.opts<GivenOptions>();
  const rest = command.args.slice(config === undefined ? 1 : 0);
  return botCommand(
    command.name(),
    place,
    ...rest.map(quoted),
    ...(journal === true ? ['--journal'] : []),
    ...(reason === undefined ? [] : [`--reason ${quoted(reason)}`]),
    ...(refused === true ? ['--refused'] : []),
  );
}

function runningText(cli: Cli, command: Command): string {
  const running = runningBots(cli.workspace);
  if (running.length === 0) return 'no bot of this project is running';
  return `running now: ${linesOf(cli, running, command)}`;
}

function linesOf({ workspace }: Cli, bots: readonly RunningBot[], command: Command): string {
  return bots
    .map((running) => `\n  ${running.bot}: ${commandFor(command, { ...running, workspace })}`)
    .join('');
}
