/** Verbs about what is configured: the controls that every order passes. */
import type { Command } from 'commander';
import { botVerb, namedBot } from '../bot-argument.ts';
import { type Common, type DeclareVerb, finish } from '../command.ts';

/** Adds them to the command line. */
export function addSettingsVerbs(verb: DeclareVerb): void {
  botVerb(
    verb,
    'checks',
    'the controls that every order passes, in their order, with their limits, and the hashes to approve',
  ).action((bot: string | undefined, options: Common, command: Command) =>
    finish(options.json, async (out) => {
      const { runChecks } = await import('../commands/checks-command.ts');
      return runChecks({ config: namedBot(command, [bot]).config, output: out });
    }),
  );
}
