/** Where in a plugin an error came from, told so that it is the same text on every machine. */
import { join, sep } from 'node:path';
import { codePlaceOf } from '../domain/stack-frame.ts';

/** Millrace's own code, which is never the place that is meant. */
const own = join(import.meta.dirname, '..') + sep;

/**
 * Returns folder, file and line of the innermost code that is neither Millrace's, nor a package's,
 * nor Node's, like `my-bot/strategy.ts:12`; undefined if there is none.
 */
export function errorPlaceOf(error: Error): string | undefined {
  for (const frame of (error.stack ?? '').split('\n')) {
    const { file = '', line } = codePlaceOf(frame) ?? {};
    if (file === '' || file.startsWith(own) || file.includes('/node_modules/')) continue;
    return `${file.split('/').slice(-2).join('/')}:${line}`;
  }
  return undefined;
}
