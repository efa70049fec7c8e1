/** Verbs about what a bot may do: its key and its settings. */
import type { Command } from 'commander';
import { botVerb, namedBot } from '../bot-argument.ts';
import {
  type Common,
  type DeclareVerb,
  finish,
  homeAskedFor,
  place,
  settingsPath,
} from '../command.ts';
import { userPath } from '../user-path.ts';

/** Adds them to the command line. */
export function addKeyVerbs(verb: DeclareVerb): void {
  botVerb(
    verb,
    'keycheck',
    "what a bot's API key may do, lacks and can do to your money, by calls that cannot act; exits 3 unless it is right",
  ).action((bot: string | undefined, options: Common, command: Command) =>
    finish(options.json, async (out) => {
      const { runKeycheck } = await import('../commands/keycheck-command.ts');
      return runKeycheck({
        ...namedBot(command, [bot]),
        environment: process.env,
        output: out,
      });
    }),
  );

  verb(
    'config <action> [what...]',
    'check FILE…: all that is wrong with settings files; show FILE: what is in force; explain [KEY]: what a key means',
  )
    .option('--origin', 'with show: where each value comes from', false)
    .option(
      '--write <file>',
      'with explain: write the page of all keys there',
      place('file', 'written'),
    )
    .action(
      (
        action: string,
        what: readonly string[],
        options: Common & { origin: boolean; write?: string },
        command: Command,
      ) => {
        const wanted = what.length;
        const isRight =
          (action === 'check' && wanted > 0) ||
          (action === 'show' && wanted === 1) ||
          (action === 'explain' && wanted <= 1);
        if (!isRight)
          command.error('use: config check FILE…, config show FILE, config explain [KEY]');
        return finish(options.json, async (out) => {
          const { runConfigCheck, runConfigExplain, runConfigShow } = await import(
            '../commands/config-command.ts'
          );
          const [first = ''] = what;
          const { env: environment } = process;
          const files = what.map((file) => userPath(file));
          if (action === 'check') return runConfigCheck({ files, environment, output: out });
          if (action === 'explain')
            return runConfigExplain({ key: what[0], write: options.write, output: out });
          return runConfigShow({
            file: settingsPath(first),
            home: homeAskedFor(command),
            withOrigin: options.origin,
            environment,
            output: out,
          });
        });
      },
    );
}
