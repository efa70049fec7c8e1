/** `npm run check`: types, lint and format, style and structure; fails if any of them fails. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const steps = [
  ['types', 'node_modules/typescript/bin/tsc', '--project', '.', '--noEmit'],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  [
    'style and structure',
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/tidy.test.ts',
    'test/structure.test.ts',
  ],
];

const failed = steps.filter(([name, script, ...args]) => {
  console.log(`-- ${name}`);
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return status !== 0;
});
console.log(failed.length === 0 ? 'check: all good' : `check: failed: ${failed.map(([n]) => n)}`);
process.exit(failed.length === 0 ? 0 : 1);
