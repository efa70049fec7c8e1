/** Declares the commands that limit, stop or resume trading, with or without a running bot. */
import { type Command, Option } from 'commander';
import { declareBotCommand, namedBot } from '../bot-argument.ts';
import {
  type Cli,
  type CommonOptions,
  parseDuration,
  parseReason,
  requestedHome,
} from '../command.ts';
import type { OperatorCommandOptions } from '../commands/operator-command.ts';

type OperatorFlags = CommonOptions & {
  readonly reason: string;
  readonly strategy?: string;
  readonly pair?: string;
  readonly stop?: boolean;
};

type PanicFlags = CommonOptions & {
  readonly config?: string;
  readonly namespace?: string;
  readonly venue?: string;
  readonly all: boolean;
  readonly yesCancelEverything: boolean;
};

export function addSafetyCommands(cli: Cli): void {
  declareOperators(cli);
  declareApprove(cli);
  declareSet(cli);
  declarePanic(cli);
  declareWatchdog(cli);
}

function declareOperators(cli: Cli): void {
  const operator = (name: OperatorCommandOptions['command'], description: string): Command =>
    declareBotCommand(cli, name, description)
      .requiredOption('--reason <text>', 'why you do this; it is stored', parseReason)
      .action((bot: string | undefined, options: OperatorFlags, command: Command) =>
        cli.run(options.json, async (out) => {
          const { runOperatorCommand } = await import('../commands/operator-command.ts');
          return runOperatorCommand({
            command: name,
            ...namedBot(cli, command, [bot]),
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
      .addOption(
        new Option('--strategy <id>', 'only this strategy; by default the whole bot').conflicts(
          'pair',
        ),
      )
      .option('--pair <pair>', 'only this pair, like XBTZAR; by default all pairs');

  scoped(
    operator(
      'halt',
      'cancel the open orders, and place no new ones until someone resumes; survives restarts',
    ),
  );
  scoped(
    operator(
      'reduce',
      'cancel the open orders, and place only orders that bring positions nearer to 0',
    ),
  );
  scoped(
    operator(
      'resume',
      'trade again after halt, reduce or kill; everything, or only one strategy or pair',
    ),
  );
  operator(
    'kill',
    'halt, and cancel orders until two lists in a row show none; works even if no bot runs',
  ).option('--stop', 'end the bot process afterwards', false);
}

function declareApprove(cli: Cli): void {
  declareBotCommand(
    cli,
    'approve',
    'allow one order above the soft limit, once, within ten minutes',
    {
      '[token]': 'the token that the refusal shows: 16 digits of 0-9 and a-f',
    },
  )
    .requiredOption('--reason <text>', 'why you do this; it is stored', parseReason)
    .action(
      (
        bot: string | undefined,
        word: string | undefined,
        options: CommonOptions & { reason: string },
        command: Command,
      ) =>
        cli.run(options.json, async (out) => {
          const { runApprove } = await import('../commands/approve-command.ts');
          const { rest, ...named } = namedBot(cli, command, [bot, word]);
          return runApprove({
            ...named,
            token: rest[0] ?? '',
            reason: options.reason,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}

function declareSet(cli: Cli): void {
  declareBotCommand(
    cli,
    'set',
    'change parameters of a strategy while its bot runs, until the next start; config explain says which may change',
    {
      '[strategy]': 'its name in the settings, like mm',
      '[values...]': 'its parameters with their values, like halfSpread=30bps; all hold or none',
    },
  )
    .requiredOption('--reason <text>', 'why you do this; it is stored', parseReason)
    .action(
      (
        bot: string | undefined,
        strategy: string | undefined,
        words: readonly string[],
        options: CommonOptions & { reason: string },
        command: Command,
      ) =>
        cli.run(options.json, async (out) => {
          const { checkSetWords, runSet } = await import('../commands/set-command.ts');
          const given = [bot, strategy, ...words].filter((word) => word !== undefined);
          checkSetWords(command.getOptionValue('config') === undefined ? given : ['', ...given]);
          // The last one stands for the values that could follow.
          const { rest, ...named } = namedBot(cli, command, [bot, strategy, ...words, undefined]);
          const [name = '', ...values] = rest.filter((word) => word !== undefined);
          return runSet({
            ...named,
            strategy: name,
            words: values,
            reason: options.reason,
            output: out,
          });
        }),
    );
}

function declarePanic(cli: Cli): void {
  declareBotCommand(
    cli,
    'panic',
    'cancel the open orders of a bot or namespace; needs only the API key, and no running bot',
  )
    .option(
      '--namespace <name>',
      'instead of [bot]: the namespace that each of its runs prints, like abcdefgh',
    )
    .option('--venue <name>', 'with --namespace or --all: the name of a file in config/venues')
    .option(
      '--all',
      'cancel every open order of the account, whoever placed it; asks you to confirm',
      false,
    )
    .option('--yes-cancel-everything', 'confirm --all without being asked, for scripts', false)
    .action((bot: string | undefined, options: PanicFlags, command: Command) =>
      cli.run(options.json, async (out) => {
        const { runPanic } = await import('../commands/panic-command.ts');
        const { namespace, venue } = options;
        const isNamed = (namespace ?? venue) === undefined || (bot ?? options.config) !== undefined;
        return runPanic({
          ...(isNamed ? namedBot(cli, command, [bot]) : { home: requestedHome(command) }),
          namespace,
          venue,
          defaultHome: options.home,
          isAll: options.all,
          isConfirmed: options.yesCancelEverything,
          environment: process.env,
          workspace: cli.workspace,
          output: out,
        });
      }),
    );
}

function declareWatchdog(cli: Cli): void {
  declareBotCommand(
    cli,
    'watchdog',
    'watch a bot from another process; cancel its orders if it dies or hangs',
  )
    .addOption(
      new Option(
        '--grace <span>',
        'kill a process that has not responded for 15 s plus this duration, like 30s',
      )
        .argParser(parseDuration)
        .default(30_000, '30s'),
    )
    .action(
      (bot: string | undefined, options: CommonOptions & { grace: number }, command: Command) =>
        cli.run(options.json, async (out) => {
          const { runWatchdog } = await import('../commands/watchdog-command.ts');
          return runWatchdog({
            ...namedBot(cli, command, [bot]),
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
