/** The command line. Each verb is declared in a group of `app/cli/`, with its options. */
import { Command, CommanderError } from 'commander';
import { addResearchVerbs } from './app/cli/research-verbs.ts';
import { addSettingsVerbs } from './app/cli/settings-verbs.ts';
import { addStateVerbs } from './app/cli/state-verbs.ts';
import { addTradingVerbs } from './app/cli/trading-verbs.ts';
import { verbsOf } from './app/cli/verb.ts';

const program = new Command('millrace')
  .description('Trading bots: exact orders, exact fills, one engine from backtest to live.')
  .exitOverride()
  .showHelpAfterError('run `millrace --help` for the verbs');

const verb = verbsOf(program);
for (const add of [addTradingVerbs, addStateVerbs, addSettingsVerbs, addResearchVerbs]) add(verb);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has written its message; help and version are no errors.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
