/** Declares the commands for backtests, for comparing runs and for checking strategies. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigError } from '../../domain/errors.ts';
import { type Cli, type CommonOptions, collect, parseDuration, parsePort } from '../command.ts';

const graceOption = () =>
  new Option(
    '--grace <span>',
    'longest time that a strategy may take for one event, like 30s; then the run is ended',
  )
    .argParser(parseDuration)
    .default(30_000, '30s');

function parseEvent(text: string): number {
  const number = /^\d{1,15}$/u.test(text) ? Number.parseInt(text, 10) : 0;
  if (number < 1) throw new InvalidArgumentError('must be a whole number from 1 on');
  return number;
}

export function addResearchCommands(cli: Cli): void {
  declareBacktest(cli);
  declareDev(cli);
  declareDebug(cli);
  declareCompare(cli);
  declareCheckStrategy(cli);
  declareInterface(cli);
}

function declareBacktest(cli: Cli): void {
  cli
    .declare('backtest', 'run strategies over a recording, as a scenario describes')
    .argument(
      '[scenario]',
      'the name of a folder in backtests/, or the path of a scenario file, or of bot settings with the key backtest; by default millrace.yaml of the project',
    )
    .option(
      '--set <key=value>',
      'a value instead of that in the file, such as strategies.mm.parameters.size=0.02; may be given several times',
      collect,
      [],
    )
    .addOption(graceOption())
    .action(
      (
        scenario: string | undefined,
        options: CommonOptions & { grace: number; set: readonly string[] },
      ) =>
        cli.run(options.json, async (out) => {
          const { runBacktestCommand } = await import('../commands/backtest-command.ts');
          const { parseSetValue } = await import('../../settings/set-values.ts');
          const { grace: graceMs } = options;
          const name = scenario && cli.userScenario(scenario);
          return runBacktestCommand({
            scenario: name,
            set: options.set.map(parseSetValue),
            graceMs,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}

function declareDev(cli: Cli): void {
  cli
    .declare('dev', 'run a backtest at each save, and show in a browser and here what it changed')
    .argument('[scenario]', 'as for backtest')
    .option(
      '--port <number>',
      'port of the page, 0 to 65535; 0 picks any free port',
      parsePort,
      7480,
    )
    .option(
      '--inspect [port]',
      'let each run wait for a debugger on this port of 127.0.0.1, by default 9229',
      parsePort,
    )
    .action(
      (
        scenario: string | undefined,
        options: CommonOptions & { port: number; inspect?: number | true },
      ) =>
        cli.run(options.json, async (out) => {
          const { runDev } = await import('../commands/dev-command.ts');
          const { inspect, port } = options;
          return runDev({
            scenario: scenario && cli.userScenario(scenario),
            port,
            debuggerPort: inspect === true ? 9229 : inspect,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}

function declareDebug(cli: Cli): void {
  cli
    .declare(
      'debug',
      'step through a backtest or the journal of a bot, event by event: what the strategies were given and asked for, each check of the gate, and what left',
    )
    .argument(
      '[run]',
      'a scenario or bot settings as for backtest, or a journal or bot as for replay; by default millrace.yaml of the project',
    )
    .option(
      '--at <order|time>',
      'where to begin: an order by its intent id, client order id or order id, or a time such as 2026-11-20T12:30:00Z or 12:30',
    )
    .option('--event <number>', 'where to begin: an event by its number', parseEvent)
    .option(
      '--journal',
      'of a bot: the journal of its newest run, although its settings name a scenario',
      false,
    )
    .option(
      '--inspect [port]',
      "wait for an editor's debugger on this port of 127.0.0.1, by default 9229, and stop it in the strategy's code at the event",
      parsePort,
    )
    .option(
      '--port <number>',
      'port of the page, 0 to 65535; 0 picks any free port',
      parsePort,
      7490,
    )
    .addOption(graceOption())
    .action(
      (
        word: string | undefined,
        options: CommonOptions & {
          at?: string;
          event?: number;
          journal: boolean;
          inspect?: number | true;
          port: number;
          grace: number;
        },
        command: Command,
      ) =>
        cli.run(options.json, async (out) => {
          const { runDebug } = await import('../commands/debug-command.ts');
          const { at, event, inspect, port, grace: graceMs, journal: wantsJournal } = options;
          const debuggerPort = inspect === true ? 9229 : inspect;
          return runDebug({
            ...{ cli, command, word, wantsJournal, at, event, debuggerPort, port, graceMs },
            output: out,
          });
        }),
    );
}

function declareCompare(cli: Cli): void {
  cli
    .declare(
      'compare',
      'compare a finished run with a backtest of the same hours, or two results of backtests with each other',
    )
    .argument(
      '[journal]',
      'a journal, or a bot as in other commands, by default any bot of the home; or the page or JSON file of a result',
    )
    .argument('[run]', 'the number of the run, by default the newest; or another result')
    .action(
      (
        word: string | undefined,
        more: string | undefined,
        options: CommonOptions,
        command: Command,
      ) =>
        cli.run(options.json, async (out) => {
          const results = await comparedResults(cli, word, more);
          if (results !== undefined) {
            const { runCompareResults } = await import('../commands/compare-results-command.ts');
            return runCompareResults({ ...results, workspace: cli.workspace, output: out });
          }
          const { namedJournals } = await import('../named-journals.ts');
          const { runCompareCommand } = await import('../commands/compare-command.ts');
          const isNumber = word !== undefined && /^\d+$/u.test(word);
          const [name, number] = isNumber ? [undefined, word] : [word, more];
          if (isNumber && more !== undefined)
            throw new ConfigError(
              `the run ${word} must be the last argument, but "${more}" follows it: remove "${more}"`,
            );
          const { journal, ...named } = namedJournals(cli, command, name);
          return runCompareCommand({
            ...named,
            run: journal ?? number,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}

function declareCheckStrategy(cli: Cli): void {
  cli
    .declare('check-strategy', 'check a strategy for look-ahead and nondeterminism')
    .argument('<file>', "the strategy's file, or its folder with strategy.ts")
    .option(
      '--scenario <name>',
      'the scenario to run it over, as for backtest; by default millrace.yaml of the project, or else first',
    )
    .addOption(graceOption())
    .action((file: string, options: CommonOptions & { scenario?: string; grace: number }) =>
      cli.run(options.json, async (out) => {
        const { runCheckStrategy } = await import('../commands/check-strategy-command.ts');
        const { grace: graceMs } = options;
        const scenario = options.scenario && cli.userScenario(options.scenario);
        const path = cli.userPath(file);
        return runCheckStrategy({
          file: path,
          scenario,
          graceMs,
          workspace: cli.workspace,
          output: out,
        });
      }),
    );
}

function declareInterface(cli: Cli): void {
  cli
    .declare(
      'interface',
      'list the exchange operations that the client calls and the simulator answers',
    )
    .option(
      '--write <dir>',
      'write the reference page, the OpenAPI document, the strategy API and the JSON Schemas of the settings to this folder',
      cli.path('folder', 'written'),
    )
    .action((options: CommonOptions & { write?: string }) =>
      cli.run(options.json, async (out) => {
        const { runInterface } = await import('../commands/interface-command.ts');
        return runInterface({
          write: options.write && resolve(options.write),
          workspace: cli.workspace,
          output: out,
        });
      }),
    );
}

/** Returns the two results that `compare` names; undefined if it names none. */
async function comparedResults(
  cli: Cli,
  word: string | undefined,
  more: string | undefined,
): Promise<{ readonly a: string; readonly b: string } | undefined> {
  const { isResultName } = await import('../result-page.ts');
  const words = [word, more].filter((one) => one !== undefined);
  if (!words.some(isResultName)) return undefined;
  const [a, b] = words;
  if (a === undefined || b === undefined)
    throw new ConfigError(`compare got one result, ${a}, but needs two: add the other one`);
  const other = words.find((one) => !isResultName(one));
  if (other !== undefined)
    throw new ConfigError(
      `compare takes two results of backtests, or a journal and a run; "${other}" is no result, whose name ends with .html or .json`,
    );
  return { a: cli.userPath(a), b: cli.userPath(b) };
}
