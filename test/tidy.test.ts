/**
 * The style, executable: layout, imports, bans, sizes, dependencies and the table of errors.
 * The rules are data in `support/tidy-rules.ts`; the second half shows that each of them can fail.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeTextOf } from './support/code-text.ts';
import {
  folderRules,
  importsOf,
  packageRules,
  rootFileRules,
  rootFolders,
  type SourceFile,
  testFolders,
  violationsIn,
} from './support/tidy-rules.ts';

const root = path.dirname(import.meta.dirname);
const isDirectory = (entry: fs.Dirent): boolean => entry.isDirectory();
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

function sourceFiles(): SourceFile[] {
  const files = ['src', 'strategies', 'test'].flatMap((top) =>
    namesIn(top, () => true).length === 0
      ? []
      : fs
          .readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
          .map((name) => path.posix.join(top, name.replaceAll(path.sep, '/')))
          .filter((file) => /\.(?:ts|mjs|js)$/u.test(file))
          .filter((file) => !/\/(?:node_modules|fixtures)\//u.test(file)),
  );
  return files.map((file) => ({ file, text: readText(file) }));
}
const sources = sourceFiles();

describe('the tree', () => {
  test('follows the layout', () => {
    const ignored = ['node_modules', 'dist', 'data', 'coverage'];
    const top = namesIn('.', isDirectory).filter((name) => !name.startsWith('.'));
    expect(top.filter((name) => ![...rootFolders, ...ignored].includes(name))).toEqual([]);
    expect(namesIn('src', isDirectory).filter((name) => !(name in folderRules))).toEqual([]);
    const files = namesIn('src', (entry) => entry.isFile());
    expect(files.filter((name) => !(name in rootFileRules))).toEqual([]);
    expect(namesIn('test', isDirectory).filter((name) => !testFolders.includes(name))).toEqual([]);
  });

  test('keeps the style in every file', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap(violationsIn)).toEqual([]);
  });

  test('has each folder of src in the drawing, once there is one', () => {
    if (!exists('docs/architecture.md')) return;
    const drawing = readText('docs/architecture.md');
    const folders = namesIn('src', isDirectory);
    expect(folders.filter((name) => !drawing.includes(`${name}/`))).toEqual([]);
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
      ([, line]) => !line.startsWith('exec node src/launch.mjs '),
    );
    expect(indirect).toEqual([]);
  });

  test('have exact versions and a reason in docs/decisions.md', () => {
    const all = [...versions('dependencies'), ...versions('devDependencies')];
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual([]);
    const decisions = readText('docs/decisions.md');
    expect(all.filter(([name]) => !decisions.includes(`\`${name}\``))).toEqual([]);
    const confined = versions('dependencies').filter(([name]) => !(name in packageRules));
    expect(confined).toEqual([]);
  });

  test('come from the registry, by hash, and only node may run an install script', () => {
    const outside = locked.filter(
      ([, { integrity, resolved = 'https://registry.npmjs.org/' }]) =>
        integrity === undefined || !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(outside).toEqual([]);
    // fsevents is optional, for macOS only, and ships its binary; its script is never run.
    const scripted = locked.filter(([, entry]) => entry.hasInstallScript === true);
    const names = scripted.map(([where]) => where).filter((where) => !/\/fsevents$/u.test(where));
    expect(names).toEqual(['node_modules/node']);
    expect(manifest['allowScripts']).toEqual({ node: true });
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
  [
    'src/domain/a.ts',
    "import { b } from '../market/b.ts';",
    /domain may not import anything of mar/u,
  ],
  ['src/risk/a.ts', "export * from '../client/b.ts';", /risk may not import anything of client/u],
  ['src/risk/a.ts', "export type { B } from '../domain/b.ts';", undefined],
  ['src/engine/a.ts', "const c = await import('../client/c.ts');", /engine may not .* client/u],
  ['src/engine/a.ts', "import type { S } from '../store/store.ts';", undefined],
  ['src/engine/a.ts', "import { S } from '../store/store.ts';", /anything but types of store/u],
  [
    'src/engine/a.ts',
    "import {\n  a,\n  b,\n} from '../bot/x.ts';",
    /:2: engine may not .* of bot/u,
  ],
  ['src/engine/a.ts', "import { x } from '../../test/support/x.ts';", /src may not import test/u],
  ['src/bot/a.ts', "import '../engine/x.ts';", undefined],
  ['src/strategy/a.ts', "import '../risk/x.ts';", /strategy may not import anything of risk/u],
  ['src/nowhere/a.ts', "import '../domain/x.ts';", /nowhere is not in the layout/u],
  ['strategies/mm/a.ts', "import { d } from '../../src/index.ts'; import 'rxjs';", undefined],
  [
    'strategies/mm/a.ts',
    "import { d } from '../../src/domain/money.ts';",
    /a strategy may import/u,
  ],
  ['strategies/mm/a.ts', "import { d } from '../other/b.ts';", /its own files, not strategies/u],
  ['src/engine/a.ts', "import { request } from 'undici';", /engine may not import undici/u],
  ['src/bot/a.ts', "import sqlite from 'better-sqlite3';", /bot may not import better-sqlite3/u],
  ['src/client/a.ts', "import { x } from 'left-pad/sub';", /left-pad is not in the table/u],
  ['src/client/a.ts', "import type * as z from 'zod';", undefined],
  ['src/client/a.ts', "import * as z from 'zod';", /client may not import zod/u],
  ['src/risk/a.ts', "import http from 'node:http';", /risk may not import node:http/u],
  ['src/engine/a.ts', 'const t = Date.now();', /a Clock/u],
  ['src/engine/a.ts', 'const t = new Date( );', /a Clock/u],
  ['src/engine/a.ts', 'const t = new Date(0);', undefined],
  ['src/runtime/a.ts', 'const t = Date.now();', undefined],
  ['src/engine/a.ts', `const text = \`now \${performance.now()} and then\`;`, /a Clock/u],
  ['src/simulator/a.ts', 'const id = crypto.randomUUID();', /a Random/u],
  ['strategies/mm/a.ts', 'const r = Math.random();', /a Random/u],
  ['src/client/a.ts', 'setTimeout(f, 1);', /Timers/u],
  ['test/unit/a.test.ts', 'setTimeout(f, 1);', undefined],
  ['src/risk/a.ts', 'const price = Number(text);', /money/u],
  ['src/risk/a.ts', 'const prices = texts.map(Number);', /money/u],
  ['src/risk/a.ts', 'const price = decimal.toNumber();', /money/u],
  ['src/risk/a.ts', 'const port = Number(text); // Not money: a port.', undefined],
  ['src/risk/a.ts', 'const ok = Number.isSafeInteger(a);', undefined],
  ['src/settings/a.ts', 'const x = parseFloat(text);', /money/u],
  ['src/client/a.ts', 'function f(x: any): void {}', /unknown and a decoder/u],
  ['test/unit/a.test.ts', 'const x = y as any;', /unknown and a decoder/u],
  ['src/client/a.ts', 'const m = new Map<string, any>();', /unknown and a decoder/u],
  ['src/client/a.ts', "// as any would be: any evil\nconst s = 'x: any';", undefined],
  ['src/market/a.ts', 's.pipe(observeOn(asyncScheduler));', /virtual time/u],
  ['src/engine/a.ts', 'const answer = fetch(url);', /the client/u],
  ['src/store/a.ts', "process.on('exit', f);", /runtime/u],
  ['src/store/a.ts', "const home = process.env['HOME'];", /runtime/u],
  ['src/store/a.ts', 'mkdirSync(folder, { recursive: true });', /makeFolder/u],
  ['src/risk/a.ts', 'enum Side { Buy }', /union of literals/u],
  ['src/risk/a.ts', `// ${'TO'}DO later`, /an issue/u],
  ['src/risk/a.ts', `// @ts-${'ignore'}`, /a type that is true/u],
  ['src/risk/a.ts', `const a = '${'x'.repeat(160)}';`, /173 columns/u],
  ['src/risk/a.ts', '\n'.repeat(400), /402 lines, at most 400/u],
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

  test('see code inside a template and no code inside quotes, comments and patterns', () => {
    const text =
      "a(`x $+b({ c: `$+d}` })} y`); /['\"`]/u.test(e); f('g'); // h\n/* i */ j / k / l;";
    const words = codeTextOf(text.replaceAll('$+', '${')).bare.match(/[a-z]+/gu);
    expect(words).toEqual(['a', 'b', 'c', 'd', 'test', 'e', 'f', 'j', 'k', 'l']);
  });

  test('find each way to import', () => {
    const text = "import a from 'b';\nexport { c } from 'd';\n// from 'no'\nawait import('e');";
    expect(importsOf(text)).toEqual([
      { from: 'b', isType: false, line: 1 },
      { from: 'd', isType: false, line: 2 },
      { from: 'e', isType: false, line: 4 },
    ]);
  });
});
