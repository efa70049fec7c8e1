/**
 * The parts of a settings file that can be read although others are wrong, so that plugins and
 * other files can be checked at once.
 */
import type { Node } from 'yaml';
import type { BotSettings, StrategySettings } from '../domain/bot-settings.ts';
import { strategiesField } from './bot-fields.ts';
import { Reader } from './field.ts';
import { botField, egressFileOf } from './load-bot-settings.ts';
import type { SettingsSource } from './settings-source.ts';

/** What a plugin needs to know of its strategy's settings. */
export type StrategyPlugin = Pick<StrategySettings, 'id' | 'plugin' | 'pairs' | 'parameters'>;

export type ReadableBot = Partial<Pick<BotSettings, 'venue' | 'egress'>> & {
  readonly strategies: readonly StrategyPlugin[];
};

const pluginKeys: readonly unknown[] = ['plugin', 'pairs', 'parameters'];

/** Returns the strategies whose plugin, pairs and parameters have no problem of their own. */
export function readableStrategies(source: SettingsSource): readonly StrategyPlugin[] {
  // Parameters cannot be read from a file with problems of form.
  if (source.formProblems.length > 0) return [];
  const reader = new Reader(source);
  const node = source.nodeAt(['strategies']) as Node | null;
  const drafts = strategiesField({ reader, path: ['strategies'], node });
  const wrong = new Set(
    reader.problems.flatMap(({ keys }) => (pluginKeys.includes(keys[2]) ? [keys[1]] : [])),
  );
  return [...(drafts ?? [])].flatMap(([id, draft]) => {
    const { plugin, pairs, parameters } = draft ?? {};
    if (plugin === undefined || pairs === undefined || parameters === undefined) return [];
    return wrong.has(id) ? [] : [{ id, plugin, pairs, parameters }];
  });
}

/** Returns the readable parts of a bot's file that name plugins and other files. */
export function readableBot(source: SettingsSource): ReadableBot {
  const { venue, egress } = new Reader(source).read(botField) ?? {};
  return {
    strategies: readableStrategies(source),
    ...(venue === undefined ? {} : { venue }),
    ...(egress === undefined ? {} : { egress: egressFileOf(source, egress) }),
  };
}
