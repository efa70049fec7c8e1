/** Declares the commands that show what a bot did, and check it against exchange and journal. */
import type { Command } from 'commander';
import { ConfigError } from '../../domain/errors.ts';
import { declareBotCommand, namedBot } from '../bot-argument.ts';
import { type Cli, type CommonOptions, parseDuration } from '../command.ts';

export function addStateCommands(cli: Cli): void {
  declareStatus(cli);
  declareReport(cli);
  declareWhy(cli);
  declareReconcile(cli);
  declareReplay(cli);
}

function declareStatus(cli: Cli): void {
  declareBotCommand(
    cli,
    'status',
    "show a bot's state from its database, whether it runs or not",
  ).action((bot: string | undefined, options: CommonOptions, command: Command) =>
    cli.run(options.json, async (out) => {
      const { runStatus } = await import('../commands/status-command.ts');
      return runStatus({
        ...namedBot(cli, command, [bot]),
        output: out,
      });
    }),
  );
}

function declareReport(cli: Cli): void {
  declareBotCommand(
    cli,
    'report',
    'report a UTC day: fills, refusals, incidents, and how much of each limit was used',
  )
    .option('--day <date>', 'the day in UTC, like 2026-11-20; by default today')
    .action(
      (bot: string | undefined, options: CommonOptions & { day?: string }, command: Command) =>
        cli.run(options.json, async (out) => {
          const { runReport } = await import('../commands/report-command.ts');
          return runReport({
            ...namedBot(cli, command, [bot]),
            day: options.day,
            output: out,
          });
        }),
    );
}

function declareWhy(cli: Cli): void {
  declareBotCommand(
    cli,
    'why',
    'show the history of an order, or with --refused why the bot is not trading',
    {
      '[order]':
        'the number of the order as the bot prints it, an id of it, or its level or key, such as bid, for the newest of that name',
    },
  )
    .option('--refused', 'show why the bot is not trading: halts, refusals and idle reasons', false)
    .option(
      '--since <span>',
      'with --refused: how far back to look, like 1h; by default everything',
      parseDuration,
    )
    .action(
      (
        bot: string | undefined,
        word: string | undefined,
        options: CommonOptions & { refused: boolean; since?: number },
        command: Command,
      ) =>
        cli.run(options.json, async (out) => {
          const { rest, ...named } = namedBot(cli, command, [bot, word]);
          const [order] = rest;
          if ((order === undefined) !== options.refused)
            throw new ConfigError(
              'name an order after the bot, or give --refused; exactly one of the two',
            );
          const { runWhy } = await import('../commands/why-command.ts');
          return runWhy({
            ...named,
            order,
            sinceMs: options.since,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}

function declareReconcile(cli: Cli): void {
  declareBotCommand(
    cli,
    'reconcile',
    'compare orders, fills, ledger and balances of a stopped bot with the exchange; exits 1 if any digit differs',
  )
    .option(
      '--repair',
      'complete the database with evidence from the exchange, take over unknown orders, and compare again',
      false,
    )
    .action(
      (bot: string | undefined, options: CommonOptions & { repair: boolean }, command: Command) =>
        cli.run(options.json, async (out) => {
          const { runReconcile } = await import('../commands/reconcile-command.ts');
          return runReconcile({
            ...namedBot(cli, command, [bot]),
            isRepairing: options.repair,
            environment: process.env,
            output: out,
          });
        }),
    );
}

function declareReplay(cli: Cli): void {
  cli
    .declare(
      'replay',
      'replay the journal of a run, and compare the effects with the recorded ones',
    )
    .argument(
      '[journal]',
      'a journal, or a bot as in other commands; by default the newest of the home',
    )
    .option('--all', 'replay every journal of the bot or home', false)
    .action(
      (word: string | undefined, options: CommonOptions & { all: boolean }, command: Command) =>
        cli.run(options.json, async (out) => {
          const { namedJournals } = await import('../named-journals.ts');
          const { runReplay } = await import('../commands/replay-command.ts');
          return runReplay({
            ...namedJournals(cli, command, word),
            all: options.all,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}
