/**
 * The structure of `src`, executable: layers, lists of imports, cycles, names,
 * code that occurs twice, and rules that nothing uses; and the documents: links, commands and the
 * glossary. The layout is data in `support/layout.ts`; planted faults show that each check can
 * fail.
 */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pagesWith, promisePages } from './prove/record/promises-page.ts';
import { readProofs } from './prove/record/proofs-file.ts';
import { addedBy, structurePlants } from './prove/structure-plants.ts';
import { duplicateBlocks } from './support/duplicate-blocks.ts';
import { importCycles } from './support/import-cycles.ts';
import { importsOutOfLayer, unusedLayers } from './support/import-layers.ts';
import { refusedImports, unusedImportRules } from './support/import-rules.ts';
import { importsOf } from './support/imports.ts';
import { type Layout, layout } from './support/layout.ts';
import type { SourceFile } from './support/source-files.ts';
import { structureChecks, structureIn } from './support/structure-checks.ts';

const root = path.dirname(import.meta.dirname);
const structure = structureIn(root);

test.each(Object.entries(structureChecks))('there are no %s', (_, check) => {
  expect(check(structure)).toEqual([]);
});

test.each(Object.entries(structurePlants))('a planted %s is found', (_, plant) => {
  expect(addedBy(plant, structure)).not.toEqual([]);
});

test.each(promisePages)(
  'the figures in %s are those of docs/internals/proofs.json; write them by: npm run prove -- pages',
  (page) => {
    const text = structure.documents.find(({ file }) => file === page)?.text;
    expect(pagesWith(readProofs(), root)[page] === text).toBe(true);
  },
);

const plants: readonly (readonly [file: string, code: string, complaint: RegExp | undefined])[] = [
  [
    'src/domain/a.ts',
    "import { b } from '../market/b.ts';",
    /domain may not import anything of mar/u,
  ],
  [
    'src/risk/a.ts',
    "export * from '../venues/luno/client/b.ts';",
    /risk may not import anything of venues.luno.client/u,
  ],
  ['src/risk/a.ts', "export type { B } from '../domain/b.ts';", undefined],
  [
    'src/engine/a.ts',
    "const c = await import('../venues/luno/client/c.ts');",
    /engine may not .* venues.luno.client/u,
  ],
  ['src/engine/a.ts', "import type { S } from '../store/store.ts';", /anything of store/u],
  ['src/engine/a.ts', "import type { C } from '../runtime/clock.ts';", undefined],
  ['src/engine/a.ts', "import { c } from '../runtime/clock.ts';", /but types of runtime/u],
  ['src/engine/a.ts', "import { r } from '../runtime/seeded-random.ts';", undefined],
  [
    'src/engine/a.ts',
    "import {\n  a,\n  b,\n} from '../bot/x.ts';",
    /:2: engine may not .* of bot/u,
  ],
  ['src/engine/a.ts', "import { x } from '../../test/support/x.ts';", /src may not import test/u],
  ['src/bot/a.ts', "import '../engine/x.ts';", undefined],
  ['src/strategy/a.ts', "import '../risk/x.ts';", /strategy may not import anything of risk/u],
  ['src/nowhere/a.ts', "import '../domain/x.ts';", /nowhere is not in the layout/u],
  ['strategies/mm/a.ts', "import { d } from 'millrace'; import 'rxjs';", undefined],
  [
    'strategies/mm/a.ts',
    "import { d } from '../../src/domain/money.ts';",
    /a strategy may import/u,
  ],
  ['strategies/mm/a.ts', "import { d } from '../other/b.ts';", /its own files, not strategies/u],
  ['src/engine/a.ts', "import { request } from 'undici';", /engine may not import undici/u],
  ['src/bot/a.ts', "import sqlite from 'better-sqlite3';", /bot may not import better-sqlite3/u],
  [
    'src/venues/luno/client/a.ts',
    "import { x } from 'left-pad/sub';",
    /left-pad is not in the table/u,
  ],
  ['src/venues/luno/client/a.ts', "import type * as z from 'zod';", undefined],
  ['src/venues/luno/client/a.ts', "import * as z from 'zod';", /client may not import zod/u],
  ['src/risk/a.ts', "import http from 'node:http';", /risk may not import node:http/u],
];

test.each(plants)('the lists judge %s with %j', (file, code, complaint) => {
  const refused = refusedImports([{ file, text: `/** Planted. */\n${code}\n` }], layout);
  if (complaint === undefined) expect(refused).toEqual([]);
  else expect(refused.join('\n')).toMatch(complaint);
});

test('each way to import is found', () => {
  const text = "import a from 'b';\nexport { c } from './d.ts';\n// from 'no'\nawait import('e');";
  expect(importsOf({ file: 'src/a.ts', text })).toEqual([
    { from: 'b', target: undefined, isType: false, line: 1 },
    { from: './d.ts', target: 'src/d.ts', isType: false, line: 2 },
    { from: 'e', target: undefined, isType: false, line: 4 },
  ]);
});

/** A source file that imports others as types, one a line. */
function importing(file: string, ...targets: readonly string[]): SourceFile {
  return { file, text: targets.map((target) => `import type { A } from '${target}';\n`).join('') };
}

const small: Layout = {
  places: {
    low: { layer: 1, imports: [] },
    high: { layer: 2, imports: ['low'], inner: [['base'], ['left', 'right'], ['.']] },
  },
  apart: ['src/low/list'],
  packages: {},
  packageTypes: {},
  builtins: {},
};

describe('the layers', () => {
  const judge = (from: string, target: string): string =>
    importsOutOfLayer([importing(from, target)], small).join('\n');

  test.each([
    [
      'src/low/a.ts',
      '../high/b.ts',
      'src/low/a.ts:1: low (layer 1) may not import src/high/b.ts (layer 2)',
    ],
    ['src/high/a.ts', '../low/b.ts', ''],
    [
      'src/high/base/a.ts',
      '../left/b.ts',
      'src/high/base/a.ts:1: base of high may not import src/high/left/b.ts, which is not below it',
    ],
    [
      'src/high/left/a.ts',
      '../right/b.ts',
      'src/high/left/a.ts:1: left of high may not import src/high/right/b.ts, which is not below it',
    ],
    [
      'src/high/right/a.ts',
      '../b.ts',
      'src/high/right/a.ts:1: right of high may not import src/high/b.ts, which is not below it',
    ],
    ['src/high/a.ts', './right/b.ts', ''],
    [
      'src/high/left/a.ts',
      '../odd/b.ts',
      'src/high/left/a.ts:1: left of high may not import src/high/odd/b.ts, which is not below it',
    ],
    [
      'src/high/odd/a.ts',
      '../base/b.ts',
      'src/high/odd/a.ts:1: odd of high may not import src/high/base/b.ts, which is not below it',
    ],
    ['src/high/left/a.ts', '../base/deeper/b.ts', ''],
    ['src/high/left/a.ts', './b.ts', ''],
    [
      'src/low/list/a.ts',
      './b.ts',
      'src/low/list/a.ts:1: files of src/low/list may not import each other, as src/low/list/b.ts',
    ],
    ['src/low/a.ts', './list/b.ts', ''],
  ])('judge %s with %s', (from, target, complaint) => {
    expect(judge(from, target)).toBe(complaint);
  });

  test('are each needed, and each folder has one', () => {
    const all = [
      importing('src/high/a.ts', '../low/b.ts', './base/b.ts'),
      importing('src/high/left/a.ts', '../base/b.ts'),
      importing('src/high/odd/a.ts', '../base/b.ts'),
      importing('src/nowhere/a.ts', '../low/b.ts'),
    ];
    expect(unusedLayers(all, small)).toEqual([
      'nothing uses the order of right in high',
      'nowhere has no layer',
      'nothing is in src/low/list, whose files are apart',
    ]);
    expect(unusedLayers([importing('src/low/list/a.ts')], small)).toContain(
      'nothing uses the layer of high',
    );
  });
});

test('a list of values that only types use is dead, as is one that nothing uses', () => {
  const types = importing('src/high/a.ts', '../low/b.ts');
  const values = { file: 'src/high/a.ts', text: "import { a } from '../low/b.ts';\n" };
  const dead = ['nothing uses the rule "high imports low"'];
  expect(unusedImportRules([], small)).toEqual(dead);
  expect(unusedImportRules([types], small)).toEqual(dead);
  expect(unusedImportRules([values], small)).toEqual([]);
});

describe('the search for cycles', () => {
  test('names each group once, with its shortest cycle and the line where it begins', () => {
    const files = [
      importing('src/a/one.ts', './other.ts', '../b/two.ts'),
      importing('src/a/other.ts'),
      importing('src/b/two.ts', '../c/three.ts'),
      importing('src/c/three.ts', '../b/two.ts', '../a/one.ts'),
      importing('src/d/self.ts', './self.ts'),
    ];
    expect(importCycles(files)).toEqual([
      'src/a/one.ts:2: import cycle (files: 3): src/a/one.ts > src/b/two.ts > src/c/three.ts > src/a/one.ts',
      'src/d/self.ts:1: import cycle (files: 1): src/d/self.ts > src/d/self.ts',
    ]);
  });

  test('finds none where two ways lead to the same file', () => {
    const files = [
      importing('src/a/one.ts', './left.ts', './right.ts'),
      importing('src/a/left.ts', './last.ts'),
      importing('src/a/right.ts', './last.ts'),
      importing('src/a/last.ts'),
    ];
    expect(importCycles(files)).toEqual([]);
  });
});

describe('the search for duplicates', () => {
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `const line${index} = ${index};`);
  const file = (name: string, ...text: readonly string[]): SourceFile => {
    return { file: `src/${name}.ts`, text: text.join('\n') };
  };

  test('counts a long run once, across comments, imports, brackets and indentation', () => {
    const [first = '', ...rest] = lines(8);
    const two = [
      file('a', '/** A. */', first, ...rest, 'const last = 1;'),
      file(
        'b',
        "import { x } from './c.ts';",
        first,
        '',
        '// Why.',
        '{',
        ...rest.map((one) => `  ${one}`),
        '}',
      ),
    ];
    expect(duplicateBlocks(two)).toMatchObject([
      {
        places: [
          { file: 'src/a.ts', line: 2 },
          { file: 'src/b.ts', line: 2 },
        ],
        lines: 8,
      },
    ]);
  });

  test('leaves out short runs, and what goes on over the end of a file', () => {
    expect(duplicateBlocks([file('a', ...lines(5)), file('b', ...lines(5))])).toEqual([]);
    const ends = [file('a', ...lines(3)), file('b', ...lines(3)), file('c', ...lines(3))];
    expect(duplicateBlocks(ends)).toEqual([]);
  });

  test('does not hold a run against itself', () => {
    const same = Array.from({ length: 8 }, () => 'call();');
    expect(duplicateBlocks([file('a', ...same)])).toEqual([]);
  });
});
