/** Lines that wait a moment: written together, in order, and before the process ends. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeferredLines } from '../../../src/runtime/deferred-lines.ts';
import { FakeTimers } from '../client/fake-timers.ts';

const runtime = join(import.meta.dirname, '../../../src/runtime');

let timers: FakeTimers;
let deferred: DeferredLines;
let writes: string[];
beforeEach(() => {
  timers = new FakeTimers();
  deferred = new DeferredLines(timers);
  writes = [];
});
afterEach(() => deferred.close());

const collectorOf = (name: string) =>
  deferred.collector((lines) => writes.push(`${name}: ${lines.join(' ')}`));

test('the lines of all collectors are written at most 20 ms after the first', () => {
  const [one, two] = [collectorOf('one'), collectorOf('two')];
  one.append('a');
  timers.advance(15);
  two.append('b');
  one.append('c');
  expect(writes).toEqual([]);
  timers.advance(5);
  expect(writes).toEqual(['one: a c', 'two: b']);
  expect(timers.delaysMs).toEqual([]);
});

test('a flush writes at once, without a second write later', () => {
  const one = collectorOf('one');
  one.append('a');
  one.flush();
  one.flush();
  one.append('b');
  deferred.flush();
  timers.advance(100);
  expect(writes).toEqual(['one: a', 'one: b']);
});

test('many characters are not kept waiting', () => {
  const one = deferred.collector((lines) => writes.push(String(lines.length)));
  for (let i = 0; i < 5; i++) one.append('x'.repeat(100_000));
  expect(writes).toEqual(['3']);
});

test('after the end each line is written at once', () => {
  const one = collectorOf('one');
  one.append('a');
  deferred.close();
  one.append('b');
  expect(writes).toEqual(['one: a', 'one: b']);
  expect(timers.delaysMs).toEqual([]);
});

test.each([
  ['its end', ''],
  ['process.exit', 'process.exit(0);'],
  ['an uncaught error', 'throw new Error();'],
  ['an unhandled rejection', 'await Promise.reject(new Error());'],
  ['an exit in a later turn', 'setImmediate(() => process.exit(0)); await new Promise(() => {});'],
])('lines that wait are written before the process ends, by %s', (_how, end) => {
  const script = `
    import { writeSync } from 'node:fs';
    import { DeferredLines } from ${JSON.stringify(join(runtime, 'deferred-lines.ts'))};
    import { createTimers } from ${JSON.stringify(join(runtime, 'timers.ts'))};
    const lines = new DeferredLines(createTimers()).collector((all) => writeSync(1, all.join('')));
    lines.append('one ');
    lines.append('two');
    ${end}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(String(stdout)).toBe('one two');
});
