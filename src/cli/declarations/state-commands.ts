/** Verbs that tell what a bot did and compare it with what is true. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type Common,
  type DeclareVerb,
  finish,
  homeAskedFor,
  place,
  settingsPath,
  span,
} from '../command.ts';
import { userPath } from '../user-path.ts';

/** Adds them to the command line. */
export function addStateVerbs(verb: DeclareVerb): void {
  verb('status [config]', "what a bot's database says, also while it runs").action(
    (config: string | undefined, options: Common, command: Command) =>
      finish(options.json, async (out) => {
        const { runStatus } = await import('../commands/status-command.ts');
        return runStatus({
          config: settingsPath(config),
          home: homeAskedFor(command),
          output: out,
        });
      }),
  );

  verb(
    'report [config]',
    'a UTC day: fills, refusals, incidents, and how much of each limit was used',
  )
    .option('--day <date>', 'like 2026-11-20; today unless given')
    .action((config: string | undefined, options: Common & { day?: string }, command: Command) =>
      finish(options.json, async (out) => {
        const { runReport } = await import('../commands/report-command.ts');
        return runReport({
          config: settingsPath(config),
          home: homeAskedFor(command),
          day: options.day,
          output: out,
        });
      }),
    );

  verb('why [order]', 'the whole story of an order, by its client_order_id or order_id')
    .option('--config <file>', 'of the bot', place('file'), 'config/demo.yaml')
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
          const { runWhy } = await import('../commands/why-command.ts');
          return runWhy({
            config: settingsPath(options.config),
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
    'compares orders, fills, ledger and balances of a stopped bot with its exchange; exits 1 if any digit differs',
  )
    .option(
      '--repair',
      'complete the store from what the exchange proves, take over what it does not know, compare again',
      false,
    )
    .action((config: string | undefined, options: Common & { repair: boolean }, command: Command) =>
      finish(options.json, async (out) => {
        const { runReconcile } = await import('../commands/reconcile-command.ts');
        return runReconcile({
          config: settingsPath(config),
          home: homeAskedFor(command),
          isRepairing: options.repair,
          environment: process.env,
          output: out,
        });
      }),
    );

  verb('replay [journal]', "replays a run's journal, the newest unless named, and compares")
    .option('--all', 'every journal there is', false)
    .action((journal: string | undefined, options: Common & { all: boolean }) =>
      finish(options.json, async (out) => {
        const { runReplay } = await import('../commands/replay-command.ts');
        return runReplay({
          journal: journal && userPath(journal),
          all: options.all,
          home: resolve(options.home),
          output: out,
        });
      }),
    );
}
