/** Lists the settings in force, and where each comes from: a line of the file, or a default. */
import type { Field, OptionalField } from './field.ts';
import { pathText } from './field.ts';
import { presetIn } from './given-limits.ts';
import { writtenLimitsField } from './limit-fields.ts';
import { egressField } from './load-egress.ts';
import { settingsFields, settingsKeysOf, shownValue } from './settings-keys.ts';
import type { KeyPath, SettingsSource } from './settings-source.ts';

export type EffectiveValue = {
  readonly key: string;
  readonly value: string;
  /** `config/demo.yaml:12`, `default`, `not given`, or whatever else decides the value. */
  readonly origin: string;
};

/**
 * Returns every value of a bot's file, with those of a preset that it names. The file must have
 * been read without problems.
 */
export function effectiveSettings(source: SettingsSource): readonly EffectiveValue[] {
  const preset = presetIn(source);
  if (preset === undefined)
    return valuesOf(source, settingsFields.bot, (path) => placeOf(source, path));
  const name = shownValue(source.valueAt(['limits']));
  const origin = `${name}, ${placeOf(source, ['limits'])}`;
  const fromPreset = (key: string, field: Field<unknown>) =>
    valuesOf(preset, field, () => origin, [key]);
  return valuesOf(source, settingsFields.bot, (path) => placeOf(source, path)).flatMap((one) => {
    if (one.key === 'limits') return fromPreset('limits', writtenLimitsField);
    const hasOwnCaps = one.key !== 'egress' || source.has(['egress']);
    return hasOwnCaps ? [one] : fromPreset('egress', egressField);
  });
}

function placeOf(source: SettingsSource, path: KeyPath): string {
  return `${source.file}:${source.locate(path).line}`;
}

/** Returns the values that `field` reads at `path`; `originOf` says where one is given. */
function valuesOf(
  source: SettingsSource,
  field: Field<unknown>,
  originOf: (path: KeyPath) => string,
  path: KeyPath = [],
): readonly EffectiveValue[] {
  const values: EffectiveValue[] = [];
  const absent = new Map(settingsKeysOf('bot').map((key) => [key.path, key.absent]));

  const show = (path: KeyPath, value: unknown): void => {
    values.push({ key: pathText(path), value: shownValue(value), origin: originOf(path) });
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
    if (about.words?.some((word) => word === value) === true) show(path, value);
    else if (about.kind === 'map') {
      for (const [name, member] of Object.entries(about.members)) visit([...path, name], member);
    } else if (about.kind === 'record') {
      for (const name of namesOf(value)) visit([...path, name], about.value);
    } else if (about.kind === 'value' && namesOf(value).length > 0) {
      // The parameters of a plugin, which chooses their keys.
      for (const name of namesOf(value)) show([...path, name], (value as Values)[name]);
    } else show(path, value);
  };
  visit(path, field);
  return values;
}

/** Returns the declared path, with placeholders for the names that the file chooses. */
function patternOf(path: KeyPath): string {
  const key = settingsKeysOf('bot').find(({ path: pattern }) => {
    const names = pattern.split('.');
    return (
      names.length === path.length &&
      names.every((name, i) => name === path[i] || name.startsWith('<'))
    );
  });
  return key?.path ?? '';
}

type Values = Readonly<Record<string, unknown>>;

function namesOf(value: unknown): readonly string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap ? Object.keys(value) : [];
}
