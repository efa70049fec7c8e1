/**
 * The package: it is built into a project of its own, whose path has a blank and an umlaut, and
 * does there what the clone does. Its dependencies are those of the clone, by links.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { installPackage } from '../support/installed-package.ts';

const root = join(import.meta.dirname, '../..');
let project = '';
let installed = '';

beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'millrace my böt-')));
  installed = installPackage(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs Node in the project; throws if it fails. */
function node(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Runs the command of the package; returns its result. */
function millrace(...args: readonly string[]): Record<string, unknown> {
  const out = node(join(installed, 'src/bin.mjs'), ...args, '--json', '--home', join(project, 'h'));
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Writes a file of the project. */
function write(file: string, text: string): void {
  mkdirSync(join(project, file, '..'), { recursive: true });
  writeFileSync(join(project, file), text);
}

test('it has what a user needs, compiled, and nothing of the clone', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const clone = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, dependencies, engines } = clone;
  expect(manifest).toMatchObject({ name, version, dependencies, engines });
  expect(Object.keys(manifest.exports)).toEqual(Object.keys(clone.exports));
  for (const key of ['private', 'scripts', 'devDependencies', 'optionalDependencies'])
    expect(manifest).not.toHaveProperty(key);
  expect(existsSync(join(installed, manifest.bin.millrace))).toBe(true);

  const files = filesIn(installed);
  const folder = join('src', 'page', 'bundle');
  const bundle = filesIn(join(root, folder)).map((name) => join(folder, name));
  expect(files.filter((file) => file.startsWith(join('src', 'page')))).toEqual(bundle);
  const sources = filesIn(join(root, 'src')).filter(
    (file) => /(?<!\.d)\.ts$/u.test(file) && !file.startsWith('page'),
  );
  const compiled = sources.map((file) => join('src', file.replace(/\.ts$/u, '.js')));
  expect(compiled.filter((file) => !files.includes(file))).toEqual([]);
  const wanted =
    /^(?:src|strategies|config|backtests|docs|templates)\/|^(?:[A-Z]+(?:\.md)?|package\.json)$/u;
  expect(files.filter((file) => !wanted.test(file))).toEqual([]);
  const cloneOnly =
    /^(?!templates\/).*(?<!\.d)\.ts$|\/internals\/|^src\/(?:check-node|install|launch)\.mjs$/u;
  expect(files.filter((file) => cloneOnly.test(file))).toEqual([]);
  const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
  expect(bytes).toBeLessThan(9_000_000);
});

test('a backtest has the hash that it has in the clone', () => {
  const { expectedHash } = loadScenario(join(root, 'backtests/first/scenario.yaml'));
  expect(millrace('backtest', 'first')['hash']).toBe(expectedHash);
});

test('it makes a project, also with the code of a shipped strategy', () => {
  const own = join(project, 'own bot');
  const made = millrace('init', own, '--no-install', '--template', 'simple-mm');
  expect(made['dependency']).toBe(
    `^${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}`,
  );
  const code = readFileSync(join(own, 'strategies/simple-mm.ts'), 'utf8');
  expect(code).toContain("from 'millrace'");
  expect(readFileSync(join(own, '.gitignore'), 'utf8')).toContain('node_modules/');
});

test('it writes the pages of the documents', () => {
  const written = join(project, 'pages');
  millrace('interface', '--write', written);
  for (const name of filesIn(written))
    expect(readFileSync(join(written, name), 'utf8')).toBe(
      readFileSync(join(root, 'docs', name), 'utf8'),
    );
  expect(filesIn(written).length).toBeGreaterThan(2);
});

test('the demo trades, with the simulated exchange as a process of its own', () => {
  expect(millrace('start', '--for', '4s')).toMatchObject({ differences: 0, openOrdersAtExit: 0 });
});

test('the traps for clocks and the like tell its own code from that of a strategy', () => {
  const file = join(installed, 'strategies/simple-mm');
  expect(millrace('check-strategy', file)).toMatchObject({ problems: 0, ambient: [] });
});

const strategy = `
import { NEVER } from 'rxjs';
import { z } from 'zod';
import { amount, defineStrategy, type Intent } from 'millrace';
import { fakeContext } from 'millrace/testing';
export const context = fakeContext;
export const idle: Intent = { kind: 'idle', pair: 'XBTZAR', reason: 'it waits' };
export default defineStrategy({
  name: 'mine',
  parameters: z.object({ size: amount }),
  pairs: 1,
  run: ({ parameters }) => (parameters.size === '0' ? NEVER : NEVER),
});
`;

test('its types check a strategy, and a wrong intent is one line that names the member', () => {
  write('strategies/mine/strategy.ts', strategy);
  write('strategies/wrong/strategy.ts', strategy.replace('reason:', 'reasn:'));
  const options = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'esnext.disposable'] },
    ...{ types: ['node'], strict: true, noEmit: true },
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['strategies'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^strategies\/wrong\/strategy\.ts\(7,\d+\): error .*'reasn'/u),
  ]);
});

test('a plugin that another copy of Millrace defined is accepted, with its schema', async () => {
  write('strategies/mine/strategy.ts', strategy);
  const { strategy: plugin } = await loadStrategy(join(project, 'strategies'), 'mine');
  expect(plugin.name).toBe('mine');
});

test('a Node that is too old gets one line', () => {
  const script = readFileSync(join(installed, 'src/node-problem.mjs'), 'utf8');
  for (const [old, isEnough] of [
    ['18.20.4', false],
    ['20.19.5', false],
    ['22.18.9', false],
    ['22.19.0', true],
    ['24.0.0', true],
  ] as const) {
    write('old/bin.mjs', readFileSync(join(installed, 'src/bin.mjs'), 'utf8'));
    write('old/node-problem.mjs', script.replaceAll('process.versions.node', `'${old}'`));
    write('old/run-script.mjs', 'export const root = "."; export const runScript = () => {};');
    const { status, stderr } = spawnSync(process.execPath, [join(project, 'old/bin.mjs')], {
      encoding: 'utf8',
    });
    expect([old, status]).toEqual([old, isEnough ? 0 : 1]);
    if (isEnough) continue;
    expect(stderr).toBe(
      `millrace: Node ${old} is too old: Millrace needs Node 22.19 or newer, with npm; install one from https://nodejs.org and run the command again\n`,
    );
  }
});
