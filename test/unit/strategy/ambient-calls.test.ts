/** Calls in a plugin's source that a replay cannot repeat, found by reading the text. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ambientCalls } from '../../../src/strategy/ambient-calls.ts';
import { readModule } from '../../../src/strategy/module-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-ambient-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function foundIn(text: string): Promise<readonly string[]> {
  const file = join(folder, 'strategy.ts');
  writeFileSync(file, text);
  return ambientCalls([await readModule(file)]).map(({ what, line }) => `${line} ${what}`);
}

test('reports clocks, random numbers, timers, the process and the network with their lines', async () => {
  const text = `const a = Date.now();
const b = new Date();
const c = Math.random() + performance.now();
setTimeout(() => {}, 1); // setInterval in a comment
const d = process.env.HOME ?? process.hrtime();
void fetch('http://127.0.0.1');
const e = crypto.randomUUID() + Date();`;
  expect(await foundIn(text)).toEqual([
    '1 Date.now',
    '2 new Date()',
    ...['3 performance.now', '3 Math.random'],
    '4 setTimeout',
    ...['5 process.hrtime', '5 process.env'],
    '6 fetch',
    ...['7 Date()', '7 crypto.randomUUID'],
  ]);
});

test('does not report what a replay can repeat', async () => {
  const text = `import { timer } from 'rxjs';
/* Date.now() */
const at = new Date(context.nowMs()).toISOString();
const roll = context.random();
const update = { date: at, fetched: market.fetch(), preprocess: processed };`;
  expect(await foundIn(text)).toEqual([]);
});
