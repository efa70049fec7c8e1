/** The command line. Each verb is declared in a group of `app/cli/`, with its options. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addKeyVerbs } from './app/cli/key-verbs.ts';
import { addRecordingVerbs } from './app/cli/recording-verbs.ts';
import { addResearchVerbs } from './app/cli/research-verbs.ts';
import { addSafetyVerbs } from './app/cli/safety-verbs.ts';
import { addSettingsVerbs } from './app/cli/settings-verbs.ts';
import { addStateVerbs } from './app/cli/state-verbs.ts';
import { addTradingVerbs } from './app/cli/trading-verbs.ts';
import { usageError } from './app/cli/usage-error.ts';
import { verbsOf } from './app/cli/verb.ts';
import { packageRoot } from './app/package-root.ts';

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
