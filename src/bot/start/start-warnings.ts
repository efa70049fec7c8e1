/** Collects the warnings that a start prints before the bot trades; none of them stops it. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../domain/workspace.ts';
import type { LoadedBotSettings } from '../../settings/load-bot-settings.ts';
import { ambientCalls } from '../../strategy/ambient-calls.ts';
import { forbiddenImports } from '../../strategy/forbidden-imports.ts';
import { ambientText, placeText } from '../guards/nondeterminism-notes.ts';
import { botWarnings } from './settings-warnings.ts';
import type { WarnedSettings } from './warned-settings.ts';

/** Returns a line for each warning. */
export async function startWarnings(
  settings: LoadedBotSettings,
  {
    plugins,
    workspace,
  }: {
    readonly plugins: WarnedSettings['plugins'];
    readonly workspace: Workspace;
  },
): Promise<readonly string[]> {
  const lines = [...botWarnings(settings, plugins)];
  for (const plugin of new Set(settings.strategies.map((strategy) => strategy.plugin)))
    lines.push(
      ...(await pluginWarnings(realpathSync(join(workspace.strategies, plugin)), workspace)),
    );
  return lines;
}

async function pluginWarnings(folder: string, { root }: Workspace): Promise<readonly string[]> {
  const imports = await forbiddenImports(folder, join(root, 'src', 'index.ts'));
  const calls = await ambientCalls(folder);
  return [
    ...imports.map((one) => `${placeText(one)} imports ${one.specifier}: ${one.why}`),
    ...calls.map(ambientText),
  ];
}
