/** Lists the settings in force, and where each comes from: a line of the file, or a default. */
import type { Field, OptionalField } from './field.ts';
import { pathText } from './field.ts';
import { settingsFields, settingsKeysOf, shownValue } from './settings-keys.ts';
import type { KeyPath, SettingsSource } from './settings-source.ts';

export type EffectiveValue = {
  readonly key: string;
  readonly value: string;
  /** `config/demo.yaml:12`, `default`, `not given`, or whatever else decides the value. */
  readonly origin: string;
};

/** Returns every value of a bot's file. The file must have been read without problems. */
export function effectiveSettings(source: SettingsSource): readonly EffectiveValue[] {
  const values: EffectiveValue[] = [];
  const absent = new Map(settingsKeysOf('bot').map((key) => [key.path, key.absent]));

  const show = (path: KeyPath, value: unknown): void => {
    const origin = `${source.file}:${source.locate(path).line}`;
    values.push({ key: pathText(path), value: shownValue(value), origin });
  };
  const visit = (path: KeyPath, entry: Field<unknown> | OptionalField<unknown>): void => {
    const isField = typeof entry === 'function';
    const { about } = isField ? entry : entry.field;
    if (path.length > 0 && !source.has(path)) {
      const isDefault = !isField && entry.fallback !== undefined;
      const value = absent.get(patternOf(path)) ?? '';
      values.push({
        key: pathText(path),
        value,
        origin: isDefault ? 'default' : 'not given',
      });
      return;
    }
    const value = source.valueAt(path);
    if (about.kind === 'map') {
      for (const [name, member] of Object.entries(about.members)) visit([...path, name], member);
    } else if (about.kind === 'record') {
      for (const name of namesOf(value)) visit([...path, name], about.value);
    } else if (about.kind === 'value' && namesOf(value).length > 0) {
      // The parameters of a plugin, which chooses their keys.
      for (const name of namesOf(value)) show([...path, name], (value as Values)[name]);
    } else show(path, value);
  };
  /** Returns the declared path, with placeholders for the names that the file chooses. */
  const patternOf = (path: KeyPath): string =>
    settingsKeysOf('bot').find(({ path: pattern }) => {
      const names = pattern.split('.');
      return (
        names.length === path.length &&
        names.every((name, i) => name === path[i] || name.startsWith('<'))
      );
    })?.path ?? '';
  visit([], settingsFields.bot);
  return values;
}

type Values = Readonly<Record<string, unknown>>;

function namesOf(value: unknown): readonly string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap ? Object.keys(value) : [];
}
