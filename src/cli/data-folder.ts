/** Finds the folder of the scenarios' data sets. */
import { join, resolve } from 'node:path';
import { packageRoot } from '../terminal/package-root.ts';

/** Returns the folder that `MILLRACE_DATA` names; otherwise `../shared/data` of the project. */
export function dataFolderOf(environment: Readonly<Record<string, string | undefined>>): string {
  return resolve(environment['MILLRACE_DATA'] || join(packageRoot, '../shared/data'));
}
