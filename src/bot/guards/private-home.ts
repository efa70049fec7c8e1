/** Only its user may write to the folder of a bot's state: anyone else could replace the state. */
import { type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { SafetyRefusedError } from '../../domain/errors.ts';
import { quoted } from '../../terminal/command-hints.ts';

/**
 * Throws SafetyRefusedError if another user can write to `home`. A home that does not exist yet
 * passes, since it will be created private. Not checked on Windows, which has no such modes.
 */
export function requirePrivateHome(home: string): void {
  const status = statSync(home, { throwIfNoEntry: false });
  if (status === undefined || process.platform === 'win32') return;
  const problem = problemOf(status, userInfo());
  if (problem === undefined) return;
  throw new SafetyRefusedError(
    `the home ${home} ${problem.text}: anyone who can write there can replace the bot's database ` +
      `and keys; it must be writable by its user only; ${problem.fix(quoted(home))}`,
  );
}

type HomeProblem = { readonly text: string; readonly fix: (home: string) => string };

/** Returns how a user other than `user` can write to a folder; undefined if no other user can. */
export function problemOf(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  user: { readonly uid: number; readonly gid: number },
): HomeProblem | undefined {
  if (uid !== user.uid && uid !== 0)
    return {
      text: `belongs to another user (user id ${uid}; yours is ${user.uid})`,
      fix: () => 'choose a folder of your own with --home',
    };
  // A user's private group has no other members.
  const isOwnGroup = gid === user.gid && gid === user.uid;
  if ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || isOwnGroup)) return undefined;
  return {
    text: `is writable by other users (mode ${(mode & 0o777).toString(8)})`,
    fix: (home) => `protect it with: chmod go-w ${home}`,
  };
}
