/** The command line. The commands are declared in groups in `cli/declarations/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { Cli } from './cli/command.ts';
import { addKeyCommands } from './cli/declarations/key-commands.ts';
import { addProjectCommands } from './cli/declarations/project-commands.ts';
import { addRecordingCommands } from './cli/declarations/recording-commands.ts';
import { addResearchCommands } from './cli/declarations/research-commands.ts';
import { addSafetyCommands } from './cli/declarations/safety-commands.ts';
import { addSettingsCommands } from './cli/declarations/settings-commands.ts';
import { addStateCommands } from './cli/declarations/state-commands.ts';
import { addTradingCommands } from './cli/declarations/trading-commands.ts';
import { usageError } from './cli/usage-error.ts';
import { workspaceOf } from './terminal/find-workspace.ts';

// Files that are created without an explicit mode are accessible only to their owner.
process.umask(0o077);

const root = join(import.meta.dirname, '..');
const workspace = workspaceOf(root, { cwd: process.cwd(), environment: process.env });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const program = new Command('millrace')
  .description('Trading bots: exact orders, exact fills, one engine from backtest to live.')
  .version(manifest.version, '--version', 'print the version')
  .exitOverride()
  .configureOutput({
    outputError: (text, write) => write(usageError(text, givenCommand(), workspace)),
  });

/** Returns the command that was given, if it exists. */
function givenCommand(): string | undefined {
  const name = process.argv[2];
  return program.commands.find((command) => command.name() === name)?.name();
}

const cli = new Cli(program, workspace);
const groups = [
  addTradingCommands,
  addProjectCommands,
  addSafetyCommands,
  addStateCommands,
  addSettingsCommands,
  addKeyCommands,
  addResearchCommands,
  addRecordingCommands,
];
for (const add of groups) add(cli);

// Without a command, it runs the bot of the project in the current folder, or else the demo.
const words = process.argv.length > 2 ? process.argv : [...process.argv, 'start'];
try {
  await program.parseAsync(words);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has written its message; --help and --version are not errors.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
