/** Verbs that look without trading: backtests, runs and strategies held against them. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ConfigError } from '../../domain/errors.ts';
import { type Common, type DeclareVerb, finish, place, span } from '../command.ts';
import { userPath, userScenario } from '../user-path.ts';

const grace = () =>
  new Option(
    '--grace <span>',
    'how long a strategy may take for one event, before the run is ended',
  )
    .argParser(span)
    .default(30_000, '30s');

/** Adds them to the command line. */
export function addResearchVerbs(verb: DeclareVerb): void {
  verb('backtest <scenario>', 'a strategy over a recording: a folder of backtests/, or a file')
    .addOption(grace())
    .action((scenario: string, options: Common & { grace: number }) =>
      finish(options.json, async (out) => {
        const { runBacktestVerb } = await import('../commands/backtest-command.ts');
        const { grace: graceMs } = options;
        const { env: environment } = process;
        const name = userScenario(scenario);
        return runBacktestVerb({ scenario: name, graceMs, environment, output: out });
      }),
    );

  verb('compare', 'a finished run beside the backtest of its hours; the newest unless named')
    .argument('[journal]', 'a journal; or a bot, as other commands name it')
    .argument('[run]', 'the number of the run, of the bot or of all in the home')
    .action(
      (word: string | undefined, more: string | undefined, options: Common, command: Command) =>
        finish(options.json, async (out) => {
          const { namedJournals } = await import('../named-journals.ts');
          const { runCompareVerb } = await import('../commands/compare-command.ts');
          const isNumber = word !== undefined && /^\d+$/u.test(word);
          const [name, number] = isNumber ? [undefined, word] : [word, more];
          if (isNumber && more !== undefined)
            throw new ConfigError(`after the run ${word} nothing follows, was "${more}"`);
          const { journal, ...named } = namedJournals(command, name);
          return runCompareVerb({ ...named, run: journal ?? number, output: out });
        }),
    );

  verb(
    'check-strategy <file>',
    'whether a strategy knows only what it is told: no look-ahead, no clock, no world',
  )
    .option('--scenario <name>', 'what it is run over, as for backtest; first if not given')
    .addOption(grace())
    .action((file: string, options: Common & { scenario?: string; grace: number }) =>
      finish(options.json, async (out) => {
        const { runCheckStrategy } = await import('../commands/check-strategy-command.ts');
        const { grace: graceMs } = options;
        const scenario = options.scenario && userScenario(options.scenario);
        const { env: environment } = process;
        const path = userPath(file);
        return runCheckStrategy({ file: path, scenario, graceMs, environment, output: out });
      }),
    );

  verb('interface', 'every operation of the exchange that can be called and is answered')
    .option(
      '--write <dir>',
      'write the reference page, the OpenAPI document and the strategy API there',
      place('folder', 'written'),
    )
    .action((options: Common & { write?: string }) =>
      finish(options.json, async (out) => {
        const { runInterface } = await import('../commands/interface-command.ts');
        return runInterface({ write: options.write && resolve(options.write), output: out });
      }),
    );
}
