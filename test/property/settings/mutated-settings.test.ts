/**
 * Whatever is done to a settings file, it is read or refused with places; nothing else is thrown.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import { botSettingsOf } from '../../../src/settings/load-bot-settings.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { workspace } from '../../support/package-root.ts';
import { goodBotFile } from '../../unit/settings/bot-file.ts';

const fragments = [
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ':',
  ': ',
  '- ',
  '\n',
  '\t',
  '#',
  '&a',
  '*a',
  '!!str ',
  '!!float ',
  '<<: ',
  '? ',
  '|',
  '>',
  '%',
  '---\n',
  '...\n',
  '\0',
  '\u2028',
  '\uFEFF',
  'null',
  '~',
  'true',
  '1e400',
  '0x10',
  '.nan',
  '__proto__: ',
  'constructor: ',
  '"\\x00"',
  '\ud83d\ude00',
  '  ',
  '\r',
  '-',
  '[[[[[[[[[[[[[[[[[[[[[[[[[',
];

const mutation = fc.record({
  at: fc.nat(goodBotFile.length),
  remove: fc.nat(12),
  insert: fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 6, unit: 'binary' })),
});

function mutated(mutations: readonly { at: number; remove: number; insert: string }[]): string {
  let text = goodBotFile;
  for (const { at, remove, insert } of mutations) {
    text = text.slice(0, at) + insert + text.slice(at + remove);
  }
  return text;
}

test('a mutated file gives settings or a ConfigError that begins with the file', () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      const bytes = new TextEncoder().encode(mutated(mutations));
      try {
        const settings = botSettingsOf(new SettingsSource('m.yaml', bytes), {
          workspace: { root: '/p', homeOf: () => '/p', command: 'millrace' },
        });
        const inside = [`${process.cwd()}/`, '/p/'];
        expect(inside.some((folder) => settings.store.startsWith(folder))).toBe(true);
        for (const { orderBaseMax } of Object.values(settings.limits.pairs)) {
          expect(orderBaseMax).toMatch(/^\d+(\.\d+)?$/u);
        }
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        refused += 1;
        for (const line of error.message.split('\n')) {
          expect(line).toMatch(/^(m\.yaml:\d+:\d+: \S|and \d+ more$)/u);
        }
      }
    }),
    { numRuns: 1_000 },
  );
  expect(refused).toBeGreaterThan(250);
});

test('random bytes give settings or a ConfigError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(() => botSettingsOf(new SettingsSource('m.yaml', bytes), { workspace })).toThrow(
        ConfigError,
      );
    }),
    { numRuns: 500 },
  );
});
