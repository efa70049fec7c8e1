/** Which journals a command means: one by its path, or those of a bot or of a home. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { statePlaceOf } from '../bot/state-place.ts';
import { loadBotSettings } from '../settings/load-bot-settings.ts';
import { packageRoot } from '../terminal/package-root.ts';
import { botOf } from './bot-argument.ts';
import { userPath } from './user-path.ts';

export type NamedJournals = {
  readonly home: string;
  /** Path of one journal. */
  readonly journal?: string;
  /** Name of the bot whose journals are meant; those of every bot of the home unless given. */
  readonly bot?: string;
};

/** Returns what `word` means: a path of a journal, or a bot as every command names it. */
export function namedJournals(command: Command, word: string | undefined): NamedJournals {
  const home: string = resolve(command.getOptionValue('home'));
  if (word === undefined) return { home };
  const isSettings = /\.ya?ml$/u.test(word);
  if (!isSettings && /[/\\]|\.jsonl/u.test(word)) return { home, journal: userPath(word) };
  const named = botOf(word, command);
  const { bot, store } = loadBotSettings(named.config, { cwd: packageRoot, isBeingWritten: true });
  return { home: statePlaceOf(store, named.home).home, bot };
}
