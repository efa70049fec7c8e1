/** `millrace new`: adds a strategy and its test to a project, and prints its settings. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { writeTextAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { strategyFrom } from '../projects/strategy-template.ts';

/**
 * Writes the files of the strategy `name`; returns the exit code. The settings stay as they are:
 * whoever decides what trades adds the printed lines.
 */
export function runNew(options: {
  /** The folder of the installation. */
  readonly root: string;
  /** The settings of the project, in its folder. */
  readonly settings: string;
  readonly name: string;
  readonly template: string;
  readonly output: Output;
}): number {
  const { root, settings, name, template, output } = options;
  const project = dirname(settings);
  const strategy = strategyFrom(root, { template, name });
  const paths = Object.keys(strategy.files).map((file) => join(project, file));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0)
    throw new ConfigError(
      `already there: ${existing.join(' and ')}; choose another name than ${name}`,
    );
  for (const [file, text] of Object.entries(strategy.files)) {
    makeFolder(dirname(join(project, file)));
    writeTextAtomically(join(project, file), text);
  }
  output.result({ written: paths, settings: strategy.settings.join('\n') }, [
    ...paths.map((path) => `wrote ${path}`),
    `to run it, add these lines below "strategies:" in ${settings}:`,
    ...strategy.settings,
  ]);
  return exitCodes.ok;
}
