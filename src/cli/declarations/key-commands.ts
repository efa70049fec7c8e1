/** Declares the commands that check a bot's API key and its settings. */
import type { Command } from 'commander';
import { declareBotCommand, namedBot } from '../bot-argument.ts';
import { botHomeText, type Cli, type CommonOptions, requestedHome } from '../command.ts';
import { projectFile } from '../project-file.ts';

export function addKeyCommands(cli: Cli): void {
  declareBotCommand(
    cli,
    'keycheck',
    "show what a bot's API key may do, what it lacks and how it endangers your money, using only calls that cannot act; exits 3 if the key is not right",
  ).action((bot: string | undefined, options: CommonOptions, command: Command) =>
    cli.run(options.json, async (out) => {
      const { runKeycheck } = await import('../commands/keycheck-command.ts');
      return runKeycheck({
        ...namedBot(cli, command, [bot]),
        environment: process.env,
        output: out,
      });
    }),
  );

  cli
    .declare(
      'config',
      'check FILE…: report every error in settings files; show FILE: print the settings in force; explain [KEY|PLUGIN]: explain a key, a plugin or all keys',
      botHomeText,
    )
    .argument('<action>', 'check, show or explain')
    .argument(
      '[what...]',
      'the settings files, by default millrace.yaml of the project; or the key or plugin to explain',
    )
    .option('--origin', 'with show: also print where each value comes from', false)
    .option(
      '--write <file>',
      'with explain: write the page of all keys to this file',
      cli.path('file', 'written'),
    )
    .action(
      (
        action: string,
        words: readonly string[],
        options: CommonOptions & { origin: boolean; write?: string },
        command: Command,
      ) => {
        const isOfFiles = action === 'check' || action === 'show';
        const own = isOfFiles && words.length === 0 ? projectFile(cli.workspace) : undefined;
        const what = own === undefined ? words : [own];
        const count = what.length;
        const isRight =
          (action === 'check' && count > 0) ||
          (action === 'show' && count === 1) ||
          (action === 'explain' && count <= 1);
        if (!isRight)
          command.error('use: config check FILE…, config show FILE, config explain [KEY|PLUGIN]');
        return cli.run(options.json, async (out) => {
          const { runConfigCheck, runConfigExplain, runConfigShow } = await import(
            '../commands/config-command.ts'
          );
          const [first = ''] = what;
          const { env: environment } = process;
          const files = what.map((file) => cli.userPath(file));
          if (action === 'check')
            return runConfigCheck({ files, workspace: cli.workspace, output: out });
          if (action === 'explain')
            return runConfigExplain({
              key: what[0],
              write: options.write,
              workspace: cli.workspace,
              output: out,
            });
          return runConfigShow({
            file: cli.settingsPath(first),
            home: requestedHome(command),
            withOrigin: options.origin,
            environment,
            workspace: cli.workspace,
            output: out,
          });
        });
      },
    );
}
