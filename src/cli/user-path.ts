/**
 * Paths of a command line are meant from where the user stands. npm runs its scripts in the
 * package's folder, and says in INIT_CWD where it was called.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { packageRoot } from '../terminal/package-root.ts';

/**
 * Returns the path as it is meant from the folder of the checkout that npm was called in; what is
 * not there is taken from the package's own, if it is there. What is `written` need not be there
 * itself: its folder decides.
 */
export function userPath(path: string, use: 'read' | 'written' = 'read'): string {
  const folder = calledIn();
  if (folder === undefined || isAbsolute(path)) return path;
  const here = resolve(folder, path);
  const isThere = (one: string) => existsSync(use === 'read' ? one : dirname(one));
  return isThere(here) || !isThere(resolve(path)) ? here : path;
}

/** Returns a scenario as it is meant: a path as {@link userPath} has it, a name as it is. */
export function userScenario(name: string): string {
  return /[/\\]|\.ya?ml$|^\.$/u.test(name) ? userPath(name) : name;
}

/** Returns the folder of the checkout, other than its first, that npm was called in. */
function calledIn(): string | undefined {
  const { INIT_CWD: folder = '' } = process.env;
  // Without npm in between the current folder is where the user stands.
  if (process.cwd() !== realpathSync(packageRoot) || !existsSync(folder)) return undefined;
  const place = relative(realpathSync(packageRoot), realpathSync(folder));
  const isInside = place !== '' && !place.startsWith('..') && !isAbsolute(place);
  return isInside ? realpathSync(folder) : undefined;
}
