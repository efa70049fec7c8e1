/** The folder of a bot's state belongs to its user alone: who can write there can replace it. */
import { type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { SafetyRefusedError } from '../../domain/errors.ts';
import { quoted } from '../../terminal/command-hints.ts';

/**
 * Throws SafetyRefusedError if another user can write in `home`. One that is not there yet is made
 * for its owner alone. Windows has no such modes, and is not looked at.
 */
export function requirePrivateHome(home: string): void {
  const status = statSync(home, { throwIfNoEntry: false });
  if (status === undefined || process.platform === 'win32') return;
  const problem = problemOf(status, userInfo());
  if (problem === undefined) return;
  throw new SafetyRefusedError(
    `the home ${home} ${problem.text}: whoever writes there can replace the database and the keys ` +
      `of the bot; allowed is a folder that its user alone can write; ${problem.fix(quoted(home))}`,
  );
}

type HomeProblem = { readonly text: string; readonly fix: (home: string) => string };

/** Returns how another user than `user` can write in a folder; undefined if none can. */
export function problemOf(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  user: { readonly uid: number; readonly gid: number },
): HomeProblem | undefined {
  if (uid !== user.uid && uid !== 0)
    return {
      text: `belongs to another user (number ${uid}, and this is ${user.uid})`,
      fix: () => 'name a folder of your own with --home',
    };
  // The usual group of a user has nobody else in it.
  const isOwnGroup = gid === user.gid && gid === user.uid;
  if ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || isOwnGroup)) return undefined;
  return {
    text: `can be written by others (its mode is ${(mode & 0o777).toString(8)})`,
    fix: (home) => `close it with: chmod go-w ${home}`,
  };
}
