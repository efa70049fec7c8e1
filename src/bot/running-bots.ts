/**
 * A small file for each running bot of a project, so that a command can find a bot by its
 * name alone.
 *
 * Invariant: a file is only a hint. Readers check that its process is alive and is the same one, by
 * process id and start time, and commands rely only on the bot's database and lock.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../domain/workspace.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { processIdentityOf } from '../runtime/process-identity.ts';
import { writeTextAtomically } from '../terminal/atomic-file.ts';

export type RunningBot = {
  readonly bot: string;
  /** Absolute path of its settings file. */
  readonly config: string;
  readonly home: string;
};

/** The folder is in the project's home, whichever home a bot has. */
type Place = Pick<Workspace, 'home'>;

function folderOf({ home }: Place): string {
  return join(home, 'running');
}

/**
 * Registers a bot that runs in this process; the returned function removes it. Throws StoreError if
 * the file cannot be written; commands can then find the bot only by its settings file.
 */
export function noteRunningBot(running: RunningBot, place: Place): () => void {
  const { pid } = process;
  const folder = folderOf(place);
  makeFolder(folder, 0o700);
  const path = join(folder, `${running.bot}-${pid}.json`);
  const entry = { ...running, pid, process: processIdentityOf(pid) ?? `${pid}` };
  writeTextAtomically(path, JSON.stringify(entry));
  return () => rmSync(path, { force: true });
}

/** Returns the running bots, sorted by name, and removes the files of dead processes. */
export function runningBots(place: Place): readonly RunningBot[] {
  const folder = folderOf(place);
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
    const isComplete = texts.every((text) => typeof text === 'string');
    return isComplete && Number.isSafeInteger(entry.pid) ? entry : undefined;
  } catch {
    return undefined;
  }
}
