/** A correct bot file, and a way to make one mistake in it. */

import { readFileSync } from 'node:fs';
import { ConfigError } from '../../../src/domain/errors.ts';
import { botSettingsOf, type LoadedBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { workspace } from '../../support/package-root.ts';

/** A small bot file without optional limits. */
export const goodBotFile = readFileSync(new URL('good-bot.yaml', import.meta.url), 'utf8');

export const demoBotFile = readFileSync(
  new URL('../../../config/demo.yaml', import.meta.url),
  'utf8',
);

/**
 * Returns the cases of a table of mistakes in this folder: the text to replace, its replacement,
 * and the line of the error message.
 */
export function mistakesIn(
  name: string,
): readonly (readonly [from: string, to: string, line: string])[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const rows = text.matchAll(/^- (.*)\n\+ ?(.*)\n> (.*)$/gmu);
  const cases = [...rows].map(
    ([, from = '', to = '', line = '']) =>
      [from.replaceAll('\\n', '\n'), to.replaceAll('\\n', '\n'), line] as const,
  );
  const marked = text.split('\n').filter((line) => line.startsWith('>')).length;
  if (cases.length === 0 || cases.length !== marked) throw new Error(`${name} is malformed`);
  return cases;
}

/** Returns the settings in `text`, read as desk.yaml in /project. */
export function botSettingsIn(text: string): LoadedBotSettings {
  const source = new SettingsSource('desk.yaml', new TextEncoder().encode(text));
  return botSettingsOf(source, { workspace });
}

/** Returns the lines of the ConfigError that `read` throws. Throws if it throws anything else. */
export function problemLines(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  throw new Error('the settings were accepted');
}

/** Returns the good file with the only occurrence of `from` replaced. */
export function edited(from: string, to: string, file = goodBotFile): string {
  if (file.split(from).length !== 2) throw new Error(`"${from}" must occur once in the file`);
  return file.replace(from, () => to);
}
