/** `millrace interface`: the table, the JSON, and the two generated files in `docs`. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runInterface } from '../../../src/cli/commands/interface-command.ts';
import { strategyPage } from '../../../src/cli/reference/strategy-page.ts';
import { Output } from '../../../src/terminal/output.ts';
import { changeList } from '../../../src/venues/luno/api/change-list.ts';
import { errorCodes } from '../../../src/venues/luno/api/error-codes.ts';
import type { Operation } from '../../../src/venues/luno/api/operation.ts';
import { operations } from '../../../src/venues/luno/api/operations.ts';
import { openApiDocument } from '../../../src/venues/luno/reference/openapi.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

const all = Object.values<Operation>(operations);

function run(isJson: boolean, write?: string): string {
  let text = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk);
      done();
    },
  });
  const output = new Output({ workspace, isJson, stdout: stream, stderr: stream });
  expect(runInterface({ workspace, write, output })).toBe(0);
  return text;
}

/** What `--write` writes, by its path in a new folder. */
function filesWritten(): Readonly<Record<string, string>> {
  const folder = join(mkdtempSync(join(tmpdir(), 'millrace-reference-')), 'new');
  const { written: paths } = JSON.parse(run(true, folder)) as { readonly written: string[] };
  const files = paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]);
  rmSync(dirname(folder), { recursive: true });
  return Object.fromEntries(files);
}

const written = filesWritten();

test('each member of the strategy contract has a line of use', () => {
  const page = strategyPage((file) => readFileSync(join(packageRoot, file), 'utf8'));
  const tables = page.split('\n## ').filter((section) => section.includes('\n| member | '));
  const without = tables
    .filter((table) => !/^(?:ParameterValues|QuotedOrder)\n/u.test(table))
    .flatMap((table) =>
      table
        .split('\n')
        .filter((row) => row.startsWith('| `') && !/ \| `+ ?\S.*`+ \|$/u.test(row))
        .map((row) => `${table.split('\n')[0]}: ${row}`),
    );
  expect(tables.length).toBeGreaterThan(15);
  expect(without).toEqual([]);
});

test('--json prints an array with one object per operation', () => {
  const rows = JSON.parse(run(true)) as readonly Readonly<Record<string, unknown>>[];
  expect(rows.map((row) => row['name']).sort()).toEqual(all.map((one) => one.name).sort());
  for (const row of rows)
    expect(row).toEqual({
      name: expect.any(String),
      document: expect.stringMatching(/^(?:exchange|wallet)$/u),
      method: expect.stringMatching(/^(?:GET|POST|PUT|DELETE)$/u),
      path: expect.stringMatching(/^\/api\//u),
      aliases: expect.any(Array),
      permission: expect.stringMatching(/^(?:(?:Perm|MP)_\w+|none)$/u),
      client: true,
      simulator: true,
      source: expect.stringMatching(/^(?:document|facts|ours)$/u),
    });
  const users = rows.find((row) => row['name'] === 'linkedUsers');
  expect(users).toMatchObject({ path: '/api/1/users/linked', aliases: ['/api/1/users/list'] });
});

test('without --json it prints a table with one line per operation', () => {
  const lines = run(false).trimEnd().split('\n');
  expect(lines).toHaveLength(all.length + 1);
  expect(lines.find((line) => line.startsWith('postorder '))).toMatch(
    /exchange +POST +\/api\/1\/postorder +Perm_W_Orders +document$/u,
  );
});

describe('the pages in docs are current; write them by: npm run millrace -- interface --write docs', () => {
  test.each(Object.entries(written))('%s', (name, text) => {
    const path = join(packageRoot, 'docs', name);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8') === text).toBe(true);
  });
});

test('the reference names every operation, parameter, error code and change', () => {
  const page = written['reference.md'] ?? '';
  for (const { name, method, path, parameters, description } of all) {
    expect(page).toContain(`### ${name}\n\n\`${method} ${path}\``);
    expect(page).toContain(description);
    for (const parameter of Object.keys(parameters)) expect(page).toContain(parameter);
  }
  for (const code of Object.keys(errorCodes)) expect(page).toContain(`| ${code} | `);
  for (const { date, change } of changeList) expect(page).toContain(`| ${date} | ${change} | `);
});

describe('the strategy API', () => {
  const page = written['strategy-api.md'] ?? '';

  test('has a section for every name that a strategy may import', () => {
    const entry = readFileSync(join(packageRoot, 'src/index.ts'), 'utf8');
    const names = [...entry.matchAll(/\{([^}]*)\} from/gu)]
      .flatMap(([, list]) => (list as string).split(','))
      .map((name) => name.trim().replace(/^type /u, ''))
      .filter((name) => name !== '');
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) expect(page).toContain(`\n## ${name}\n`);
  });

  test('shows members with their comments, unions as code, functions without their bodies', () => {
    const files: Readonly<Record<string, string>> = {
      'src/index.ts':
        "export { type A, b } from './strategy/contract.ts';\nexport type { C } from './c.ts';",
      'src/strategy/contract.ts':
        '/** Head. */\n\n/** An A. */\nexport type A = {\n  /** One. */\n  readonly one: 1 | 2;\n' +
        '  two(\n    x: number,\n  ): void;\n};\n\n/** Does {@link A}. */\nexport function b(): A {\n  return a;\n}\n',
      'src/c.ts': "export type C =\n  | 'd' // Why.\n  | 'e'; // Last.\n\nconst hidden = 1;\n",
      'test/prove/contract/in-use/given.ts':
        'export const given = {\n  A: {\n    one: (a) => a.one,\n    two: (a) =>\n      a.two(\n        1,\n      ),\n  },\n};\n',
      'test/prove/contract/in-use/written.ts':
        'export const written = {\n};\nexport const calls = {\n  b: () => b().one,\n};\nexport const intents = {\n};\n',
    };
    const small = strategyPage((file) => files[file] ?? '');
    expect(small).toContain('## A\n\nAn A.\n\n| member | meaning | in use |');
    expect(small).toContain(
      '| `one: 1 \\| 2` | One. | `a.one` |\n| `two(x: number): void` |  | `a.two(1)` |',
    );
    expect(small).toContain('Does `A`.\n\n```ts\nfunction b(): A\n```\n\nIn use: `b().one`');
    expect(small).toContain("type C =\n  | 'd' // Why.\n  | 'e'; // Last.\n```");
    expect(small).not.toContain('hidden');
    expect(() => strategyPage((file) => (file === 'src/c.ts' ? '' : (files[file] ?? '')))).toThrow(
      'src/c.ts declares no C',
    );
  });
});

type Item = {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
};
type Document = {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Item>>>>;
};

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
  const items = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]) => ({ path, method, item })),
  );
  test('is of version 3.1 and describes interface 1.2.5', () => {
    expect(document.openapi).toMatch(/^3\.1\./u);
    expect(document.info.version).toBe('1.2.5');
  });
  test('has every operation at its path and its aliases, each with an id of its own', () => {
    const places = all.flatMap(({ method, path, aliases }) =>
      [path, ...aliases].map((one) => `${method} ${one.replace(/:(\w+)/gu, '{$1}')}`),
    );
    expect(items.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      places.sort(),
    );
    expect(new Set(items.map(({ item }) => item.operationId)).size).toBe(items.length);
  });
  test('declares every part of a path as a parameter', () => {
    for (const { path, item } of items) {
      const inPath = item.parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect([...path.matchAll(/\{(\w+)\}/gu)].map((match) => match[1])).toEqual(inPath);
    }
  });
  test('gives every operation an answer and every refusal its status', () => {
    for (const { item } of items) {
      const [name = ''] = item.operationId.split('_');
      const operation = operations[name as keyof typeof operations] as Operation;
      const statuses = Object.keys(item.responses);
      expect(statuses).toContain('200');
      for (const code of operation.errors)
        expect(statuses).toContain(String(errorCodes[code].status));
    }
  });
  test('has no dangling reference', () => {
    const references = JSON.stringify(document).match(/"\$ref":"#[^"]+"/gu) ?? [];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const parts = (/#\/(.+)"/u.exec(reference)?.[1] ?? '').split('/');
      let node: unknown = document;
      for (const part of parts) node = (node as Readonly<Record<string, unknown>>)[part];
      expect(node).toBeDefined();
    }
  });
});

test('a file that cannot be written is reported with its path, and leaves no partial file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-interface-'));
  const page = join(folder, 'reference.md');
  mkdirSync(page);
  expect(() => run(false, folder)).toThrow(
    expect.objectContaining({
      code: 'MR_STORE',
      message: expect.stringContaining(`${page} cannot be written: EISDIR`),
    }),
  );
  expect(readdirSync(folder)).toEqual(['reference.md']);
  rmSync(folder, { recursive: true });
});
