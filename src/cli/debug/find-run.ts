/** Finds the run that `millrace debug` names: a backtest, or the journal of a bot. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { DebuggedRun } from '../../bot/debug/debug-session.ts';
import { debuggedBacktest, debuggedJournal } from '../../bot/debug/debugged-run.ts';
import { journalRunsIn } from '../../bot/journal/journal-segments.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { type FileKind, fileKindOf, otherKindOf } from '../../domain/file-kind.ts';
import { fileHeadOf } from '../../runtime/file-head.ts';
import type { HangWatchdogOptions } from '../../runtime/hang-watchdog.ts';
import { loadScenario } from '../../settings/load-scenario.ts';
import type { Cli } from '../command.ts';
import { statusOf } from '../file-status.ts';
import { findScenario } from '../find-scenario.ts';
import { type NamedJournals, namedJournals } from '../named-journals.ts';

export type RunChoice = {
  readonly cli: Cli;
  readonly command: Command;
  /** As given; undefined uses the settings of the project. */
  readonly word: string | undefined;
  /** Whether a bot's journal is wanted although its settings name a scenario. */
  readonly wantsJournal: boolean;
  readonly guard: (strategies: readonly string[]) => HangWatchdogOptions;
};

export async function findRun(choice: RunChoice): Promise<DebuggedRun> {
  const { cli, command, word, wantsJournal } = choice;
  if (wantsJournal || (word !== undefined && isJournal(cli, word)))
    return debuggedJournal(journalOf(namedJournals(cli, command, word)), cli.workspace.strategies);
  try {
    return await backtestOf(choice);
  } catch (error) {
    const names = namesOf(choice, error);
    if (names === undefined) throw error;
    return debuggedJournal(journalOf(names), cli.workspace.strategies);
  }
}

function kindOf(cli: Cli, word: string): FileKind | undefined {
  const path = cli.userPath(word);
  return statusOf(path)?.isFile() === true ? fileKindOf(fileHeadOf(path)) : undefined;
}

function isJournal(cli: Cli, word: string): boolean {
  const kind = kindOf(cli, word);
  if (kind === 'scenario' || kind === 'bot') return false;
  if (kind !== undefined && kind !== 'journal') {
    const what = otherKindOf(fileHeadOf(cli.userPath(word)), 'journal');
    throw new ConfigError(
      `${word} is ${what}; debug takes a scenario, the settings of a bot, or a journal`,
    );
  }
  return kind === 'journal' || /\.jsonl(?:\.gz)?$/u.test(word);
}

/** Returns the journals of a bot that has no scenario, or that runs; undefined if none is named. */
function namesOf({ cli, command, word }: RunChoice, error: unknown): NamedJournals | undefined {
  const isSettings = word !== undefined && kindOf(cli, word) === 'bot';
  const lacksScenario = error instanceof ConfigError && /lacks backtest/u.test(error.message);
  const isName = error instanceof NotFoundError && word !== undefined && /^[^/\\]+$/u.test(word);
  if (!(isSettings && lacksScenario) && !(isName && !existsSync(resolve(word)))) return undefined;
  try {
    return namedJournals(cli, command, word);
  } catch (other) {
    if (!(other instanceof NotFoundError)) throw other;
    return undefined;
  }
}

async function backtestOf({ cli, word, guard }: RunChoice): Promise<DebuggedRun> {
  const { workspace } = cli;
  const { file, botFile } = findScenario(word && cli.userScenario(word), workspace);
  const loaded = loadScenario(file, botFile);
  const { source: _source, notices: _notices, ...scenario } = loaded;
  const watched = guard(scenario.strategies.map(({ id }) => id));
  const plugins = await preparePlugins(loaded, workspace.strategies, watched);
  const dataFolder = workspace.data;
  return debuggedBacktest(word ?? botFile ?? file, { scenario, dataFolder, plugins });
}

function journalOf({ home, journal, bot }: NamedJournals): string {
  if (journal !== undefined) return journal;
  const folder = join(home, 'journal');
  const runs = existsSync(folder) ? journalRunsIn(folder) : [];
  const newest = runs.filter((run) => bot === undefined || run.bot === bot).at(-1);
  if (newest !== undefined) return newest.path;
  const whose = bot === undefined ? '' : ` of ${bot}`;
  throw new NotFoundError(`no journal${whose} in ${folder}; every run of a bot writes one there`);
}
