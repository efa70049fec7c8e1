/**
 * Every key that a settings file can have, from the declarations that read it: what is allowed,
 * what is required, what stands where nothing is given, and what each means.
 */
import type { Field } from './field.ts';
import type { KeyDescription } from './key-description.ts';
import { keyDescriptions, type SettingsKind } from './key-descriptions.ts';
import { botField } from './load-bot-settings.ts';
import { egressField } from './load-egress.ts';
import { venueField } from './load-venue.ts';
import { nearestWord } from './nearest-word.ts';

export type SettingsKey = {
  readonly kind: SettingsKind;
  /** With `<word>` where a name of the file's own stands: `limits.pairs.<pair>.collar`. */
  readonly path: string;
  readonly allowed: string;
  readonly isRequired: boolean;
  /** What stands or happens when nothing is given; undefined where something must be. */
  readonly absent: string | undefined;
  readonly description: KeyDescription | undefined;
};

/** What reads each kind of file. */
export const settingsFields: Readonly<Record<SettingsKind, Field<unknown>>> = {
  bot: botField,
  egress: egressField,
  venue: venueField,
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
      visit(below(`<${about.stands}>`), about.value, { isRequired: false });
    if (about.kind !== 'map') return;
    for (const [name, entry] of Object.entries(about.members))
      if (typeof entry === 'function') visit(below(name), entry, { isRequired: true });
      else visit(below(name), entry.field, { isRequired: false, fallback: entry.fallback });
  };
  visit('', settingsFields[kind], { isRequired: true });
  return keys;
}

/** Every key of every kind. */
export function allSettingsKeys(): readonly SettingsKey[] {
  return (Object.keys(settingsFields) as SettingsKind[]).flatMap(settingsKeysOf);
}

/**
 * Returns the keys that `asked` can mean: a whole path, with names of a file's own or with the
 * words that stand for them, or else the end of one.
 */
export function findSettingsKeys(asked: string): readonly SettingsKey[] {
  const wanted = asked.replaceAll(/\[\d+\]/gu, '').split('.');
  const all = allSettingsKeys();
  const whole = all.filter(({ path }) => isNamed(path.split('.'), wanted));
  const ends = all.filter(({ path }) => `.${path}`.endsWith(`.${asked}`));
  return [...new Set([...whole, ...ends])];
}

/** Returns the key that was most likely meant by one that there is not. */
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

function allowedBy({ about }: Field<unknown>): string {
  switch (about.kind) {
    case 'value':
      return about.allowed;
    case 'list':
      return `a list, each one of: ${allowedBy(about.item)}`;
    case 'map':
      return `a map with ${Object.keys(about.members).join(', ')}`;
    case 'record':
      return `a map from each ${about.stands} to its value`;
  }
}

/** Returns a value as a settings file could write it. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
