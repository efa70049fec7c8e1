/**
 * Plugins of a project of one's own: by a path and from a package, with packages that the settings
 * allow, run by the commands as processes of their own.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'src/main.ts');
const base = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-anywhere-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
/** The project is used through a symbolic link. */
const real = join(base, 'mein Büro', 'bots');
const project = join(base, 'linked');

/** A plugin that prints, quotes by a library of its own, and asks it for the time. */
const source = (name: string, library: string): string => `import { map } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '${join(root, 'src/index.ts')}';
import { stepOf } from '${library}';
export default defineStrategy({
  name: '${name}', parameters: z.object({}), pairs: 1,
  run(context) {
    const [market] = context.pairs;
    return context.every(10_000).pipe(map((count) => {
      console.log('count', count);
      return { kind: 'quote', pair: market.pair, reason: 'planted', orders: [
        { level: 'bid', side: 'BID', price: 990000 - stepOf(count), volume: 10000, postOnly: true },
      ] };
    }));
  },
});
`;
const ticking = `export const stepOf = (count) => {
  console.log('inside the package');
  return Date.now() > 0 ? count * 10 : 0;
};
`;

beforeAll(() => {
  const manifest = (name: string) =>
    JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' });
  const files: Readonly<Record<string, string>> = {
    'package.json': '{ "name": "bots", "type": "module" }',
    'strategies/grid.ts': source('grid', './step.ts'),
    'strategies/step.ts': 'export const stepOf = (count: number): number => count * 10;',
    'strategies/listed.ts': '\nenum Side { BID }\nexport default Side;',
    'strategies/ticks.ts': source('ticks', 'ticking'),
    'node_modules/ticking/package.json': manifest('ticking'),
    'node_modules/ticking/index.js': ticking,
    'node_modules/@me/grids/package.json': manifest('@me/grids'),
    'node_modules/@me/grids/index.js': source('packaged', './step.js'),
    'node_modules/@me/grids/step.js': 'export const stepOf = (count) => count * 10;',
    'node_modules/@me/typed/package.json': JSON.stringify({
      ...{ name: '@me/typed', version: '1.0.0', type: 'module', exports: './index.ts' },
    }),
    'node_modules/@me/typed/index.ts': source('typed', './step.js'),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(real, name)), { recursive: true });
    writeFileSync(join(real, name), text);
  }
  for (const name of ['rxjs', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(real, 'node_modules', name));
  symlinkSync(real, project);
});

let scenarios = 0;

/** Writes a scenario of the project with that plugin; returns its folder. */
function scenarioOf(plugin: string, more = ''): string {
  const folder = join(project, `scenario-${++scenarios}`);
  mkdirSync(folder);
  writeFirst(folder, [...minuteOf(plugin), [/^strategies:$/mu, `${more}strategies:`]]);
  return folder;
}

function millrace(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words, '--json'], {
    encoding: 'utf8',
    cwd: project,
  });
  return { status, value: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}

describe('a backtest', () => {
  test('runs a plugin by its path and one of a package, and both are the same run', () => {
    const byPath = millrace('backtest', scenarioOf('../strategies/grid.ts'));
    const packaged = millrace('backtest', scenarioOf('"@me/grids"'));
    expect([byPath.status, packaged.status], byPath.stderr + packaged.stderr).toEqual([0, 0]);
    expect(byPath.value.orders).toBeGreaterThan(3);
    expect(packaged.value.orders).toBe(byPath.value.orders);
    for (const { value } of [byPath, packaged])
      expect(value.printed.lines[0]).toMatch(/Z mm-xbt: count 0$/u);
  }, 60_000);

  test('shows what a library prints, and names the library that reads the clock once', () => {
    const { status, value, stderr } = millrace(
      ...['backtest', scenarioOf('../strategies/ticks.ts', 'packages: [ticking]\n')],
    );
    expect(status).toBe(1);
    const file = join(real, 'node_modules/ticking/index.js');
    expect(value.ambient).toEqual([{ what: 'Date.now', package: 'ticking', file, line: 3 }]);
    expect(value.printed.lines[1]).toMatch(/Z mm-xbt: inside the package$/u);
    expect(stderr.match(/the package ticking, \S*index\.js:3 calls Date\.now/gu)).toHaveLength(1);
  }, 60_000);

  test.each([
    [
      '../strategies/ticks.ts',
      /scenario\.yaml:\d+:\d+: plugin \S+ cannot be loaded: .*ticks\.ts:4: .*: \[ticking\] in the/u,
    ],
    ['../strategies/listed.ts', /strategies\/listed\.ts:2: TypeScript enum is not supported/u],
    ['"@me/typed"', /typed\/index\.ts: TypeScript inside node_modules/u],
    ['../strategies', /the folder .*strategies has no strategy\.ts or strategy\.js/u],
  ])(
    'does not run %s, and says why with the line in the file',
    (plugin, message) => {
      const { status, stderr } = millrace('backtest', scenarioOf(plugin));
      expect(status).toBe(2);
      expect(stderr).toMatch(message);
    },
    60_000,
  );
});

test('check-strategy judges a library by the run alone', () => {
  const scenario = scenarioOf('../strategies/ticks.ts', 'packages: [ticking]\n');
  const { status, value } = millrace(
    ...['check-strategy', 'strategies/ticks.ts', '--scenario', scenario],
  );
  expect(status).toBe(1);
  expect(value.imports).toEqual([]);
  expect(value.ambient).toMatchObject([{ what: 'Date.now', package: 'ticking' }]);
  expect(value.problems).toBe(1);
}, 60_000);

describe('a bot', () => {
  const bot = (plugin: string, more = ''): string => {
    const text = readFileSync(join(root, 'test/unit/settings/good-bot.yaml'), 'utf8')
      .replace('plugin: simple-mm', `plugin: ${plugin}`)
      .replace(/parameters: .*$/mu, 'parameters: {}')
      .replace(/^strategies:/mu, `${more}strategies:`);
    const file = join(project, `bot-${++scenarios}.yaml`);
    writeFileSync(file, text);
    return file;
  };

  test('two plugins of one name are refused, with both files', () => {
    mkdirSync(join(real, 'strategies', 'other'));
    const other = source('grid', '../step.ts');
    writeFileSync(join(real, 'strategies', 'other', 'strategy.ts'), other);
    const file = bot('./strategies/grid.ts');
    const text = readFileSync(file, 'utf8');
    const [, one = ''] = /^strategies:.*\n((?: .*\n)+)/mu.exec(text) ?? [];
    const second = one.replace('mm-xbt', 'mm-two').replace('grid.ts', 'other');
    writeFileSync(file, text.replace(one, one + second));
    const { status, value } = millrace('config', 'check', file);
    expect(status).toBe(2);
    expect(value.files[0].problems.join('\n')).toMatch(
      /plugin \.\/strategies\/other: .*other\/strategy\.ts and .*grid\.ts both .* name "grid":/u,
    );
  }, 60_000);

  test('a package that was changed after the approval is refused by its name', () => {
    const plain = bot('./strategies/ticks.ts', 'packages: [ticking]\n');
    const { approve } = millrace('checks', plain).value;
    expect(approve.packages).toEqual([expect.stringMatching(/^ticking@1\.0\.0 [0-9a-f]{16}$/u)]);
    const [code] = Object.values(approve.strategies);
    const approved = `approved:
  settings: ["${approve.settings}"]
  strategies: ["${code}"]
  packages: ["${approve.packages[0]}"]
`;
    const file = bot('./strategies/ticks.ts', `packages: [ticking]\n${approved}`);
    const check = () => millrace('config', 'check', file);
    expect(check().value.files[0].problems).toEqual([]);
    writeFileSync(join(real, 'node_modules/ticking/index.js'), `${ticking}// changed\n`);
    const { status, value } = check();
    writeFileSync(join(real, 'node_modules/ticking/index.js'), ticking);
    expect(status).toBe(2);
    const [problem, ...others] = value.files[0].problems;
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /yaml:\d+:\d+: plugin \.\/strategies\/ticks\.ts of strategy mm-xbt is not/u,
    );
    expect(problem).toMatch(
      /its package ticking is now 1\.0\.0 [0-9a-f]{16}, and approved is 1\.0\.0 [0-9a-f]{16}: /u,
    );
  }, 60_000);
});
