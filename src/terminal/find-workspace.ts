/** Finds the folders of a {@link Workspace}. */
import { realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Workspace } from '../domain/workspace.ts';
import { isInside, projectOf } from '../runtime/paths.ts';
import { quoted } from './command-hints.ts';

/** The folder that contains the state of a project's bots. */
const homeName = '.millrace';

/** Returns the workspace of a process that runs in `cwd`; `root` is the installation's folder. */
export function workspaceOf(
  root: string,
  { cwd, environment }: { readonly cwd: string; readonly environment: Environment },
): Workspace {
  const project = projectOf(cwd) ?? cwd;
  const home = join(project, homeName);
  const foldersOf = (name: string) => [...new Set([join(project, name), join(root, name)])];
  const isPackage = root.split(sep).includes('node_modules');
  return {
    root,
    project,
    home,
    homeOf: (file) => {
      const folder = dirname(realPathOf(file));
      if (isInside(folder, realPathOf(root))) return home;
      return join(projectOf(folder) ?? folder, homeName);
    },
    venues: foldersOf('config/venues'),
    strategies: join(root, 'strategies'),
    scenarios: foldersOf('backtests'),
    data: resolve(
      environment['MILLRACE_DATA'] ||
        (isPackage ? join(project, 'data') : join(root, '../shared/data')),
    ),
    command: isPackage ? 'npx millrace' : cloneCommand(root, cwd),
    commandFolder: isPackage ? cwd : root,
  };
}

type Environment = { readonly [name: string]: string | undefined };

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The clone's `npm run` works in its own folder; from elsewhere npm has to be told the folder. */
function cloneCommand(root: string, cwd: string): string {
  const prefix = isInside(cwd, root) ? '' : ` --prefix ${quoted(root)}`;
  return `npm${prefix} run --silent millrace --`;
}
