/** Finds declared settings keys that a file does not contain. */
import type { Field } from '../../src/settings/field.ts';

/** Returns the paths of `field` that `value` does not have, and everything inside a missing map. */
export function missingKeys(
  { about }: Field<unknown>,
  value: unknown,
  path = '',
): readonly string[] {
  const own = value === undefined ? [path] : [];
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const map = (typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;
  switch (about.kind) {
    case 'value':
      return own;
    case 'list':
      return [...own, ...missingKeys(about.item, Object.values(map)[0], `${path}[]`)];
    case 'record': {
      // Some keys exclude others: one of the entries must have each.
      const entries = Object.values(map).length === 0 ? [undefined] : Object.values(map);
      const [first = [], ...others] = entries.map((entry) =>
        missingKeys(about.value, entry, below(`<${about.keys.placeholder}>`)),
      );
      const missing = first.filter((key) => others.every((one) => one.includes(key)));
      return [...own, ...missing];
    }
    case 'map':
      return [
        ...own,
        ...Object.entries(about.members).flatMap(([name, entry]) =>
          missingKeys(typeof entry === 'function' ? entry : entry.field, map[name], below(name)),
        ),
      ];
  }
}
