/** Verbs about what a bot may do: its key and its settings. */
import type { Command } from 'commander';
import { type Common, type DeclareVerb, finish, homeAskedFor } from './verb.ts';

/** Adds them to the command line. */
export function addKeyVerbs(verb: DeclareVerb): void {
  verb(
    'keycheck [config]',
    "what a bot's API key may do, lacks and can do to your money, by calls that cannot act; exits 3 unless it is right",
  ).action((config: string | undefined, options: Common, command: Command) =>
    finish(options.json, async (out) => {
      const { runKeycheck } = await import('../keycheck-verb.ts');
      return runKeycheck({
        config: config ?? 'config/demo.yaml',
        home: homeAskedFor(command),
        environment: process.env,
        output: out,
      });
    }),
  );
}
