/** Where recorded data from outside lies: MILLRACE_DATA, else beside the project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the folder of a data set, or undefined if it is not there. */
export function outsideData(name: string): string | undefined {
  const root = process.env['MILLRACE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
  const folder = join(root, name);
  return existsSync(folder) ? folder : undefined;
}
