/** The place in a plugin that an error came from, as text that is the same on every machine. */
import { join, sep } from 'node:path';
import { codePlaceOf } from '../domain/stack-frame.ts';
import { isPluginFile } from '../runtime/running-code.ts';

/** The folder of Millrace's own code, which is never reported as the place. */
const own = join(import.meta.dirname, '..') + sep;

/**
 * Returns folder, file and line of the innermost frame that is not Millrace's, a package's or
 * Node's, such as `my-bot/strategy.ts:12`; undefined if there is none.
 */
export function errorPlaceOf(error: Error): string | undefined {
  for (const frame of (error.stack ?? '').split('\n')) {
    const { file = '', line } = codePlaceOf(frame) ?? {};
    // A plugin may be a package itself.
    const isInstalled = file.includes('/node_modules/') && !isPluginFile(file);
    if (file === '' || file.startsWith(own) || isInstalled) continue;
    return `${file.split('/').slice(-2).join('/')}:${line}`;
  }
  return undefined;
}

/** Returns an error's text and place, without its stack, whose paths differ between machines. */
export function errorTextOf(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error === 'string' ? error : typeof error}`;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const place = errorPlaceOf(error);
  return `${error.name}: ${error.message}${cause}${place === undefined ? '' : `, at ${place}`}`;
}
