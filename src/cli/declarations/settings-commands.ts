/** Declares the command that lists the controls that every order passes. */
import type { Command } from 'commander';
import { declareBotCommand, namedBot } from '../bot-argument.ts';
import type { Cli, CommonOptions } from '../command.ts';

/** Adds this command to the command line. */
export function addSettingsCommands(cli: Cli): void {
  declareBotCommand(
    cli,
    'checks',
    'list the controls that every order passes, in order, with their limits, and the hashes that `approved` needs',
  ).action((bot: string | undefined, options: CommonOptions, command: Command) =>
    cli.run(options.json, async (out) => {
      const { runChecks } = await import('../commands/checks-command.ts');
      return runChecks({
        config: namedBot(cli, command, [bot]).config,
        workspace: cli.workspace,
        output: out,
      });
    }),
  );
}
