/** The tests on `docs/testing.md`, in a project of their own as a user has it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageText } from '../../support/documents/documents.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');

/** The files of the page: the first line of each names it. */
const files = pageText(page).blocks.flatMap(({ text }) => {
  const name = /^\/\/ ([\w.-]+\.ts)\n/u.exec(text)?.[1];
  return name === undefined ? [] : [{ name, text }];
});

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-testing-page-'));
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'millrace'));
  for (const name of ['rxjs', 'vitest', 'zod', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the page has one test of each kind, and that of a strategy is below 20 lines', () => {
  expect(files.map(({ name }) => name)).toEqual([
    'strategy.ts',
    'strategy.test.ts',
    'recording.test.ts',
    'exchange.test.ts',
  ]);
  const lines = files[1]?.text.trimEnd().split('\n') ?? [];
  expect(lines.length - 1).toBeLessThan(20);
});

test('they pass', () => {
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // A machine that is busy takes longer than the usual limit of 5 s for a test.
  const limits = ['--testTimeout', '120000'];
  const options = ['--root', folder, ...limits, '--reporter', 'json', '--outputFile', report];
  execFileSync(process.execPath, [vitest, 'run', ...options], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    ...{ numPassedTests: 3, numFailedTests: 0, success: true },
  });
});

test('their types fit', () => {
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const { include: _, ...rest } = config;
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...rest, include: ['*.ts'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const check = () => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(check()).toBe('');
  // A wrong member of a command is one line that names it.
  const wrong =
    "startExchange().then((it) => it.control({ kind: 'deposit', account: '1', amount: '1' }))";
  writeFileSync(
    join(folder, 'wrong.ts'),
    `import { startExchange } from 'millrace/testing';\nvoid ${wrong};\n`,
  );
  expect(check).toThrow();
});
