/** `millrace init` and `new`: what they write, what they refuse, and that it is a working bot. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runInit } from '../../src/cli/commands/init-command.ts';
import { runNew } from '../../src/cli/commands/new-command.ts';
import { runStrategies } from '../../src/cli/commands/strategies-command.ts';
import { ownDependency, projectFiles } from '../../src/cli/projects/project-template.ts';
import { settingsSchema } from '../../src/settings/settings-schema.ts';
import { Output } from '../../src/terminal/output.ts';
import { packageRoot as root, workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

const isBot = new Ajv().compile(settingsSchema('bot'));
const ownManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-init-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function init(name: string, template?: string) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson: true, stdout, stderr });
  const project = join(folder, name);
  const dependency = 'file:../millrace.tgz';
  const code = await runInit({
    root,
    folder: project,
    template,
    dependency,
    isInstalling: false,
    output,
  });
  return { code, project, result: JSON.parse(printed(stdout)) };
}

function add(project: string, name: string, template: string): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson: true, stdout, stderr });
  const settings = join(project, 'millrace.yaml');
  expect(runNew({ root, settings, name, template, output })).toBe(0);
  return JSON.parse(printed(stdout)).settings;
}

test('a project has its files, and its settings have at most 25 lines and fit the schema', async () => {
  const { code, project, result } = await init('mein Bot für Börsen');
  expect(code).toBe(0);
  expect(readdirSync(project).sort()).toEqual([
    '.gitignore',
    '.npmrc',
    '.vscode',
    'README.md',
    'millrace.yaml',

    'package.json',
    'strategies',
    'tsconfig.json',
  ]);
  expect(readdirSync(join(project, 'strategies')).sort()).toEqual(['quoter.test.ts', 'quoter.ts']);
  const settings = readFileSync(join(project, 'millrace.yaml'), 'utf8');
  expect(settings.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  expect(settings).toContain('bot: mein-bot-fur-borsen');
  expect(isBot(parse(settings)), JSON.stringify(isBot.errors)).toBe(true);
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { rxjs, zod } = ownManifest.dependencies;
  expect(manifest.name).toBe('mein-bot-fur-borsen');
  expect(manifest.dependencies).toEqual({ millrace: 'file:../millrace.tgz', rxjs, zod });
  const { typescript, vitest, '@types/node': types } = ownManifest.devDependencies;
  expect(manifest.devDependencies).toEqual({ typescript, vitest, '@types/node': types });
  expect(result).toMatchObject({ folder: project, template: 'quoter', installed: false });
});

test('new adds a strategy and its test under its own name', async () => {
  const { project } = await init('more', 'empty');
  const lines = add(project, 'my-maker', 'simple-mm');
  expect(lines).toMatch(/^ {2}my-maker:\n {4}plugin: \.\/strategies\/my-maker\.ts\n/u);
  const code = readFileSync(join(project, 'strategies/my-maker.ts'), 'utf8');
  expect(code).toContain("name: 'my-maker'");
  const check = readFileSync(join(project, 'strategies/my-maker.test.ts'), 'utf8');
  expect(check).toContain("import strategy from './my-maker.ts'");
  const before = readFileSync(join(project, 'millrace.yaml'), 'utf8');
  expect(isBot(parse(`${before}${lines}\n`)), JSON.stringify(isBot.errors)).toBe(true);
  expect(() => add(project, 'my-maker', 'quoter')).toThrow(
    /already there: .*my-maker\.ts and .*; choose/u,
  );
  expect(() => add(project, 'My Maker', 'quoter')).toThrow(/was "My Maker"; allowed: lower-case/u);
  expect(() => add(project, 'other', 'none')).toThrow(/no template none; allowed: .*candles, /u);
  expect(() => add(project, 'other', 'plce')).toThrow(/did you mean place\?$/u);
});

test('strategies lists what new copies of the shipped ones, each with a sentence', () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson: false, stdout, stderr });
  expect(runStrategies({ root, output })).toBe(0);
  const lines = printed(stdout).trimEnd().split('\n');
  const shipped = readdirSync(join(root, 'strategies')).sort();
  expect(lines.slice(0, -1).map((line) => /^\S+/u.exec(line)?.[0])).toEqual(shipped);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^\S+ +[A-Z][^*]{20,}\.$/u);
  expect(lines.find((line) => line.startsWith('simple-mm'))).toMatch(
    / {2}Simple market maker: one bid and one ask, .*, at an equal distance from the mid\.$/u,
  );
});

test('a folder that is not empty, and a file, are refused, and nothing is written', async () => {
  const full = join(folder, 'full');
  mkdirSync(full);
  for (const name of 'abcdefg') writeFileSync(join(full, name), '');
  await expect(init('full')).rejects.toThrow(
    `${full} is not empty, it has a, b, c, d, e and 2 more: name a new folder; in a project, "npx millrace new NAME" adds`,
  );
  expect(readdirSync(full)).toHaveLength(7);
  await expect(init('full/a')).rejects.toThrow(/full\/a is a file: name a new folder/u);
  mkdirSync(join(folder, 'empty'));
  expect((await init('empty')).code).toBe(0);
});

test.each([
  ['123', 'my-bot'],
  ['ÄÖÜ bots!', 'aou-bots'],
  ['-', 'my-bot'],
  ['日本', 'my-bot'],
])('a folder called %s makes the name %s', (name, expected) => {
  const files = projectFiles({
    root,
    folder: join('/x', name),
    template: 'quoter',
    dependency: '^0.1.0',
    manifest: ownManifest,
  });
  expect(JSON.parse(files['package.json'] ?? '').name).toBe(expected);
  expect(files['.npmrc']).toBeUndefined();
});

test('a package names its version, a clone its built package, or how to build it', () => {
  const place = join(folder, 'installation');
  mkdirSync(place);
  expect(ownDependency(place, ownManifest)).toBe(`^${ownManifest.version}`);
  const source = join(place, 'packages/millrace');
  mkdirSync(source, { recursive: true });
  expect(() => ownDependency(place, ownManifest)).toThrow(
    `not built: call "npm run package" in ${place}, or name a package by --package`,
  );
  mkdirSync(join(source, 'dist'));
  expect(ownDependency(place, ownManifest)).toBe(`file:${join(source, 'dist')}`);
});

test('create-millrace depends on the millrace of its own version', () => {
  const file = join(root, 'packages/create-millrace/package.json');
  const { version, dependencies } = JSON.parse(readFileSync(file, 'utf8'));
  expect({ version, dependencies }).toEqual({
    version: ownManifest.version,
    dependencies: { millrace: ownManifest.version },
  });
  expect(dirname(file)).toContain('create-millrace');
});
