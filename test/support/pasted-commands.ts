/** Finds commands that Millrace suggests in a text, and checks that they can be pasted. */

import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { Cli } from '../../src/cli/command.ts';
import { addKeyCommands } from '../../src/cli/declarations/key-commands.ts';
import { addProjectCommands } from '../../src/cli/declarations/project-commands.ts';
import { addRecordingCommands } from '../../src/cli/declarations/recording-commands.ts';
import { addResearchCommands } from '../../src/cli/declarations/research-commands.ts';
import { addSafetyCommands } from '../../src/cli/declarations/safety-commands.ts';
import { addSettingsCommands } from '../../src/cli/declarations/settings-commands.ts';
import { addStateCommands } from '../../src/cli/declarations/state-commands.ts';
import { addTradingCommands } from '../../src/cli/declarations/trading-commands.ts';
import { workspace } from './package-root.ts';

const groups = [
  addTradingCommands,
  addProjectCommands,
  addSafetyCommands,
  addStateCommands,
  addSettingsCommands,
  addKeyCommands,
];
const suggestion = /npm (?:--prefix \S+ )?run --silent millrace -- (?<line>[^;\n()`]+)/gu;

/** Returns the command lines that `text` suggests, as a shell splits them into words. */
export function suggestedIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(suggestion)].map(({ groups: found }) => {
    const script = `printf '%s\\n' ${found?.['line'] ?? ''}`;
    return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
  });
}

/** Returns the problem of a command line, or undefined if it can be pasted as it is. */
export function problemOfCommand(words: readonly string[]): string | undefined {
  // A word in capitals is a placeholder, so the line is not complete.
  const blank = words.find((one) => /^[A-Z][A-Z-]+$/u.test(one));
  return blank === undefined ? problemOfWords(words) : `${blank} is to be filled in`;
}

/** Returns what the command line's own options say against `words`, or undefined. */
export function problemOfWords(words: readonly string[]): string | undefined {
  let problem: string | undefined;
  const program = commandLine((text) => {
    problem = text.trim();
  });
  for (const command of program.commands) command.action(() => {});
  try {
    program.parse([...words], { from: 'user' });
  } catch {
    // The problem was written to writeErr; --help is not a problem.
  }
  return problem;
}

/** Returns whether the command line has a command of this name. */
export function isCommandName(name: string): boolean {
  return commandLine().commands.some((command) => command.name() === name);
}

/** Commands take over what is set before they are declared: so `writeErr` is set first. */
function commandLine(writeErr: (text: string) => void = () => {}): Command {
  const program = new Command('millrace').version('', '--version').exitOverride();
  program.configureOutput({ writeOut: () => {}, writeErr });
  const cli = new Cli(program, workspace);
  for (const add of [...groups, addResearchCommands, addRecordingCommands]) add(cli);
  return program;
}
