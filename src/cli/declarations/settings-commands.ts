/** Verbs about what is configured: the controls that every order passes. */
import { type Common, type DeclareVerb, finish, settingsPath } from '../command.ts';

/** Adds them to the command line. */
export function addSettingsVerbs(verb: DeclareVerb): void {
  verb(
    'checks [config]',
    'the controls that every order passes, in their order, with their limits, and the hashes to approve',
  ).action((config: string | undefined, options: Common) =>
    finish(options.json, async (out) => {
      const { runChecks } = await import('../commands/checks-command.ts');
      return runChecks({ config: settingsPath(config), output: out });
    }),
  );
}
