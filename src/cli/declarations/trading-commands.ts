/** Verbs that run a bot, a simulated exchange, or both. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { LogLevel } from '../../runtime/log.ts';
import {
  type Common,
  type DeclareVerb,
  finish,
  homeAskedFor,
  logLevel,
  place,
  port,
  settingsPath,
  span,
  speed,
  why,
} from '../command.ts';
import type { ExchangeVerbOptions } from '../commands/exchange-command.ts';

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

const adoptText = 'take over what the exchange has and the database does not know';

/** Adds them to the command line. */
export function addTradingVerbs(verb: DeclareVerb): void {
  verb('start [config]', 'simulated exchange, bot and strategy in one: nothing else is needed')
    .option('--for <span>', 'stop after this, like 60s', span)
    .option('--resume <reason>', 'trade again after a halt; say why', why)
    .option('--adopt', adoptText, false)
    .addOption(
      new Option('--mode <mode>', 'paper: orders are pretended in the market that is streamed')
        .choices(['demo', 'paper'])
        .default('demo'),
    )
    .addOption(logLevel())
    .option('--fresh', 'forget the state of earlier runs first', false)
    .option('--seed <text>', 'of the simulated market; used on its first start', '1')
    .option(
      '--flow <dir>',
      'trade in recorded order flow, replayed from this folder',
      place('folder'),
    )
    .option('--speed <number>', 'how much faster than in history it is replayed', speed, 60)
    .action(
      (
        config: string | undefined,
        options: Common &
          FlowOptions & {
            mode: 'demo' | 'paper';
            for?: number;
            resume?: string;
            adopt: boolean;
            log: LogLevel;
            fresh: boolean;
            seed: string;
          },
        command: Command,
      ) => {
        checkSpeed(command);
        return finish(options.json, async (out) => {
          const { runStart } = await import('../commands/start-command.ts');
          return runStart({
            config: config && settingsPath(config),
            mode: options.mode,
            home: resolve(options.home),
            fresh: options.fresh,
            seed: options.seed,
            flow: options.flow === undefined ? undefined : resolve(options.flow),
            speed: options.speed,
            forMs: options.for,
            resumeReason: options.resume,
            isAdopting: options.adopt,
            logLevel: options.log,
            environment: process.env,
            output: out,
          });
        });
      },
    );

  verb('run <config>', 'a bot against a venue that runs already')
    .option('--for <span>', 'stop after this, like 60s', span)
    .option('--resume <reason>', 'trade again after a halt; say why', why)
    .option('--adopt', adoptText, false)
    .addOption(logLevel())
    .option('--live', 'trade with real money; the configuration must say so too', false)
    .option(
      '--accept-dangerous-key <permissions>',
      'trade live although the key has these, like Perm_W_Send,Perm_W_Withdrawals; better make another key',
    )
    .action(
      (
        config: string,
        options: Common & {
          for?: number;
          resume?: string;
          adopt: boolean;
          log: LogLevel;
          live: boolean;
          acceptDangerousKey?: string;
        },
        command: Command,
      ) =>
        finish(options.json, async (out) => {
          const { runBotVerb } = await import('../commands/run-command.ts');
          return runBotVerb({
            config: settingsPath(config),
            home: homeAskedFor(command),
            live: options.live,
            acceptedPermissions: options.acceptDangerousKey?.split(',') ?? [],
            forMs: options.for,
            resumeReason: options.resume,
            isAdopting: options.adopt,
            logLevel: options.log,
            environment: process.env,
            output: out,
          });
        }),
    );

  verb('exchange', 'the simulated exchange alone')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', port, 7400)
    .option('--seed <text>', 'of the simulated market; used on its first start', '1')
    .option('--tls', 'TLS, with a certificate made on the first start; plain HTTP gets 403', false)
    .option(
      '--flow <dir>',
      'replay recorded order flow from this folder; the same at every start',
      place('folder'),
    )
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
      new Option(
        '--limits <revision>',
        'what a revision of the interface states, as of first start',
      )
        .choices(['current', 'long-order-ids', 'earlier'] satisfies ExchangeVerbOptions['limits'][])
        .default('current'),
    )
    .option(
      '--permission-values <list>',
      'bits that no document shows, like MP_None_Write=2097152,MP_Transfers=4194304, as of the ' +
        'first start; 0 or left out: any valid key will do',
    )
    .option('--child', 'end when standard input ends', false)
    .action((options: Common & FlowOptions & ExchangeOptions, command: Command) => {
      checkSpeed(command);
      return finish(options.json, async (out) => {
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
    });
}

/** How fast what is replayed: without a flow nothing is. */
function checkSpeed(command: Command): void {
  const isSaid = command.getOptionValueSource('speed') === 'cli';
  if (isSaid && command.getOptionValue('flow') === undefined)
    command.error('error: --speed needs --flow');
}
