/** Every key of every settings file has a description, and its example is accepted. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMap, type Node } from 'yaml';
import { configurationPage } from '../../../src/cli/reference/configuration-page.ts';
import type { Field, Reader } from '../../../src/settings/field.ts';
import { keyDescriptions, type SettingsKind } from '../../../src/settings/key-descriptions.ts';
import { readChecked } from '../../../src/settings/read-checked.ts';
import {
  allSettingsKeys,
  findSettingsKeys,
  nearestSettingsKey,
  settingsFields,
  settingsKeysOf,
} from '../../../src/settings/settings-keys.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';

const kinds = Object.keys(settingsFields) as SettingsKind[];

describe.each(kinds)('the keys of a %s file', (kind) => {
  test('are the described ones', () => {
    const described = Object.keys(keyDescriptions[kind]).sort();
    expect(described).toEqual(
      settingsKeysOf(kind)
        .map(({ path }) => path)
        .sort(),
    );
  });

  test('say what applies when an optional one is left out', () => {
    const silent = settingsKeysOf(kind)
      .filter(({ isRequired, absent, path }) => !isRequired && !path.endsWith('>') && !absent)
      .map(({ path }) => path);
    expect(silent).toEqual([]);
  });

  test('have examples that their declarations accept', () => {
    for (const { path } of settingsKeysOf(kind)) {
      const example = keyDescriptions[kind][path]?.example ?? '';
      if (example.includes('…')) continue;
      expect(read(fieldAt(kind, path), example), `${path}: ${example}`).toBeDefined();
    }
  });
});

/** Returns the field that reads `path`. */
function fieldAt(kind: SettingsKind, path: string): Field<unknown> {
  let field = settingsFields[kind];
  for (const name of path.split('.')) {
    const { about } = field;
    if (about.kind === 'record') field = about.value;
    else if (about.kind === 'map') {
      const member = about.members[name];
      if (member === undefined) throw new Error(`no ${path}`);
      field = typeof member === 'function' ? member : member.field;
    }
  }
  return field;
}

/** Reads `text` by a field; throws ConfigError if it is not allowed. */
function read(field: Field<unknown>, text: string): unknown {
  const source = new SettingsSource('example', new TextEncoder().encode(`key: ${text}\n`));
  const read = (reader: Reader) => {
    const { root } = reader.source;
    const node = isMap(root) ? (root.get('key', true) as Node) : null;
    return field({ reader, path: ['key'], node });
  };
  return readChecked(source, read);
}

test('an example that is wrong would be found', () => {
  expect(() => read(fieldAt('bot', 'limits.pairs.<pair>.collar'), '0.02')).toThrow(/try: "2%"/u);
});

test('a key is found by its path, with real names or placeholders, or by its last parts', () => {
  const found = (asked: string) =>
    findSettingsKeys(asked).map(({ kind, path }) => `${kind} ${path}`);
  const collar = ['bot limits.pairs.<pair>.collar'];
  expect(found('limits.pairs.<pair>.collar')).toEqual(collar);
  expect(found('limits.pairs.XBTZAR.collar')).toEqual(collar);
  expect(found('collar')).toEqual(collar);
  expect(found('pairs.XBTZAR.volumeMax')).toEqual(['egress pairs.<pair>.volumeMax']);
  expect(found('strategies.mm-xbt.pairs[0]')).toEqual(['bot strategies.<id>.pairs']);
  expect(found('pairs')).toEqual(['egress pairs', 'bot strategies.<id>.pairs', 'bot limits.pairs']);
  expect(found('nothing')).toEqual([]);
  expect(nearestSettingsKey('limits.pairs.XBTZAR.colar')).toBe('limits.pairs.<pair>.collar');
  expect(nearestSettingsKey('orderOpenMax')).toBe('limits.account.ordersOpenMax');
});

test('docs/configuration.md is current; write it by: millrace config explain --write docs/configuration.md', () => {
  const page = new URL('../../../docs/configuration.md', import.meta.url);
  expect(readFileSync(page, 'utf8')).toBe(configurationPage());
  for (const { path } of allSettingsKeys()) expect(configurationPage()).toContain(`\`${path}\``);
});
