/** The command line. Each verb is declared in a group of `app/cli/`, with its options. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { verbsOf } from './cli/command.ts';
import { addKeyVerbs } from './cli/declarations/key-commands.ts';
import { addRecordingVerbs } from './cli/declarations/recording-commands.ts';
import { addResearchVerbs } from './cli/declarations/research-commands.ts';
import { addSafetyVerbs } from './cli/declarations/safety-commands.ts';
import { addSettingsVerbs } from './cli/declarations/settings-commands.ts';
import { addStateVerbs } from './cli/declarations/state-commands.ts';
import { addTradingVerbs } from './cli/declarations/trading-commands.ts';
import { usageError } from './cli/usage-error.ts';
import { packageRoot } from './terminal/package-root.ts';

// Whatever is written without a mode of its own is for its owner alone.
process.umask(0o077);

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

const program = new Command('millrace')
  .description('Trading bots: exact orders, exact fills, one engine from backtest to live.')
  .version(manifest.version, '--version', 'print the version')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(usageError(text, askedVerb())) });

/** Returns the verb that was named, if there is such a one. */
function askedVerb(): string | undefined {
  const name = process.argv[2];
  return program.commands.find((command) => command.name() === name)?.name();
}

const verb = verbsOf(program);
const groups = [
  addTradingVerbs,
  addSafetyVerbs,
  addStateVerbs,
  addSettingsVerbs,
  addKeyVerbs,
  addResearchVerbs,
  addRecordingVerbs,
];
for (const add of groups) add(verb);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has written its message; help and version are no errors.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
