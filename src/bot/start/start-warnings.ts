/** Collects the warnings that a start prints before the bot trades; none of them stops it. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedBotSettings } from '../../settings/load-bot-settings.ts';
import { ambientCalls } from '../../strategy/ambient-calls.ts';
import { forbiddenImports } from '../../strategy/forbidden-imports.ts';
import { packageRoot } from '../../terminal/package-root.ts';
import { ambientText, placeText } from '../guards/nondeterminism-notes.ts';
import { botWarnings } from './settings-warnings.ts';
import type { WarnedSettings } from './warned-settings.ts';

/** Returns a line for each warning; `folder` contains the plugins. */
export async function startWarnings(
  settings: LoadedBotSettings,
  { plugins, folder }: { readonly plugins: WarnedSettings['plugins']; readonly folder: string },
): Promise<readonly string[]> {
  const lines = [...botWarnings(settings, plugins)];
  for (const plugin of new Set(settings.strategies.map((strategy) => strategy.plugin)))
    lines.push(...(await pluginWarnings(realpathSync(join(folder, plugin)))));
  return lines;
}

async function pluginWarnings(folder: string): Promise<readonly string[]> {
  const imports = await forbiddenImports(folder, join(packageRoot, 'src', 'index.ts'));
  const calls = await ambientCalls(folder);
  return [
    ...imports.map((one) => `${placeText(one)} imports ${one.specifier}: ${one.why}`),
    ...calls.map(ambientText),
  ];
}
