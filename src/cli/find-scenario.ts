/** Finds the file of a scenario. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NotFoundError } from '../domain/errors.ts';
import type { Workspace } from '../domain/workspace.ts';
import { statusOf } from './file-status.ts';

/**
 * Returns the path of the scenario's file. Throws NotFoundError, which lists the existing
 * scenarios, and StoreError if a path cannot be read.
 */
export function findScenario(name: string, { scenarios }: Pick<Workspace, 'scenarios'>): string {
  const isPath = /[/\\]|\.ya?ml$|^\.$/u.test(name);
  const candidates = isPath
    ? [resolve(name), resolve(name, 'scenario.yaml')]
    : scenarios.map((folder) => join(folder, name, 'scenario.yaml'));
  const file = candidates.find((path) => statusOf(path)?.isFile() === true);
  if (file !== undefined) return file;
  const known = scenarios.map((folder) => `${folder} (${scenariosIn(folder) || 'which has none'})`);
  throw new NotFoundError(
    `no scenario ${name}: give the path of a scenario file, or a name from ${known.join(' or ')}`,
  );
}

function scenariosIn(folder: string): string {
  const entries = existsSync(folder) ? readdirSync(folder).sort() : [];
  return entries.filter((entry) => existsSync(join(folder, entry, 'scenario.yaml'))).join(', ');
}
