/** Declares the commands that make a project of one's own and add strategies to it. */
import { resolve } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import type { Cli, CommonOptions } from '../command.ts';
import { projectFile, projectFileName } from '../project-file.ts';

const templateText = 'quoter, candles, place, empty, or one that `millrace strategies` lists';

export function addProjectCommands(cli: Cli): void {
  const { root } = cli.workspace;
  cli
    .declare('init', 'make a project of your own: a strategy, its test, the settings of a bot')
    .argument(
      '<folder>',
      'the folder of the project; it must not exist, or be empty',
      cli.path('folder', 'written'),
    )
    .option(
      '--template <name>',
      `the first strategy: ${templateText}; by default asked for on a terminal, else quoter`,
    )
    .option(
      '--package <spec>',
      'the millrace that the project depends on, as npm takes it, like file:../millrace-0.1.0.tgz; by default this version',
    )
    .option('--no-install', 'do not call npm install')
    .action(
      (
        folder: string,
        options: CommonOptions & { template?: string; package?: string; install: boolean },
      ) =>
        cli.run(options.json, async (out) => {
          const { runInit } = await import('../commands/init-command.ts');
          return runInit({
            root,
            folder: resolve(folder),
            template: options.template,
            dependency: options.package,
            isInstalling: options.install,
            output: out,
          });
        }),
    );

  cli
    .declare('new', "add a strategy and its test to the user's project")
    .argument('<name>', 'its name: lower-case letters, digits and dashes')
    .option('--from <template>', `what it begins with: ${templateText}`, 'quoter')
    .action((name: string, options: CommonOptions & { from: string }) =>
      cli.run(options.json, async (out) => {
        const { runNew } = await import('../commands/new-command.ts');
        const settings = projectFile(cli.workspace);
        if (settings === undefined)
          throw new ConfigError(
            `${cli.workspace.project} has no ${projectFileName}: call this in a project, or make one with "${cli.workspace.command} init FOLDER"`,
          );
        return runNew({ root, settings, name, template: options.from, output: out });
      }),
    );

  cli
    .declare('strategies', 'list the shipped strategies, each with what it does in a line')
    .action((options: CommonOptions) =>
      cli.run(options.json, async (out) => {
        const { runStrategies } = await import('../commands/strategies-command.ts');
        return runStrategies({ root, output: out });
      }),
    );
}
