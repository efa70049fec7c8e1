/** The command line: verbs, their options, and exit codes. */
import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ExchangeVerbOptions } from './app/exchange-verb.ts';
import { exitCodeOf } from './app/exit-code.ts';
import { Output } from './app/output.ts';
import { packageRoot } from './app/package-root.ts';
import { parseSpanMs } from './domain/units.ts';
import type { LogLevel } from './runtime/log.ts';

const output = (isJson: boolean): Output =>
  new Output({ isJson, stdout: process.stdout, stderr: process.stderr });

/** Runs a verb and ends the process with its exit code, after everything is written. */
async function finish(isJson: boolean, verb: (output: Output) => Promise<number>): Promise<void> {
  const out = output(isJson);
  try {
    process.exitCode = await verb(out);
  } catch (error) {
    out.problem(error);
    process.exitCode = exitCodeOf(error);
  }
}

function span(text: string): number {
  const ms = parseSpanMs(text);
  if (ms === undefined || ms <= 0)
    throw new InvalidArgumentError('must be a span with its unit, like "60s" or "5m"');
  return ms;
}

function port(text: string): number {
  if (!/^\d{1,5}$/u.test(text) || Number.parseInt(text, 10) > 65_535)
    throw new InvalidArgumentError('must be 0 to 65535; 0 takes any free port');
  return Number.parseInt(text, 10);
}

function speed(text: string): number {
  const value = /^\d{1,6}$/u.test(text) ? Number.parseInt(text, 10) : 0;
  if (value < 1) throw new InvalidArgumentError('must be a whole number of 1 or more');
  return value;
}

function logLevel(): Option {
  return new Option('--log <level>', 'of the log file in the home folder')
    .choices(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info');
}

type Common = { readonly home: string; readonly json: boolean };
type FlowOptions = { readonly flow?: string; readonly speed: number };
type ExchangeOptions = {
  readonly port: number;
  readonly seed: string;
  readonly tls: boolean;
  readonly markets?: string;
  readonly control: boolean;
  readonly keySet: ExchangeVerbOptions['keyTemplate'];
  readonly limits: ExchangeVerbOptions['limits'];
  readonly permissionValues?: string;
  readonly child: boolean;
};

const program = new Command('millrace')
  .description('Trading bots: exact orders, exact fills, one engine from backtest to live.')
  .exitOverride()
  .showHelpAfterError('run `millrace --help` for the verbs');

function verb(usage: string, description: string): Command {
  return program
    .command(usage)
    .description(description)
    .option('--home <dir>', 'where state is kept', resolve(packageRoot, '.millrace'))
    .option('--json', 'one JSON object on the last line of standard output', false);
}

/** Only what was said: without it the state lies beside the configured database. */
function homeAskedFor(command: Command): string | undefined {
  const isSaid = command.getOptionValueSource('home') === 'cli';
  return isSaid ? resolve(command.getOptionValue('home')) : undefined;
}

verb('start [config]', 'simulated exchange, bot and strategy in one: nothing else is needed')
  .option('--for <span>', 'stop after this, like 60s', span)
  .option('--resume <reason>', 'trade again after a halt; say why')
  .addOption(logLevel())
  .option('--fresh', 'forget the state of earlier runs first', false)
  .option('--seed <text>', 'of the simulated market; used on its first start', '1')
  .option('--flow <dir>', 'trade in recorded order flow, replayed from this folder')
  .option('--speed <number>', 'how much faster than in history it is replayed', speed, 60)
  .action(
    (
      config: string | undefined,
      options: Common &
        FlowOptions & {
          for?: number;
          resume?: string;
          log: LogLevel;
          fresh: boolean;
          seed: string;
        },
    ) =>
      finish(options.json, async (out) => {
        const { runStart } = await import('./app/start-verb.ts');
        return runStart({
          config,
          home: resolve(options.home),
          fresh: options.fresh,
          seed: options.seed,
          flow: options.flow === undefined ? undefined : resolve(options.flow),
          speed: options.speed,
          forMs: options.for,
          resumeReason: options.resume,
          logLevel: options.log,
          output: out,
        });
      }),
  );

verb('exchange', 'the simulated exchange alone')
  .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', port, 7400)
  .option('--seed <text>', 'of the simulated market; used on its first start', '1')
  .option('--tls', 'TLS, with a certificate made on the first start; plain HTTP gets 403', false)
  .option('--flow <dir>', 'replay recorded order flow from this folder; the same at every start')
  .option('--speed <number>', 'how much faster than in history, as of the first start', speed, 60)
  .option(
    '--markets <pairs>',
    'markets with people in them, like XBTZAR,XBTEUR, as of the first start',
  )
  .option('--control', 'answer commands over HTTP for whoever has the token', false)
  .addOption(
    new Option('--key-set <name>', 'what a key that the environment gives may do')
      .choices([
        'bot',
        'trading',
        'read-only',
        'all',
      ] satisfies ExchangeVerbOptions['keyTemplate'][])
      .default('bot'),
  )
  .addOption(
    new Option('--limits <revision>', 'what a revision of the interface states, as of first start')
      .choices(['current', 'long-order-ids', 'earlier'] satisfies ExchangeVerbOptions['limits'][])
      .default('current'),
  )
  .option(
    '--permission-values <list>',
    'bits that no document shows, like MP_None_Write=2097152,MP_Transfers=4194304, as of the ' +
      'first start; 0 or left out: any valid key will do',
  )
  .option('--child', 'end when standard input ends', false)
  .action((options: Common & FlowOptions & ExchangeOptions) =>
    finish(options.json, async (out) => {
      const { runExchange } = await import('./app/exchange-verb.ts');
      return runExchange({
        ...options,
        home: resolve(options.home),
        flow: options.flow === undefined ? undefined : resolve(options.flow),
        markets: options.markets?.split(','),
        keyTemplate: options.keySet,
        environment: process.env,
        output: out,
      });
    }),
  );

verb('run <config>', 'a bot against a venue that runs already')
  .option('--for <span>', 'stop after this, like 60s', span)
  .option('--resume <reason>', 'trade again after a halt; say why')
  .addOption(logLevel())
  .option('--live', 'trade with real money; the configuration must say so too', false)
  .action(
    (
      config: string,
      options: Common & { for?: number; resume?: string; log: LogLevel; live: boolean },
      command: Command,
    ) =>
      finish(options.json, async (out) => {
        const { runBotVerb } = await import('./app/run-bot-verb.ts');
        return runBotVerb({
          config,
          home: homeAskedFor(command),
          live: options.live,
          forMs: options.for,
          resumeReason: options.resume,
          logLevel: options.log,
          environment: process.env,
          output: out,
        });
      }),
  );

verb('status [config]', "what a bot's database says, also while it runs").action(
  (config: string | undefined, options: Common, command: Command) =>
    finish(options.json, async (out) => {
      const { runStatus } = await import('./app/status-verb.ts');
      return runStatus({
        config: config ?? 'config/demo.yaml',
        home: homeAskedFor(command),
        output: out,
      });
    }),
);

verb('why [order]', 'the whole story of an order, by its client_order_id or order_id')
  .option('--config <file>', 'of the bot', 'config/demo.yaml')
  .option('--refused', 'why is it not trading? halts, refusals and idle reasons', false)
  .option('--since <span>', 'with --refused: only as far back, like 1h', span)
  .action(
    (
      order: string | undefined,
      options: Common & { config: string; refused: boolean; since?: number },
      command: Command,
    ) => {
      if ((order === undefined) !== options.refused)
        command.error('name an order, or ask for --refused; one of the two');
      return finish(options.json, async (out) => {
        const { runWhy } = await import('./app/why-verb.ts');
        return runWhy({
          config: options.config,
          home: homeAskedFor(command),
          order,
          sinceMs: options.since,
          output: out,
        });
      });
    },
  );

verb(
  'reconcile [config]',
  'compares orders, fills, ledger and balances of a stopped demo bot with its exchange; exits 1 if any digit differs; repairs nothing',
).action((config: string | undefined, options: Common, command: Command) =>
  finish(options.json, async (out) => {
    const { runReconcile } = await import('./app/reconcile-verb.ts');
    return runReconcile({
      config: config ?? 'config/demo.yaml',
      home: homeAskedFor(command),
      output: out,
    });
  }),
);

verb(
  'backtest <scenario>',
  'a strategy over a recording: a folder of backtests/, or a file',
).action((scenario: string, options: Common) =>
  finish(options.json, async (out) => {
    const { runBacktestVerb } = await import('./app/backtest-verb.ts');
    return runBacktestVerb({ scenario, environment: process.env, output: out });
  }),
);

verb('interface', 'every operation of the exchange that can be called and is answered')
  .option('--write <dir>', 'write the reference page and the OpenAPI document there')
  .action((options: Common & { write?: string }) =>
    finish(options.json, async (out) => {
      const { runInterface } = await import('./app/interface-verb.ts');
      return runInterface({ write: options.write && resolve(options.write), output: out });
    }),
  );

verb('replay [journal]', "replays a run's journal, the newest unless named, and compares")
  .option('--all', 'every journal there is', false)
  .action((journal: string | undefined, options: Common & { all: boolean }) =>
    finish(options.json, async (out) => {
      const { runReplay } = await import('./app/replay-verb.ts');
      return runReplay({
        journal,
        all: options.all,
        home: resolve(options.home),
        output: out,
      });
    }),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has written its message; help and version are no errors.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
