/**
 * Resolves paths of a command line relative to the folder where the user called npm. npm runs its
 * scripts in the package's folder and passes the user's folder in INIT_CWD.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isInside } from '../runtime/paths.ts';

/**
 * Returns the path relative to the folder of the checkout `root` that npm was called in. If it does
 * not exist there but does in the checkout's folder, that one is returned. A path to be `written`
 * need not exist; then its folder is checked.
 */
export function userPath(path: string, root: string, use: 'read' | 'written' = 'read'): string {
  const folder = calledIn(root);
  if (folder === undefined || isAbsolute(path)) return path;
  const here = resolve(folder, path);
  const exists = (one: string) => existsSync(use === 'read' ? one : dirname(one));
  return exists(here) || !exists(resolve(path)) ? here : path;
}

/** Returns the subfolder of the checkout that npm was called in; undefined outside of one. */
function calledIn(root: string): string | undefined {
  const { INIT_CWD: folder = '' } = process.env;
  const own = realpathSync(root);
  // Without npm, the current folder is the user's.
  if (process.cwd() !== own || !existsSync(folder)) return undefined;
  const called = realpathSync(folder);
  return called !== own && isInside(called, own) ? called : undefined;
}
