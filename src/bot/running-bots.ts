/**
 * The bots of this installation that run now, a small file for each, so that a command can name one
 * by its name alone.
 *
 * Invariant: a file is only a hint. Its process is looked at by number and start, and what a
 * command does is decided by the bot's database and lock.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../runtime/make-folder.ts';
import { processIdentityOf } from '../runtime/process-identity.ts';
import { writeTextWhole } from '../terminal/atomic-file.ts';
import { packageRoot } from '../terminal/package-root.ts';

export type RunningBot = {
  readonly bot: string;
  /** Absolute path of its settings. */
  readonly config: string;
  readonly home: string;
};

const usualFolder = join(packageRoot, '.millrace', 'running');

/**
 * Notes that a bot runs in this process; returns what forgets it. Throws StoreError where nothing
 * can be written: it can then be named by its settings alone.
 */
export function noteRunningBot(running: RunningBot, folder = usualFolder): () => void {
  const { pid } = process;
  makeFolder(folder, 0o700);
  const path = join(folder, `${running.bot}-${pid}.json`);
  const entry = { ...running, pid, process: processIdentityOf(pid) ?? `${pid}` };
  writeTextWhole(path, JSON.stringify(entry));
  return () => rmSync(path, { force: true });
}

/** Returns the bots that run, sorted by name; files of processes that have died are removed. */
export function runningBots(folder = usualFolder): readonly RunningBot[] {
  return filesIn(folder).flatMap((name) => {
    const entry = entryAt(join(folder, name));
    if (entry !== undefined && processIdentityOf(entry.pid) === entry.process) {
      const { bot, config, home } = entry;
      return [{ bot, config, home }];
    }
    rmSync(join(folder, name), { force: true });
    return [];
  });
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

function entryAt(
  path: string,
): (RunningBot & { readonly pid: number; readonly process: string }) | undefined {
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8'));
    const texts = [entry.bot, entry.config, entry.home, entry.process];
    const isWhole = texts.every((text) => typeof text === 'string');
    return isWhole && Number.isSafeInteger(entry.pid) ? entry : undefined;
  } catch {
    return undefined;
  }
}
