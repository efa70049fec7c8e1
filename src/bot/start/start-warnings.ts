/** Collects the warnings that a start prints before the bot trades; none of them stops it. */
import type { LoadedBotSettings } from '../../settings/load-bot-settings.ts';
import { ambientCalls } from '../../strategy/ambient-calls.ts';
import { forbiddenImports } from '../../strategy/forbidden-imports.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import type { PluginCode } from '../../strategy/plugin-code.ts';
import { ambientText, placeText } from '../guards/nondeterminism-notes.ts';
import { botWarnings } from './settings-warnings.ts';

/** Returns a line for each warning; `plugins` are those of the settings' strategies. */
export function startWarnings(
  settings: LoadedBotSettings,
  plugins: ReadonlyMap<string, PreparedStrategy>,
): readonly string[] {
  const codes = new Map([...plugins.values()].map(({ code }) => [code.file, code]));
  return [...botWarnings(settings, plugins), ...[...codes.values()].flatMap(pluginWarnings)];
}

function pluginWarnings({ sources }: PluginCode): readonly string[] {
  return [
    ...forbiddenImports(sources).map(
      (one) => `${placeText(one)} imports ${one.specifier}: ${one.why}`,
    ),
    ...ambientCalls(sources).map(ambientText),
  ];
}
