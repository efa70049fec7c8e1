/** Finds the file of a scenario. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NotFoundError } from '../domain/errors.ts';
import { packageRoot } from '../terminal/package-root.ts';
import { statusOf } from './file-status.ts';

/**
 * Returns the path of the scenario's file. Throws NotFoundError, which lists the existing
 * scenarios, and StoreError if a path cannot be read.
 */
export function findScenario(name: string): string {
  const folder = join(packageRoot, 'backtests');
  const isPath = /[/\\]|\.ya?ml$|^\.$/u.test(name);
  const candidates = isPath
    ? [resolve(name), resolve(name, 'scenario.yaml')]
    : [join(folder, name, 'scenario.yaml')];
  const file = candidates.find((path) => statusOf(path)?.isFile() === true);
  if (file !== undefined) return file;
  const known = existsSync(folder)
    ? readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'scenario.yaml')))
    : [];
  throw new NotFoundError(
    `no scenario ${name}: give the path of a scenario file, or a name from ${folder} (${known.sort().join(', ') || 'which has none'})`,
  );
}
