/** Verbs that tell what a bot did and compare it with what is true. */
import type { Command } from 'commander';
import { ConfigError } from '../../domain/errors.ts';
import { botVerb, namedBot } from '../bot-argument.ts';
import { type Common, type DeclareVerb, finish, span } from '../command.ts';

/** Adds them to the command line. */
export function addStateVerbs(verb: DeclareVerb): void {
  botVerb(verb, 'status', "what a bot's database says, also while it runs").action(
    (bot: string | undefined, options: Common, command: Command) =>
      finish(options.json, async (out) => {
        const { runStatus } = await import('../commands/status-command.ts');
        return runStatus({
          ...namedBot(command, [bot]),
          output: out,
        });
      }),
  );

  botVerb(
    verb,
    'report',
    'a UTC day: fills, refusals, incidents, and how much of each limit was used',
  )
    .option('--day <date>', 'like 2026-11-20; today unless given')
    .action((bot: string | undefined, options: Common & { day?: string }, command: Command) =>
      finish(options.json, async (out) => {
        const { runReport } = await import('../commands/report-command.ts');
        return runReport({
          ...namedBot(command, [bot]),
          day: options.day,
          output: out,
        });
      }),
    );

  botVerb(verb, 'why', 'the whole story of an order, or why the bot is not trading', {
    '[order]': 'its client_order_id or order_id',
  })
    .option('--refused', 'why is it not trading? halts, refusals and idle reasons', false)
    .option('--since <span>', 'with --refused: only as far back, like 1h', span)
    .action(
      (
        bot: string | undefined,
        word: string | undefined,
        options: Common & { refused: boolean; since?: number },
        command: Command,
      ) =>
        finish(options.json, async (out) => {
          const { rest, ...named } = namedBot(command, [bot, word]);
          const [order] = rest;
          if ((order === undefined) !== options.refused)
            throw new ConfigError(
              'name an order after the bot, or ask for --refused; one of the two',
            );
          const { runWhy } = await import('../commands/why-command.ts');
          return runWhy({
            ...named,
            order,
            sinceMs: options.since,
            output: out,
          });
        }),
    );

  botVerb(
    verb,
    'reconcile',
    'compares orders, fills, ledger and balances of a stopped bot with its exchange; exits 1 if any digit differs',
  )
    .option(
      '--repair',
      'complete the store from what the exchange proves, take over what it does not know, compare again',
      false,
    )
    .action((bot: string | undefined, options: Common & { repair: boolean }, command: Command) =>
      finish(options.json, async (out) => {
        const { runReconcile } = await import('../commands/reconcile-command.ts');
        return runReconcile({
          ...namedBot(command, [bot]),
          isRepairing: options.repair,
          environment: process.env,
          output: out,
        });
      }),
    );

  verb('replay', "replays a run's journal, the newest unless named, and compares")
    .argument('[journal]', 'a journal; or a bot, as other commands name it, for its newest')
    .option('--all', 'every journal there is', false)
    .action((word: string | undefined, options: Common & { all: boolean }, command: Command) =>
      finish(options.json, async (out) => {
        const { namedJournals } = await import('../named-journals.ts');
        const { runReplay } = await import('../commands/replay-command.ts');
        return runReplay({ ...namedJournals(command, word), all: options.all, output: out });
      }),
    );
}
