/**
 * `npm run check`: types, lint and format, style and structure; fails if any of them fails. With
 * arguments, only lint and format, with these: `npm run check -- --write strategies/yours`.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const given = process.argv.slice(2);
const tsc = 'node_modules/typescript/bin/tsc';
const biome = 'node_modules/@biomejs/biome/bin/biome';
const lint = ['lint and format', biome, 'check', '--error-on-warnings', ...given];
const all = [
  ['types', tsc, '--project', '.', '--noEmit'],
  ['types of the page', tsc, '--project', 'src/page', '--noEmit'],
  lint,
  [
    'style and structure',
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/tidy.test.ts',
    'test/structure.test.ts',
  ],
];

const failed = (given.length === 0 ? all : [lint]).filter(([name, script, ...args]) => {
  console.log(`-- ${name}`);
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return status !== 0;
});
console.log(failed.length === 0 ? 'check: all good' : `check: failed: ${failed.map(([n]) => n)}`);
process.exit(failed.length === 0 ? 0 : 1);
