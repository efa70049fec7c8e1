/**
 * The tokens of a bot's page, each in a file that only its owner can read: one to see the page, one
 * to command the bot. They stay the same at the next start, so that open pages and bookmarks work
 * on; whoever removes a file gets a new token.
 */
import { chmodSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../../domain/errors.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { randomToken } from '../../runtime/system-random.ts';

// So long that nobody guesses it, and so short that the address fits a line of 80 columns.
const tokenBytes = 16;
const tokenPattern = /^[0-9a-f]{32}$/u;

/** Returns the path of the token with which a bot's page is seen. */
export function viewTokenPath({ home, bot }: BotPlace): string {
  return join(home, 'page', `${bot}.view-token`);
}

/** Returns the path of the token with which a bot is commanded from a page. */
export function commandTokenPath({ home, bot }: BotPlace): string {
  return join(home, 'page', `${bot}.command-token`);
}

export type BotPlace = { readonly home: string; readonly bot: string };

/** Returns the token in the file at `path`; makes one if there is no file. Throws StoreError. */
export function tokenAt(path: string): string {
  const found = readToken(path);
  if (found !== undefined) return found;
  const token = randomToken(tokenBytes);
  try {
    makeFolder(dirname(path), 0o700);
    chmodSync(dirname(path), 0o700);
    // A full disk must not leave half a token.
    const next = `${path}.${process.pid}.next`;
    writeFileSync(next, `${token}\n`, { mode: 0o600 });
    renameSync(next, path);
    return token;
  } catch (cause) {
    throw new StoreError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Returns the token at `path`; undefined if there is no file. Throws StoreError if it is not a
 * token, or if others can read it.
 */
export function readToken(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const fix = 'remove it, and the next start makes a new one';
  if (!found.isFile()) throw new StoreError(`${path} is not a file: ${fix}`);
  if ((found.mode & 0o077) !== 0)
    throw new StoreError(
      `${path} can be read by others (mode ${(found.mode & 0o777).toString(8)}): ${fix}`,
    );
  const token = readFileSync(path, 'utf8').trim();
  if (!tokenPattern.test(token)) throw new StoreError(`${path} has no token of 32 digits: ${fix}`);
  return token;
}
