/** Finds the file that a mistaken path most likely means. */
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { dirname } from 'node:path/posix';
import { nearestWord } from '../settings/nearest-word.ts';

/** A test stands beside what it tests, under nearly the same name. */
const isTest = /\.test\.[cm]?[jt]s$/u;

/**
 * Returns the file or folder that `given`, a path relative to `folder`, most likely means, as such
 * a path; undefined if nothing has a similar name.
 */
export function siblingOf(given: string, folder: string): string | undefined {
  const name = basename(given);
  const names = namesIn(resolve(folder, dirname(given))).filter((one) => !isTest.test(one));
  // An ending that was left out, or that of the compiled file, is no typing error in the name.
  const stem = name.replace(/\.[cm]?[jt]s$/u, '');
  const near = names.find((one) => one.startsWith(`${stem}.`)) ?? nearestWord(name, names);
  return near === undefined ? undefined : given.slice(0, given.length - name.length) + near;
}

/** Returns the names in the folder, sorted; none if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
