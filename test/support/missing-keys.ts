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
      const [first] = Object.values(map);
      return [...own, ...missingKeys(about.value, first, below(`<${about.keys.placeholder}>`))];
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
