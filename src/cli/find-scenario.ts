/** Finds the files of a scenario. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, NotFoundError } from '../domain/errors.ts';
import { fileKindOf } from '../domain/file-kind.ts';
import type { Workspace } from '../domain/workspace.ts';
import { fileHeadOf } from '../runtime/file-head.ts';
import { loadBotSettings } from '../settings/load-bot-settings.ts';
import { meantText } from '../settings/nearest-word.ts';
import { statusOf } from './file-status.ts';
import { projectFile, projectFileName } from './project-file.ts';

export type FoundScenario = {
  readonly file: string;
  /** The file of the bot that runs instead of the scenario's own; undefined for its own. */
  readonly botFile: string | undefined;
};

/**
 * Returns the scenario that `name` names: one of the workspace, the path of a scenario, or the path
 * of a bot's file, whose `backtest` names it. Undefined means the bot of the project. Throws
 * ConfigError if a bot's file names no scenario, NotFoundError, which lists the existing scenarios,
 * and StoreError if a path cannot be read.
 */
export function findScenario(name: string | undefined, workspace: Workspace): FoundScenario {
  const named = name ?? projectFile(workspace);
  if (named === undefined)
    throw new ConfigError(
      `name a scenario, such as first, or call this in a project whose ${projectFileName} names one by its key backtest`,
    );
  const file = scenarioFile(named, resolve('.'), workspace);
  if (fileKindOf(fileHeadOf(file)) !== 'bot') return { file, botFile: undefined };
  const { source } = loadBotSettings(file, { workspace, isBeingWritten: true });
  const scenario = source.valueAt(['backtest']);
  if (typeof scenario !== 'string')
    throw new ConfigError(
      `${file}: lacks backtest, the scenario to run its strategies over, such as backtest: first`,
    );
  return { file: scenarioFile(scenario, dirname(file), workspace), botFile: file };
}

/** Returns the file that `name` names; a path is relative to `from`. */
function scenarioFile(
  name: string,
  from: string,
  { scenarios }: Pick<Workspace, 'scenarios'>,
): string {
  const isPath = /[/\\]|\.ya?ml$|^\.$/u.test(name);
  const candidates = isPath
    ? [resolve(from, name), resolve(from, name, 'scenario.yaml')]
    : scenarios.map((folder) => join(folder, name, 'scenario.yaml'));
  const file = candidates.find((path) => statusOf(path)?.isFile() === true);
  if (file !== undefined) return file;
  const known = scenarios.map((folder) => {
    const names = scenariosIn(folder);
    return `${folder} (${names.length === 0 ? 'which has none' : names.join(', ')})`;
  });
  const meant = isPath ? '' : meantText(name, scenarios.flatMap(scenariosIn));
  throw new NotFoundError(
    `no scenario ${name}: give the path of a scenario file, or a name from ${known.join(' or ')}${meant}`,
  );
}

function scenariosIn(folder: string): readonly string[] {
  const entries = existsSync(folder) ? readdirSync(folder).sort() : [];
  return entries.filter((entry) => existsSync(join(folder, entry, 'scenario.yaml')));
}
