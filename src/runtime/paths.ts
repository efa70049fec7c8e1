/** Where one path stands to another. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Returns the nearest folder with a `package.json`: `folder` or one above it. */
export function projectOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : projectOf(parent);
}

/** Whether `path` is `folder` or in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns `path` relative to `folder` if it is inside, for people; else unchanged. */
export function shortPath(path: string, folder: string): string {
  return isInside(path, folder) ? relative(folder, path) : path;
}
