/** Verbs that end trading: by the bot, without it, and by a process beside it. */
import { type Command, Option } from 'commander';
import {
  type Common,
  type DeclareVerb,
  finish,
  homeAskedFor,
  place,
  settingsPath,
  span,
  why,
} from '../command.ts';
import type { OperatorVerbOptions } from '../commands/operator-command.ts';

const configUsual = 'config/demo.yaml';

type OperatorFlags = Common & {
  readonly reason: string;
  readonly strategy?: string;
  readonly pair?: string;
  readonly stop?: boolean;
};

/** Adds them to the command line. */
export function addSafetyVerbs(verb: DeclareVerb): void {
  const operator = (name: OperatorVerbOptions['command'], description: string): Command =>
    verb(`${name} [config]`, description)
      .requiredOption('--reason <text>', 'why; it is stored', why)
      .action((config: string | undefined, options: OperatorFlags, command: Command) =>
        finish(options.json, async (out) => {
          const { runOperatorVerb } = await import('../commands/operator-command.ts');
          return runOperatorVerb({
            command: name,
            config: settingsPath(config),
            home: homeAskedFor(command),
            reason: options.reason,
            scope: scopeOf(options),
            thenStop: options.stop ?? false,
            environment: process.env,
            output: out,
          });
        }),
      );
  const scoped = (command: Command): Command =>
    command
      .addOption(new Option('--strategy <id>', 'only this strategy').conflicts('pair'))
      .option('--pair <pair>', 'only this pair');

  scoped(
    operator(
      'halt',
      'no new orders, and open ones cancelled, until somebody resumes; survives restarts',
    ),
  );
  scoped(
    operator('reduce', 'open orders cancelled, and only new ones that bring positions nearer to 0'),
  );
  scoped(
    operator('resume', 'trading goes on after a halt: of everything, unless a scope is named'),
  );
  operator(
    'kill',
    'halts, and stops every order until two lists in a row show none; without a bot as panic does',
  ).option('--stop', 'the process ends afterwards', false);

  verb('approve <token>', 'lets one order above the soft limit pass, once, within ten minutes')
    .option('--config <file>', 'of the bot', place('file'), configUsual)
    .requiredOption('--reason <text>', 'why; it is stored', why)
    .action(
      (token: string, options: Common & { config: string; reason: string }, command: Command) =>
        finish(options.json, async (out) => {
          const { runApprove } = await import('../commands/approve-command.ts');
          return runApprove({
            token,
            config: settingsPath(options.config),
            home: homeAskedFor(command),
            reason: options.reason,
            output: out,
          });
        }),
    );

  verb('panic', 'stops the open orders of a namespace with nothing but the key; no bot needed')
    .option('--config <file>', 'a bot, which tells namespace and venue', place('file'))
    .option('--namespace <name>', 'as every run of the bot prints it')
    .option('--venue <name>', 'of config/venues')
    .option('--all', 'every open order of the account, of whomever; needs a typed word', false)
    .option('--yes-cancel-everything', 'the typed word of --all, for scripts', false)
    .action(
      (
        options: Common & {
          config?: string;
          namespace?: string;
          venue?: string;
          all: boolean;
          yesCancelEverything: boolean;
        },
        command: Command,
      ) =>
        finish(options.json, async (out) => {
          const { runPanic } = await import('../commands/panic-command.ts');
          return runPanic({
            config: options.config && settingsPath(options.config),
            namespace: options.namespace,
            venue: options.venue,
            home: homeAskedFor(command),
            homeUsual: options.home,
            isAll: options.all,
            isConfirmed: options.yesCancelEverything,
            environment: process.env,
            output: out,
          });
        }),
    );

  verb('watchdog [config]', 'runs beside a bot; stops its orders when it has died or hangs')
    .addOption(
      new Option('--grace <span>', 'how long a process that does not move is left alone after 15 s')
        .argParser(span)
        .default(30_000, '30s'),
    )
    .action((config: string | undefined, options: Common & { grace: number }, command: Command) =>
      finish(options.json, async (out) => {
        const { runWatchdog } = await import('../commands/watchdog-command.ts');
        return runWatchdog({
          config: settingsPath(config),
          home: homeAskedFor(command),
          graceMs: options.grace,
          environment: process.env,
          output: out,
        });
      }),
    );
}

function scopeOf({ strategy, pair }: OperatorFlags): string | undefined {
  if (strategy !== undefined) return `strategy:${strategy}`;
  return pair === undefined ? undefined : `pair:${pair}`;
}
