/**
 * Resolves paths of a command line relative to the folder where the user called npm. npm runs its
 * scripts in the package's folder and passes the user's folder in INIT_CWD.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { packageRoot } from '../terminal/package-root.ts';

/**
 * Returns the path relative to the folder of the checkout that npm was called in. If it does not
 * exist there but does in the package's folder, that one is returned. A path to be `written` need
 * not exist; then its folder is checked.
 */
export function userPath(path: string, use: 'read' | 'written' = 'read'): string {
  const folder = calledIn();
  if (folder === undefined || isAbsolute(path)) return path;
  const here = resolve(folder, path);
  const exists = (one: string) => existsSync(use === 'read' ? one : dirname(one));
  return exists(here) || !exists(resolve(path)) ? here : path;
}

/** Resolves a scenario: a path as {@link userPath} does, a name unchanged. */
export function userScenario(name: string): string {
  return /[/\\]|\.ya?ml$|^\.$/u.test(name) ? userPath(name) : name;
}

/** Returns the subfolder of the checkout that npm was called in; undefined outside of one. */
function calledIn(): string | undefined {
  const { INIT_CWD: folder = '' } = process.env;
  // Without npm, the current folder is the user's.
  if (process.cwd() !== realpathSync(packageRoot) || !existsSync(folder)) return undefined;
  const place = relative(realpathSync(packageRoot), realpathSync(folder));
  const isInside = place !== '' && !place.startsWith('..') && !isAbsolute(place);
  return isInside ? realpathSync(folder) : undefined;
}
