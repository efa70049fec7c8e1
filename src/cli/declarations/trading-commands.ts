/** Declares the commands that run a bot, a simulated exchange, or both. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { LogLevel } from '../../runtime/log.ts';
import {
  botHomeText,
  type Cli,
  type CommonOptions,
  collect,
  logLevelOption,
  parseDuration,
  parsePort,
  parseReason,
  parseSpeed,
  requestedHome,
} from '../command.ts';
import type { ExchangeCommandOptions } from '../commands/exchange-command.ts';
import { projectFile } from '../project-file.ts';

type FlowOptions = { readonly flow?: string; readonly speed: number };
type ExchangeOptions = CommonOptions &
  FlowOptions &
  Pick<
    ExchangeCommandOptions,
    'port' | 'seed' | 'tls' | 'control' | 'strict' | 'limits' | 'permissionValues' | 'child'
  > & {
    readonly markets?: string;
    readonly keySet: ExchangeCommandOptions['keyTemplate'];
  };

type RunOptions = CommonOptions & {
  readonly for?: number;
  readonly resume?: string;
  readonly again: readonly string[];
  readonly adopt: boolean;
  readonly markets: boolean;
  readonly plain: boolean;
  readonly log: LogLevel;
};
type StartOptions = RunOptions &
  FlowOptions & {
    readonly mode?: 'demo' | 'paper';
    readonly fresh: boolean;
    readonly seed: string;
  };
type BotRunOptions = RunOptions & {
  readonly live: boolean;
  readonly acceptDangerousKey?: string;
};

const marketsText =
  'print the markets of the exchange with their rules and prices, and do nothing else';
const adoptText = 'take over our orders and fills that only the exchange knows, instead of halting';
const plainText = 'print lines on a terminal too, as into a file, instead of one screen';
const forText = 'stop after this duration, like 60s; by default run until Ctrl-C';
const againText = 'let a strategy that is done begin its task again; may be given several times';
const resumeText = 'trade again after a halt; the text says why and is stored';
const seedText = 'seed of the simulated market, any text; used only on its first start';

/** Adds the options of both commands that run a bot. */
function withRunOptions(command: Command): Command {
  return command
    .option('--for <span>', forText, parseDuration)
    .option('--resume <reason>', resumeText, parseReason)
    .option('--again <strategy>', againText, collect, [])
    .option('--adopt', adoptText, false)
    .option('--markets', marketsText, false)
    .option('--plain', plainText, false);
}

export function addTradingCommands(cli: Cli): void {
  declareStart(cli);
  declareRun(cli);
  declareExchange(cli);
}

function declareStart(cli: Cli): void {
  withRunOptions(
    cli
      .declare(
        'start',
        'run a bot together with a simulated exchange; needs no key and no settings',
      )
      .argument(
        '[config]',
        'path of the bot settings; by default millrace.yaml of the project, or else config/demo.yaml, with --mode paper config/paper.yaml',
      ),
  )
    .addOption(
      new Option(
        '--mode <mode>',
        'demo: send orders to the simulated exchange; paper: fill orders locally from its market stream; by default that of the settings',
      ).choices(['demo', 'paper']),
    )
    .addOption(logLevelOption())
    .option(
      '--fresh',
      'delete the database, journals and simulator state of earlier runs first',
      false,
    )
    .option('--seed <text>', seedText, '1')
    .option(
      '--flow <dir>',
      'trade in the recorded order flow of this folder, instead of a simulated market',
      cli.path('folder'),
    )
    .option(
      '--speed <number>',
      'with --flow: how many times faster than real time to replay, 1 to 999999',
      parseSpeed,
      60,
    )
    .action((config: string | undefined, options: StartOptions, command: Command) => {
      checkSpeed(command);
      return start(cli, config, options);
    });
}

function start(cli: Cli, config: string | undefined, options: StartOptions): Promise<void> {
  // Recorded order flow is another market than the project's, so it gets settings of its own.
  const own = options.flow === undefined ? projectFile(cli.workspace) : undefined;
  return cli.run(options.json, async (out) => {
    const { listStartMarkets, runStart } = await import('../commands/start-command.ts');
    return (options.markets ? listStartMarkets : runStart)({
      config: config === undefined ? own : cli.settingsPath(config),
      shipped: cli.settingsPath(`config/${options.mode ?? 'demo'}.yaml`),
      mode: options.mode,
      home: resolve(options.home),
      fresh: options.fresh,
      seed: options.seed,
      flow: options.flow === undefined ? undefined : resolve(options.flow),
      speed: options.speed,
      forMs: options.for,
      resumeReason: options.resume,
      again: options.again,
      isAdopting: options.adopt,
      isPlain: options.plain,
      logLevel: options.log,
      environment: process.env,
      workspace: cli.workspace,
      output: out,
    });
  });
}

function declareRun(cli: Cli): void {
  withRunOptions(
    cli
      .declare(
        'run',
        'run a bot on an exchange that is already running, simulated or real',
        botHomeText,
      )
      .argument('<config>', 'path of the bot settings'),
  )
    .addOption(logLevelOption())
    .option('--live', 'trade with real money; the settings must also have mode: live', false)
    .option(
      '--accept-dangerous-key <permissions>',
      'trade live although the key has these permissions, like Perm_W_Send,Perm_W_Withdrawals; a key without them is safer',
    )
    .action((config: string, options: BotRunOptions, command: Command) =>
      cli.run(options.json, async (out) => {
        const { listBotMarkets, runBotCommand } = await import('../commands/run-command.ts');
        return (options.markets ? listBotMarkets : runBotCommand)({
          config: cli.settingsPath(config),
          home: requestedHome(command),
          live: options.live,
          acceptedPermissions: options.acceptDangerousKey?.split(',') ?? [],
          forMs: options.for,
          resumeReason: options.resume,
          again: options.again,
          isAdopting: options.adopt,
          isPlain: options.plain,
          logLevel: options.log,
          environment: process.env,
          workspace: cli.workspace,
          output: out,
        });
      }),
    );
}

function declareExchange(cli: Cli): void {
  cli
    .declare('exchange', 'run only the simulated exchange')
    .option(
      '--port <number>',
      'port on 127.0.0.1, 0 to 65535; 0 picks any free port',
      parsePort,
      7400,
    )
    .option('--seed <text>', seedText, '1')
    .option(
      '--tls',
      'use TLS, with a certificate made on the first start; plain HTTP is answered with 403',
      false,
    )
    .option(
      '--flow <dir>',
      'replay the recorded order flow of this folder; must be the same on every start',
      cli.path('folder'),
    )
    .option(
      '--speed <number>',
      'with --flow: how many times faster than real time to replay, 1 to 999999; used only on the first start',
      parseSpeed,
      60,
    )
    .option(
      '--markets <pairs>',
      'markets with simulated participants, like XBTZAR,XBTEUR; used only on the first start',
    )
    .option(
      '--control',
      'accept control commands over HTTP from clients that have the token',
      false,
    )
    .option(
      '--strict',
      'accept only what the documents describe, none of the other forms that real clients send',
      false,
    )
    .addOption(
      new Option('--key-set <name>', 'permissions of the key given in MILLRACE_SIMULATOR_KEY_ID')
        .choices([
          'bot',
          'trading',
          'read-only',
          'all',
        ] satisfies ExchangeCommandOptions['keyTemplate'][])
        .default('bot'),
    )
    .addOption(
      new Option(
        '--limits <revision>',
        'revision of the interface whose limits apply; used only on the first start',
      )
        .choices([
          'current',
          'long-order-ids',
          'earlier',
        ] satisfies ExchangeCommandOptions['limits'][])
        .default('current'),
    )
    .option(
      '--permission-values <list>',
      'bits of the undocumented permissions, like MP_None_Write=2097152,MP_Transfers=4194304; used ' +
        'only on the first start; without a bit, or with 0, every valid key has the permission',
    )
    .option('--child', 'stop when standard input ends', false)
    .action((options: ExchangeOptions, command: Command) => {
      checkSpeed(command);
      return runSimulatedExchange(cli, options);
    });
}

function runSimulatedExchange(cli: Cli, options: ExchangeOptions): Promise<void> {
  return cli.run(options.json, async (out) => {
    const { runExchange } = await import('../commands/exchange-command.ts');
    return runExchange({
      ...options,
      home: resolve(options.home),
      flow: options.flow === undefined ? undefined : resolve(options.flow),
      markets: options.markets?.split(','),
      keyTemplate: options.keySet,
      environment: process.env,
      output: out,
    });
  });
}

/** Refuses `--speed` without `--flow`, because nothing would be replayed. */
function checkSpeed(command: Command): void {
  const isGiven = command.getOptionValueSource('speed') === 'cli';
  if (isGiven && command.getOptionValue('flow') === undefined)
    command.error('error: --speed needs --flow');
}
