/** The newest lines of a bot's log file, read from its end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { LogAnswer } from '../api/history-answers.ts';

/** How much of the end of the file is read. */
const bytesRead = 512 * 1_024;
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

type Line = LogAnswer['lines'][number];

/** Returns the lines of `level` or above, newest first; none if there is no log. */
export function logLines(
  { home, bot }: { readonly home: string; readonly bot: string },
  { limit, level }: { readonly limit: number; readonly level: string },
): readonly Line[] {
  const lowest = levels.indexOf(level);
  return endOf(join(home, 'log', `${bot}.log`))
    .split('\n')
    .flatMap((text) => lineOf(text) ?? [])
    .filter((line) => levels.indexOf(line.level) >= lowest)
    .slice(-limit)
    .reverse();
}

function endOf(path: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(path, 'r');
    const { size } = fstatSync(handle);
    const buffer = Buffer.alloc(Math.min(size, bytesRead));
    readSync(handle, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The first line of what is read may be cut, and is then left out. */
function lineOf(text: string): Line | undefined {
  try {
    const { time, level, msg, topic } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof time !== 'number' || typeof level !== 'string') return undefined;
    return {
      atMs: time,
      level,
      topic: typeof topic === 'string' ? topic : null,
      text: typeof msg === 'string' ? msg : '',
    };
  } catch {
    return undefined;
  }
}
