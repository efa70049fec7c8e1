/** The settings in which two runs differ. */
import type { PageTable } from '../report/page-data.ts';
import { row, text } from '../report/page-values.ts';

/** What says where settings came from, not what they are. */
const origins = ['folder', 'hash', 'pluginsFrom.folder'];

/** Returns a table of every key whose value differs; `a` and `b` are JSON. */
export function settingsTable(a: string, b: string): PageTable {
  const [ours, theirs] = [valuesIn(a), valuesIn(b)];
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])];
  const different = keys.filter(
    (key) => ours.get(key) !== theirs.get(key) && !origins.includes(key),
  );
  return {
    title: 'Settings that differ',
    columns: ['A', 'B'],
    rows: different.map((key) =>
      row(key, text(ours.get(key) ?? 'not set'), text(theirs.get(key) ?? 'not set')),
    ),
  };
}

/** Returns the JSON of each value that is no map or list, by its path. */
function valuesIn(json: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      values.set(path, JSON.stringify(value));
      return;
    }
    for (const [name, inner] of Object.entries(value))
      visit(inner, path === '' ? name : `${path}.${name}`);
  };
  visit(JSON.parse(json), '');
  return values;
}
