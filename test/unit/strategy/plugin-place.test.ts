/** What `plugin:` may name, and what is said about a name, path or package that is not there. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeOfPlugin } from '../../../src/strategy/plugin-place.ts';

const base = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-places-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const project = join(base, 'mein Büro', 'bots');
const bots = join(project, 'config');
const shipped = join(base, 'shipped');

beforeAll(() => {
  const files: Readonly<Record<string, string>> = {
    'shipped/simple-mm/strategy.ts': '',
    'shipped/ma-cross/strategy.js': '',
    'outside/strategy.ts': '',
    'mein Büro/bots/package.json': '{ "name": "bots", "type": "module" }',
    'mein Büro/bots/strategies/grid.ts': '',
    'mein Büro/bots/strategies/renamed.test.ts': '',
    'mein Büro/bots/strategies/maker/strategy.ts': '',
    'mein Büro/bots/strategies/empty/notes.md': '',
    'mein Büro/bots/config/near.mjs': '',
    'mein Büro/bots/node_modules/indicators/package.json':
      '{ "name": "indicators", "version": "1.0.0", "exports": { ".": { "import": "./a.js" }, "./grid": "./grid.js" } }',
    'mein Büro/bots/node_modules/indicators/a.js': '',
    'mein Büro/bots/node_modules/indicators/grid.js': '',
    'mein Büro/bots/node_modules/@me/mine/package.json':
      '{ "name": "@me/mine", "version": "2.0.0", "exports": "./b.js" }',
    'mein Büro/bots/node_modules/@me/mine/b.js': '',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  symlinkSync(join(base, 'outside'), join(project, 'strategies', 'leads-out'));
  symlinkSync(project, join(base, 'linked'));
});

const find = (plugin: string, folder = bots) =>
  placeOfPlugin(plugin, { shipped, from: { folder, packages: [] } });

describe('plugin:', () => {
  test.each([
    ['simple-mm', join(shipped, 'simple-mm/strategy.ts'), 'shipped'],
    ['ma-cross', join(shipped, 'ma-cross/strategy.js'), 'shipped'],
    ['./near.mjs', join(bots, 'near.mjs'), 'path'],
    ['../strategies/grid.ts', join(project, 'strategies/grid.ts'), 'path'],
    ['../strategies/maker', join(project, 'strategies/maker/strategy.ts'), 'path'],
    ['indicators', join(project, 'node_modules/indicators/a.js'), 'package'],
    ['indicators/grid', join(project, 'node_modules/indicators/grid.js'), 'package'],
    ['@me/mine', join(project, 'node_modules/@me/mine/b.js'), 'package'],
  ])('%s is found', async (plugin, file, kind) => {
    expect(await find(plugin)).toMatchObject({ file, kind });
  });

  test('a path is found in a project that is a symbolic link', async () => {
    const { file, root } = await find('../strategies/grid.ts', join(base, 'linked/config'));
    expect({ file, root }).toEqual({ file: join(project, 'strategies/grid.ts'), root: project });
  });

  test('without a package.json the project is the folder of the settings', async () => {
    const from = { folder: join(base, 'outside'), packages: [] };
    const place = await placeOfPlugin('./strategy.ts', { shipped, from });
    expect(place.root).toBe(join(base, 'outside'));
    await expect(placeOfPlugin('../shipped/simple-mm', { shipped, from })).rejects.toThrow(
      /^plugin \.\.\/shipped\/simple-mm leads to .*, outside the project .*outside: /u,
    );
  });
});

test.each([
  ['../strategies/grd.ts', /there is no .*grd\.ts; did you mean \.\.\/strategies\/grid\.ts\?$/u],
  ['../strategies/grid', /did you mean \.\.\/strategies\/grid\.ts\?$/u],
  ['../strategies/grid.js', /did you mean \.\.\/strategies\/grid\.ts\?$/u],
  ['../strategies/renamed.ts', /; the folder has empty, grid\.ts, leads-out, maker$/u],
  ['../strategies/quite-other', /; the folder has empty, grid\.ts, leads-out, maker$/u],
  ['../nowhere/at-all/x.ts', /x\.ts, because there is no folder .*nowhere\/at-all$/u],
  ['../strategies/empty', /the folder .*empty has no strategy\.ts or strategy\.js$/u],
  ['../strategies/leads-out', /leads to .*outside, outside the project .*bots: move it/u],
  ['../../../outside/strategy.ts', /leads to .*outside\/strategy\.ts, outside the project/u],
  ['simple-m', /no such package in .*config; did you mean simple-mm\?; the shipped plugins are/u],
  ['near.mjs', /; did you mean \.\/near\.mjs\?; .* of your own begins with \.\//u],
  ['lodash', /a package is installed by: npm install lodash$/u],
  ['indicators/gird', /the package indicators does not provide it: .*gird/u],
  ['/abs/strategy.ts', /^plugin must be the name of .*; was "\/abs\/strategy\.ts"$/u],
])('%s is refused', async (plugin, message) => {
  await expect(find(plugin)).rejects.toMatchObject({
    code: 'MR_CONFIG',
    message: expect.stringMatching(message),
  });
});
