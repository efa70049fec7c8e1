/**
 * The style, executable: folders, bans, sizes, dependencies and the table of errors. Its rules are
 * data in `support/tidy-rules.ts`; the second half shows that each of them can fail. Which folder
 * may import what is in `structure.test.ts`.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeTextOf } from './support/code-text.ts';
import { layout } from './support/layout.ts';
import { shippedPlugins, sourceFilesIn } from './support/source-files.ts';
import { unusedExceptions, violationsIn } from './support/tidy-rules.ts';

const root = path.dirname(import.meta.dirname);
const isDirectory = (entry: fs.Dirent): boolean => entry.isDirectory();
const isFile = (entry: fs.Dirent): boolean => entry.isFile();
const namesIn = (folder: string, keep: (entry: fs.Dirent) => boolean): string[] => {
  const whole = path.join(root, folder);
  if (!fs.existsSync(whole)) return [];
  return fs
    .readdirSync(whole, { withFileTypes: true })
    .filter(keep)
    .map((entry) => entry.name);
};
const readText = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const exists = (file: string): boolean => fs.existsSync(path.join(root, file));

const sources = sourceFilesIn(root);

const rootFolders = [
  ...['src', 'strategies', 'config', 'backtests', 'test', 'docs', 'packages', 'templates'],
];
const testFolders = [
  ...['unit', 'property', 'contract', 'scenario', 'simulation', 'fixtures', 'support', 'prove'],
];

describe('the tree', () => {
  test('follows the layout', () => {
    const ignored = ['node_modules', 'dist', 'data', 'coverage'];
    const top = namesIn('.', isDirectory).filter((name) => !name.startsWith('.'));
    expect(top.filter((name) => !ignored.includes(name)).sort()).toEqual([...rootFolders].sort());
    expect(namesIn('test', isDirectory).sort()).toEqual([...testFolders].sort());
  });

  test('keeps the style in every file', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap(violationsIn)).toEqual([]);
  });

  test('has each folder of src in the drawing, once there is one', () => {
    if (!exists('docs/internals/architecture.md')) return;
    const drawing = readText('docs/internals/architecture.md');
    const folders = namesIn('src', isDirectory);
    expect(folders.filter((name) => !drawing.includes(`${name}/`))).toEqual([]);
  });

  test('names only files that exist in docs/internals/architecture.md', () => {
    const named =
      readText('docs/internals/architecture.md').match(/\b(?:src|test)\/[\w/.-]+\.ts\b/gu) ?? [];
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((file) => !exists(file))).toEqual([]);
  });

  test('has every code of an error in docs/errors.md, and no other', () => {
    if (!exists('docs/errors.md')) return;
    const code = /\bMR_[A-Z0-9_]+\b/gu;
    const shipped = sources.filter(({ file }) => /^(?:src|strategies)\//u.test(file));
    const thrown = new Set(shipped.flatMap(({ text }) => text.match(code) ?? []));
    const documented = new Set(readText('docs/errors.md').match(code) ?? []);
    expect([...documented].sort()).toEqual([...thrown].sort());
  });
});

test('no document and no message leads to npx for anything but millrace, because it may run an unrelated package of the name', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...namesIn('docs', isFile)];
  const texts = documents.map((name) => readText(exists(name) ? name : `docs/${name}`));
  const shipped = sources.filter(({ file }) => /^(?:src|strategies)\//u.test(file));
  expect([...texts, ...shipped.map(({ text }) => text)].join('\n')).not.toMatch(
    /\bnpx (?!millrace\b)/u,
  );
});

describe('the dependencies', () => {
  type Manifest = { [group: string]: unknown };
  const manifest: Manifest = JSON.parse(readText('package.json'));
  const versions = (group: string): [string, string][] =>
    Object.entries((manifest[group] ?? {}) as Record<string, string>);
  type Locked = {
    integrity?: string;
    resolved?: string;
    hasInstallScript?: boolean;
    os?: string[];
  };
  const lockfile: { packages: Record<string, Locked> } = JSON.parse(readText('package-lock.json'));
  const locked = Object.entries(lockfile.packages).filter(([where]) => where !== '');

  test('start by the launcher, in place of the shell that npm starts', () => {
    const indirect = versions('scripts').filter(
      ([, line]) => !line.startsWith('exec node src/check-node.mjs '),
    );
    expect(indirect).toEqual([]);
  });

  test('have exact versions and a reason in docs/internals/decisions/dependencies.md', () => {
    const kinds = ['dependencies', 'optionalDependencies', 'devDependencies'];
    const all = kinds.flatMap((kind) => versions(kind));
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual([]);
    const decisions = readText('docs/internals/decisions/dependencies.md');
    expect(all.filter(([name]) => !decisions.includes(`\`${name}\``))).toEqual([]);
    const confined = versions('dependencies').filter(([name]) => !(name in layout.packages));
    expect(confined).toEqual([]);
  });

  test('come from the registry, by hash, and none has an install script', () => {
    const outside = locked.filter(
      ([, { integrity, resolved = 'https://registry.npmjs.org/' }]) =>
        integrity === undefined || !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(outside).toEqual([]);
    // fsevents is optional, for macOS only, and ships its binary; its script is never run.
    const scripted = locked.filter(([, entry]) => entry.hasInstallScript === true);
    const names = scripted.map(([where]) => where).filter((where) => !/\/fsevents$/u.test(where));
    expect(names).toEqual([]);
    expect(readText('.npmrc')).toMatch(/^ignore-scripts=true$/mu);
  });

  test('have every optional platform package in the lockfile, or npm ci would refuse', () => {
    type WithOptional = { optionalDependencies?: Record<string, string> };
    const wanted = locked.flatMap(([, entry]) =>
      Object.keys((entry as WithOptional).optionalDependencies ?? {}),
    );
    const present = new Set(locked.map(([where]) => where.replace(/^.*node_modules\//u, '')));
    expect(wanted.filter((name) => !present.has(name))).toEqual([]);
  });
});

const header = '/** Planted. */\n';
const plants: readonly (readonly [file: string, code: string, complaint: RegExp | undefined])[] = [
  ['src/engine/a.ts', 'const t = Date.now();', /a Clock/u],
  ['src/engine/a.ts', 'const t = new Date( );', /a Clock/u],
  ['src/engine/a.ts', 'const t = new Date(0);', undefined],
  ['src/runtime/a.ts', 'const t = Date.now();', undefined],
  ['src/engine/a.ts', `const text = \`now \${performance.now()} and then\`;`, /a Clock/u],
  ['src/venues/luno/simulator/a.ts', 'const id = crypto.randomUUID();', /a Random/u],
  ['strategies/mm/a.ts', 'const r = Math.random();', /a Random/u],
  ['src/venues/luno/client/a.ts', 'setTimeout(f, 1);', /Timers/u],
  ['test/unit/a.test.ts', 'setTimeout(f, 1);', undefined],
  ['src/risk/a.ts', 'const price = Number(text);', /money/u],
  ['src/risk/a.ts', 'const prices = texts.map(Number);', /money/u],
  ['src/risk/a.ts', 'const price = decimal.toNumber();', /money/u],
  ['src/risk/a.ts', 'const port = Number(text); // Not money: a port.', undefined],
  ['src/risk/a.ts', 'const ok = Number.isSafeInteger(a);', undefined],
  ['src/settings/a.ts', 'const x = parseFloat(text);', /money/u],
  ['src/venues/luno/client/a.ts', 'function f(x: any): void {}', /unknown and a decoder/u],
  ['test/unit/a.test.ts', 'const x = y as any;', /unknown and a decoder/u],
  ['src/venues/luno/client/a.ts', 'const m = new Map<string, any>();', /unknown and a decoder/u],
  ['src/venues/luno/client/a.ts', "// as any would be: any evil\nconst s = 'x: any';", undefined],
  ['src/market/a.ts', 's.pipe(observeOn(asyncScheduler));', /virtual time/u],
  ['src/engine/a.ts', 'const answer = fetch(url);', /the client/u],
  ['src/store/a.ts', "process.on('exit', f);", /runtime/u],
  ['src/store/a.ts', "const home = process.env['HOME'];", /runtime/u],
  ['src/store/a.ts', 'mkdirSync(folder, { recursive: true });', /makeFolder/u],
  ['src/risk/a.ts', 'class A { get #sum() { return 1; } }', /a private method/u],
  ['src/risk/a.ts', 'class A { get sum() { return 1; } #sum() {} }', undefined],
  ['src/risk/a.ts', 'enum Side { Buy }', /union of literals/u],
  ['src/risk/a.ts', `// ${'TO'}DO later`, /an issue/u],
  ['src/risk/a.ts', `// @ts-${'ignore'}`, /a type that is true/u],
  ['src/risk/a.ts', `const a = '${'x'.repeat(160)}';`, /173 columns/u],
  ['src/risk/types.ts', '', /main export/u],
  ['src/risk/orderSize.ts', '', /kebab-case/u],
  ['src/risk/check-size.ts', 'export const a = 1;', undefined],
];

describe('the rules', () => {
  test.each(plants)('judge %s with %j', (file, code, complaint) => {
    const found = violationsIn({ file, text: `${header}${code}\n` });
    if (complaint === undefined) expect(found).toEqual([]);
    else expect(found.join('\n')).toMatch(complaint);
  });

  test('miss a header', () => {
    const found = violationsIn({ file: 'src/risk/a.ts', text: 'export const a = 1;\n' });
    expect(found.join('\n')).toMatch(/header comment/u);
  });

  test('know which exceptions no file needs', () => {
    const clock = { file: 'src/runtime/clock.ts', text: 'const t = Date.now();\n' };
    const port = {
      file: 'src/venues/luno/client/a.ts',
      text: 'const p = Number(text); // Not money.\n',
    };
    const unused = unusedExceptions([clock, port]);
    expect(unused).toContain(
      'src/run-script.mjs needs no exception from the ban that says to use a Clock from runtime',
    );
    expect(unused).not.toContain(
      'src/runtime/ needs no exception from the ban that says to use a Clock from runtime',
    );
    expect(unused.join('\n')).not.toMatch(/no comment is needed/u);
    expect(unusedExceptions([]).join('\n')).toMatch(
      /no comment is needed that matches .not money/u,
    );
  });

  test('see code inside a template and no code inside quotes, comments and patterns', () => {
    const text =
      "a(`x $+b({ c: `$+d}` })} y`); /['\"`]/u.test(e); f('g'); // h\n/* i */ j / k / l;";
    const words = codeTextOf(text.replaceAll('$+', '${')).bare.match(/[a-z]+/gu);
    expect(words).toEqual(['a', 'b', 'c', 'd', 'test', 'e', 'f', 'j', 'k', 'l']);
  });
});

test("a user's plugin beside the shipped ones is judged neither by these rules nor by Biome", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-tidy-'));
  for (const name of [
    'src',
    'packages',
    'test',
    ...[...shippedPlugins, 'yours'].map((one) => `strategies/${one}`),
  ]) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    fs.writeFileSync(path.join(folder, name, 'strategy.ts'), 'export default Date.now()');
  }
  const files = sourceFilesIn(folder).map(({ file }) => file);
  fs.rmSync(folder, { recursive: true });
  expect(files.filter((file) => file.includes('yours'))).toEqual([]);
  expect(files).toHaveLength(3 + shippedPlugins.length);
  const judged = JSON.parse(readText('biome.json')).files.includes as readonly string[];
  expect(judged.filter((one) => one.startsWith('strategies')).sort()).toEqual(
    shippedPlugins.map((name) => `strategies/${name}/**`),
  );
});
