/** What belongs to the code of a plugin and so to its hash, and what it may not import. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type PluginCode, readPluginCode } from '../../../src/strategy/plugin-code.ts';
import { linkModules } from '../../support/planted-plugin.ts';

const base = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-code-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;
const manifest = (name: string, version: string, more: object = {}): string =>
  JSON.stringify({ name, version, type: 'module', exports: './index.js', ...more });

/** A plugin that imports a file, data and a package that depends on another. */
const project: Files = {
  'package.json': '{ "name": "bots", "type": "module" }',
  'mine/strategy.ts': "import { mid } from '../lib/mid.ts';\nimport { sma } from 'indicators';",
  'lib/mid.ts':
    "import table from './table.json' with { type: 'json' };\nexport const mid = table;",
  'lib/table.json': '[1]',
  'lib/unused.ts': 'export const unused = 1;',
  'node_modules/indicators/package.json': manifest('indicators', '1.0.0', {
    dependencies: { big: '^6.0.0', 'not-installed': '1.0.0' },
    peerDependencies: { millrace: '1.0.0' },
  }),
  'node_modules/indicators/index.js': "import big from 'big';\nexport const sma = big;",
  'node_modules/indicators/node_modules/unneeded/package.json': manifest('unneeded', '1.0.0'),
  'node_modules/big/package.json': manifest('big', '6.0.0'),
  'node_modules/big/index.js': 'export default 1;',
  'node_modules/millrace/package.json': manifest('millrace', '1.0.0'),
  'node_modules/unrelated/package.json': manifest('unrelated', '1.0.0'),
};

let folders = 0;

/** Reads the plugin of a new project with these files, and returns its code. */
async function read(
  changes: Files = {},
  packages: readonly string[] = ['indicators'],
): Promise<PluginCode> {
  const root = join(base, `project ${++folders} ä`);
  for (const [name, text] of Object.entries({ ...project, ...changes })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  linkPackage(root, 'rxjs');
  const file = join(root, 'mine', 'strategy.ts');
  return readPluginCode({ file, root, kind: 'path' }, packages);
}

function linkPackage(root: string, name: string): void {
  const ours = join(import.meta.dirname, '../../../node_modules', name);
  symlinkSync(ours, join(root, 'node_modules', name));
}

describe('the hash', () => {
  test('is the same for the same code in another folder, of own files and all packages', async () => {
    const [one, other] = [await read(), await read()];
    expect(other.hash).toBe(one.hash);
    expect(one.sources.map(({ file }) => file.split('/').slice(-2).join('/'))).toEqual([
      'mine/strategy.ts',
      'lib/mid.ts',
    ]);
    expect(one.packages.map(({ name, version }) => `${name} ${version}`)).toEqual([
      'big 6.0.0',
      'indicators 1.0.0',
    ]);
  });

  test.each<[string, Files, isSame?: boolean]>([
    ['its module', { 'mine/strategy.ts': `${project['mine/strategy.ts']}\n` }],
    ['a file that it imports', { 'lib/mid.ts': `${project['lib/mid.ts']}\n` }],
    ['data that it imports', { 'lib/table.json': '[2]' }],
    ['the version of a package', { 'node_modules/big/package.json': manifest('big', '6.0.1') }],
    ['a file of a package', { 'node_modules/big/index.js': 'export default 2;' }],
    ['a new file of a package', { 'node_modules/indicators/lib/x.js': '' }],
    ['a file that it does not import', { 'lib/unused.ts': 'export const unused = 2;' }, true],
    ['another package', { 'node_modules/unrelated/index.js': '' }, true],
    ['Millrace', { 'node_modules/millrace/index.js': '' }, true],
  ])('after a change of %s', async (_, changes, isSame = false) => {
    const { hash } = await read();
    expect((await read(changes)).hash === hash).toBe(isSame);
  });
});

const strategy = (text: string): Files => ({ 'mine/strategy.ts': text });

test.each<[string, Files, RegExp]>([
  [
    'a package that is not allowed',
    strategy("\nimport big from 'big';\nexport default big;"),
    /strategy\.ts:2: imports big, of .* not allow: write packages: \[indicators, big\] .*, zod$/u,
  ],
  [
    'a package that is not installed',
    strategy("import x from '@me/none/sub';\nexport default x;"),
    /npm install @me\/none in .*project \d+ ä, and write packages: \[indicators, @me\/none\] in/u,
  ],
  [
    'a file that does not exist',
    strategy("import x from '../lib/mid.js';\nexport default x;"),
    /imports \.\.\/lib\/mid\.js, which is no file; did you mean \.\.\/lib\/mid\.ts\?$/u,
  ],
  [
    'a file outside the project',
    strategy(`import x from '${join(base, 'outside.js')}';\nexport default x;`),
    /imports .*outside\.js, outside the project .*: move it into the project/u,
  ],
  [
    'a module by a name that is computed',
    strategy("export default await import('./' + 'x.ts');"),
    /strategy\.ts:1: a plugin may import only by a path or .* as a plain text/u,
  ],
  [
    'a syntax error',
    strategy('const a: number = 1;\nexport default (;'),
    /strategy\.ts:2: Expression expected$/u,
  ],
  [
    'its own package by name',
    strategy("import { mid } from 'bots/lib/mid.ts';\nexport default mid;"),
    /imports bots\/lib\/mid\.ts, which is this package itself: import its files by their path$/u,
  ],
  [
    'a file of CommonJS, by its name',
    {
      ...strategy("import x from '../lib/old.cjs';\nexport default x;"),
      'lib/old.cjs': 'module.exports = 1;',
    },
    /old\.cjs is CommonJS, because its name ends with \.cjs: write it .*, in old\.mjs$/u,
  ],
  [
    'CommonJS in a project without a type',
    { 'package.json': '{}', ...strategy('module.exports = {};') },
    /strategy\.ts is CommonJS, because it has no import and no export: .* module\.exports$/u,
  ],
  [
    'CommonJS in a project of modules',
    {
      ...strategy("import '../lib/old.js';\nexport default 1;"),
      'lib/old.js': "module.exports = require('./other.js');",
    },
    /lib\/old\.js is CommonJS, because it has no import and no export: write it as an/u,
  ],
  [
    'a project whose package.json says CommonJS',
    { 'package.json': '{ "type": "commonjs" }' },
    /package\.json says "type": "commonjs": write "type": "module" there$/u,
  ],
  [
    'a file that is no module',
    { ...strategy("import x from '../lib/a.wasm';"), 'lib/a.wasm': '' },
    /imports \.\.\/lib\/a\.wasm, which is no module: allowed are files that end with \.ts/u,
  ],
  [
    'another copy of RxJS',
    {
      ...strategy("import { timer } from 'rxjs';\nexport default timer;"),
      'mine/node_modules/rxjs/package.json': manifest('rxjs', '6.0.0'),
      'mine/node_modules/rxjs/index.js': 'export const timer = 1;',
    },
    /rxjs: 6\.0\.0 of .* is another copy than Millrace's .* npm install rxjs@7\.\d+\.\d+, and/u,
  ],
])('%s is refused', async (_, changes, message) => {
  writeFileSync(join(base, 'outside.js'), 'export default 1;');
  await expect(read(changes)).rejects.toMatchObject({
    code: 'MR_CONFIG',
    message: expect.stringMatching(message),
  });
});

test('TypeScript in node_modules is refused, because Node does not run it there', async () => {
  const root = join(base, 'typescript');
  const file = join(root, 'node_modules', 'grids', 'strategy.ts');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(dirname(file), 'package.json'), manifest('grids', '1.0.0'));
  writeFileSync(file, 'export default 1;');
  const place = { file, root: dirname(file), kind: 'package' } as const;
  await expect(readPluginCode(place, 'any')).rejects.toThrow(
    /grids\/strategy\.ts: TypeScript inside node_modules, .* must contain compiled JavaScript/u,
  );
});

test('what a plugin shares with Millrace is no part of its hash', async () => {
  const root = join(base, 'shares');
  linkModules(root);
  const file = join(root, 'strategy.ts');
  writeFileSync(file, "import 'rxjs';\nimport { z } from 'zod';\nexport default z;");
  expect((await readPluginCode({ file, root, kind: 'path' }, [])).packages).toEqual([]);
});
