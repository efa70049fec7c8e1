/** Runs the commands of the README as a stranger would, but in a home of their own and bounded. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SourceFile } from '../source-files.ts';
import { badCommand, commandsOf, type DocumentCommand } from './document-commands.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const runsAtMostMs = 120_000;

export type CommandRun = {
  readonly command: DocumentCommand;
  /** Why it counts as failed; undefined if it ended with 0. */
  readonly problem: string | undefined;
  readonly stdout: string;
};

/**
 * Runs each command of a page, one after the other. What does not parse is not run. Nor is
 * `npm test`: a test that ran it would run itself. The test of `docs/start.md` runs the commands of
 * a project.
 */
export async function runCommandsOf(page: SourceFile): Promise<CommandRun[]> {
  const home = mkdtempSync(join(tmpdir(), 'millrace-readme-'));
  try {
    const runs: CommandRun[] = [];
    for (const command of commandsOf(page)) {
      const bad = badCommand(command);
      if (command.script === 'test') continue;
      if (command.script === 'project' && bad === undefined) continue;
      runs.push(
        bad === undefined ? await runCommand(command, home) : { command, problem: bad, stdout: '' },
      );
    }
    return runs;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function runCommand(command: DocumentCommand, home: string): Promise<CommandRun> {
  const { script, words, file, line, text } = command;
  // The demo would run until somebody ends it.
  const bound = script === 'start' ? ['--for', '5s'] : [];
  const args = ['run', '--silent', script, '--', ...words, '--home', home, ...bound];
  try {
    const { stdout } = await run('npm', args, { cwd: root, timeout: runsAtMostMs });
    return { command, problem: undefined, stdout };
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as Record<string, string | number>;
    const last = String(stderr).trim().split('\n').at(-1);
    const problem = `${file}:${line}: ${text} ended with ${code}: ${last}`;
    return { command, problem, stdout: String(stdout) };
  }
}
