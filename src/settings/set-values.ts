/**
 * Single values of a settings file that a command line gives: `seed=7`,
 * `strategies.mm.parameters.halfSpread=30bps`.
 */
import { isMap, isScalar, parse } from 'yaml';
import { ConfigError } from '../domain/errors.ts';
import { nearestWord } from './nearest-word.ts';
import type { KeyPath, SettingsSource } from './settings-source.ts';

export type SetValue = {
  readonly path: KeyPath;
  /** As written, after the equals sign. */
  readonly text: string;
};

/** Keys of a bot's file, which a scenario may have itself. */
const botKeys: readonly unknown[] = ['strategies', 'limits', 'packages'];

/** Parses `path=value`. Throws ConfigError. */
export function parseSetValue(word: string): SetValue {
  const [, dotted = '', text = ''] = /^(?<path>[^=]+)=(?<value>.*)$/su.exec(word) ?? [];
  const path = dotted.split('.');
  if (dotted !== '' && text !== '' && path.every((key) => /^[\p{L}\p{N}_/-]{1,64}$/u.test(key)))
    return { path, text };
  throw new ConfigError(
    `--set must be a key with its value, such as strategies.mm.parameters.size=0.02, was ${JSON.stringify(word.slice(0, 100))}`,
  );
}

/** Whether the value belongs to the bot's file, if the scenario has one. */
export function isOfBot({ path }: SetValue): boolean {
  return botKeys.includes(path[0]);
}

/** Returns the file with these values. Throws ConfigError for a key with no place in it. */
export function withValues(source: SettingsSource, values: readonly SetValue[]): SettingsSource {
  return values.reduce((changed, value) => withValue(changed, value), source);
}

function withValue(source: SettingsSource, { path, text }: SetValue): SettingsSource {
  checkPlace(source, path);
  const before = source.nodeAt(path);
  return source.withValue(path, yamlValueOf(text, isScalar(before) ? before.value : undefined));
}

/**
 * A number stays one where the file has one, or where it is whole and the file has nothing; amounts
 * are text. Lists and maps are given as YAML.
 */
function yamlValueOf(text: string, before: unknown): unknown {
  if (typeof before === 'string') return text;
  if (typeof before === 'number' && /^-?\d{1,15}\.\d{1,15}$/u.test(text)) return parse(text);
  const isPlain = /^(?:-?\d{1,15}|true|false|null)$/u.test(text);
  if (!isPlain && !/^[[{"']/u.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** The last key may be new, and the one before it for the parameters of a strategy. */
function checkPlace(source: SettingsSource, path: KeyPath): void {
  const isParameter = path[0] === 'strategies' && path[2] === 'parameters' && path.length >= 4;
  for (let count = 1; count < path.length; count++) {
    const node = source.nodeAt(path.slice(0, count));
    if (isMap(node) || (isParameter && count === 3 && node === undefined)) continue;
    const dotted = path.slice(0, count).join('.');
    const parent = source.nodeAt(path.slice(0, count - 1));
    const known = isMap(parent) ? parent.items.map(({ key }) => String(key)) : [];
    const near = nearestWord(String(path[count - 1]), known);
    const hint = near === undefined ? `; it has ${known.join(', ')}` : `; did you mean ${near}?`;
    const what =
      node === undefined
        ? `has no ${dotted}${known.length === 0 ? '' : hint}`
        : `has no keys below ${dotted}`;
    throw new ConfigError(`--set ${path.join('.')}: ${source.file} ${what}`);
  }
}
