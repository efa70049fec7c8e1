/** Resolves the journals that a command names: one by its path, or those of a bot or a home. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { statePlaceOf } from '../bot/state-place.ts';
import { loadBotSettings } from '../settings/load-bot-settings.ts';
import { botOf } from './bot-argument.ts';
import type { Cli } from './command.ts';

export type NamedJournals = {
  readonly home: string;
  /** Path of one journal. */
  readonly journal?: string;
  /** Name of the bot whose journals to use; by default those of every bot of the home. */
  readonly bot?: string;
};

/** Resolves `word`: the path of a journal, or a bot as in every other command. */
export function namedJournals(cli: Cli, command: Command, word: string | undefined): NamedJournals {
  const { workspace } = cli;
  const home: string = resolve(command.getOptionValue('home'));
  if (word === undefined) return { home };
  const isSettings = /\.ya?ml$/u.test(word);
  if (!isSettings && /[/\\]|\.jsonl/u.test(word)) return { home, journal: cli.userPath(word) };
  const named = botOf(cli, word, command);
  const { bot, store } = loadBotSettings(named.config, {
    workspace,
    home: named.home,
    isBeingWritten: true,
  });
  return { home: statePlaceOf(store, named.home).home, bot };
}
