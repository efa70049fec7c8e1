/**
 * Finds the settings of the user's project. Only commands that cannot reach another bot's orders
 * use them unasked: start, backtest and config.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../domain/workspace.ts';

/** The settings of a project's bot, in the project's folder. */
export const projectFileName = 'millrace.yaml';

/** Returns the path of the settings, or undefined if the project has none. */
export function projectFile({ project }: Pick<Workspace, 'project'>): string | undefined {
  const path = join(project, projectFileName);
  return existsSync(path) ? path : undefined;
}
