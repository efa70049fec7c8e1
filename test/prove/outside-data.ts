/** Where recorded data from outside lies: MILLRACE_DATA, else beside the project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a prover says that needs a data set which is not there. */
export function howToGet(name: string): string {
  const how = 'docs/promises.md, "Data from outside", says what it holds and where it is from';
  return `${name} is not there: put it into the folder that MILLRACE_DATA names; ${how}`;
}

/** Returns the folder of a data set, or undefined if it is not there. */
export function outsideData(name: string): string | undefined {
  const root = process.env['MILLRACE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
  const folder = join(root, name);
  return existsSync(folder) ? folder : undefined;
}
