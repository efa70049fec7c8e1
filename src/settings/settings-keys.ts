/**
 * Every key that a settings file can have, taken from the declarations that read it: its meaning,
 * what is allowed, whether it is required and what applies when it is left out.
 */
import { allowedBy, type Field, object, optional } from './field.ts';
import type { KeyDescription } from './key-description.ts';
import { keyDescriptions, type SettingsKind } from './key-descriptions.ts';
import { botField } from './load-bot-settings.ts';
import { egressField } from './load-egress.ts';
import { venueField } from './load-venue.ts';
import { nearestWord } from './nearest-word.ts';
import { profileField } from './profile-field.ts';

export type SettingsKey = {
  readonly kind: SettingsKind;
  /** `<word>` stands for a name that the file chooses: `limits.pairs.<pair>.collar`. */
  readonly path: string;
  readonly allowed: string;
  readonly isRequired: boolean;
  /** What applies when the key is left out; undefined if it is required. */
  readonly absent: string | undefined;
  readonly description: KeyDescription | undefined;
};

/** The declaration of each kind of file, and of the part of a scenario that is explained, too. */
export const settingsFields: Readonly<Record<SettingsKind, Field<unknown>>> = {
  bot: botField,
  egress: egressField,
  venue: venueField,
  profile: object({ profile: optional(profileField) }),
};

/** Returns the keys of a kind of file, in the order of their declaration. */
export function settingsKeysOf(kind: SettingsKind): readonly SettingsKey[] {
  const keys: SettingsKey[] = [];
  const visit = (
    path: string,
    field: Field<unknown>,
    given: { readonly isRequired: boolean; readonly fallback?: unknown },
  ): void => {
    const { about } = field;
    const { isRequired, fallback } = given;
    const description = Object.hasOwn(keyDescriptions[kind], path)
      ? keyDescriptions[kind][path]
      : undefined;
    const absent =
      description?.absent ?? (fallback === undefined ? undefined : shownValue(fallback));
    const allowed = allowedBy(field);
    if (path !== '') keys.push({ kind, path, allowed, isRequired, absent, description });
    const below = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (about.kind === 'record')
      visit(below(`<${about.keys.placeholder}>`), about.value, { isRequired: false });
    if (about.kind !== 'map') return;
    for (const [name, entry] of Object.entries(about.members))
      if (typeof entry === 'function') visit(below(name), entry, { isRequired: true });
      else visit(below(name), entry.field, { isRequired: false, fallback: entry.fallback });
  };
  visit('', settingsFields[kind], { isRequired: true });
  return keys;
}

export function allSettingsKeys(): readonly SettingsKey[] {
  return (Object.keys(settingsFields) as SettingsKind[]).flatMap(settingsKeysOf);
}

/**
 * Returns the keys that `asked` can mean: a whole path (with real names or with placeholders) or
 * the end of one.
 */
export function findSettingsKeys(asked: string): readonly SettingsKey[] {
  const wanted = asked.replaceAll(/\[\d+\]/gu, '').split('.');
  const all = allSettingsKeys();
  const whole = all.filter(({ path }) => isNamed(path.split('.'), wanted));
  const ends = all.filter(({ path }) => `.${path}`.endsWith(`.${asked}`));
  return [...new Set([...whole, ...ends])];
}

/**
 * Returns the keys in `key`: its members, and those of the entries if the file chooses their names.
 */
export function settingsKeysBelow({ kind, path }: SettingsKey): readonly SettingsKey[] {
  const below = settingsKeysOf(kind).filter((one) => one.path.startsWith(`${path}.`));
  return below.filter((one) => {
    const [first = '', second, ...others] = one.path.slice(path.length + 1).split('.');
    return second === undefined || (first.startsWith('<') && others.length === 0);
  });
}

/** Returns the existing key nearest to `asked`, which does not exist. */
export function nearestSettingsKey(asked: string): string | undefined {
  const all = allSettingsKeys().map(({ path }) => path);
  const last = (path: string) => path.split('.').at(-1) ?? path;
  const near = nearestWord(last(asked), all.map(last));
  return nearestWord(asked, all) ?? all.find((path) => last(path) === near);
}

function isNamed(path: readonly string[], wanted: readonly string[]): boolean {
  return (
    path.length === wanted.length &&
    path.every((name, i) => name === wanted[i] || (i > 0 && name.startsWith('<')))
  );
}

/** Returns a value as it would be written in a settings file. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
