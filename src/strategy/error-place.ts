/** The place in a plugin that an error came from, as text that is the same on every machine. */
import { join, sep } from 'node:path';
import { codePlaceOf } from '../domain/stack-frame.ts';

/** The folder of Millrace's own code, which is never reported as the place. */
const own = join(import.meta.dirname, '..') + sep;

/**
 * Returns folder, file and line of the innermost frame that is not Millrace's, a package's or
 * Node's, such as `my-bot/strategy.ts:12`; undefined if there is none.
 */
export function errorPlaceOf(error: Error): string | undefined {
  for (const frame of (error.stack ?? '').split('\n')) {
    const { file = '', line } = codePlaceOf(frame) ?? {};
    if (file === '' || file.startsWith(own) || file.includes('/node_modules/')) continue;
    return `${file.split('/').slice(-2).join('/')}:${line}`;
  }
  return undefined;
}
