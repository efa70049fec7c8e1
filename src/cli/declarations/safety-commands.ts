/** Verbs that end trading: by the bot, without it, and by a process beside it. */
import { type Command, Option } from 'commander';
import { botVerb, namedBot } from '../bot-argument.ts';
import { type Common, type DeclareVerb, finish, homeAskedFor, span, why } from '../command.ts';
import type { OperatorVerbOptions } from '../commands/operator-command.ts';

type OperatorFlags = Common & {
  readonly reason: string;
  readonly strategy?: string;
  readonly pair?: string;
  readonly stop?: boolean;
};

type PanicFlags = Common & {
  readonly config?: string;
  readonly namespace?: string;
  readonly venue?: string;
  readonly all: boolean;
  readonly yesCancelEverything: boolean;
};

/** Adds them to the command line. */
export function addSafetyVerbs(verb: DeclareVerb): void {
  const operator = (name: OperatorVerbOptions['command'], description: string): Command =>
    botVerb(verb, name, description)
      .requiredOption('--reason <text>', 'why; it is stored', why)
      .action((bot: string | undefined, options: OperatorFlags, command: Command) =>
        finish(options.json, async (out) => {
          const { runOperatorVerb } = await import('../commands/operator-command.ts');
          return runOperatorVerb({
            command: name,
            ...namedBot(command, [bot]),
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

  botVerb(verb, 'approve', 'lets one order above the soft limit pass, once, within ten minutes', {
    '[token]': 'the 16 digits that the refusal shows',
  })
    .requiredOption('--reason <text>', 'why; it is stored', why)
    .action(
      (
        bot: string | undefined,
        word: string | undefined,
        options: Common & { reason: string },
        command: Command,
      ) =>
        finish(options.json, async (out) => {
          const { runApprove } = await import('../commands/approve-command.ts');
          const { rest, ...named } = namedBot(command, [bot, word]);
          return runApprove({
            ...named,
            token: rest[0] ?? '',
            reason: options.reason,
            output: out,
          });
        }),
    );

  botVerb(
    verb,
    'panic',
    'stops the open orders of a namespace with nothing but the key; no bot needed',
  )
    .option('--namespace <name>', 'instead of a bot: as every run of it prints it')
    .option('--venue <name>', 'with --namespace or --all: a file of config/venues')
    .option('--all', 'every open order of the account, of whomever; needs a typed word', false)
    .option('--yes-cancel-everything', 'the typed word of --all, for scripts', false)
    .action((bot: string | undefined, options: PanicFlags, command: Command) =>
      finish(options.json, async (out) => {
        const { runPanic } = await import('../commands/panic-command.ts');
        const { namespace, venue } = options;
        const isNamed = (namespace ?? venue) === undefined || (bot ?? options.config) !== undefined;
        return runPanic({
          ...(isNamed ? namedBot(command, [bot]) : { home: homeAskedFor(command) }),
          namespace,
          venue,
          homeUsual: options.home,
          isAll: options.all,
          isConfirmed: options.yesCancelEverything,
          environment: process.env,
          output: out,
        });
      }),
    );

  botVerb(verb, 'watchdog', 'runs beside a bot; stops its orders when it has died or hangs')
    .addOption(
      new Option('--grace <span>', 'how long a process that does not move is left alone after 15 s')
        .argParser(span)
        .default(30_000, '30s'),
    )
    .action((bot: string | undefined, options: Common & { grace: number }, command: Command) =>
      finish(options.json, async (out) => {
        const { runWatchdog } = await import('../commands/watchdog-command.ts');
        return runWatchdog({
          ...namedBot(command, [bot]),
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
