/** Lines that wait a moment: written together, in order, and before the process ends. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { DeferredLines, flushDeferredLines, textOf } from '../../../src/runtime/deferred-lines.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

const runtime = join(import.meta.dirname, '../../../src/runtime');

let timers: FakeTimers;
let writes: string[];
beforeEach(() => {
  timers = new FakeTimers();
  writes = [];
});

const linesOf = (name: string) =>
  new DeferredLines(timers, 20, (lines) =>
    writes.push(`${name}: ${lines.map((make) => make()).join(' ')}`),
  );

test('lines are written together when the first has waited', () => {
  const lines = linesOf('one');
  lines.append(() => 'a');
  timers.advance(19);
  lines.append(() => 'b');
  expect(writes).toEqual([]);
  timers.advance(1);
  lines.append(() => 'c');
  timers.advance(20);
  expect(writes).toEqual(['one: a b', 'one: c']);
});

test('a flush writes at once, without a second write later', () => {
  const [one, two] = [linesOf('one'), linesOf('two')];
  one.append(() => 'a');
  one.flush();
  one.flush();
  one.append(() => 'b');
  two.append(() => 'c');
  flushDeferredLines();
  timers.advance(100);
  expect(writes).toEqual(['one: a', 'one: b', 'two: c']);
});

test('a sink that fails does not keep the others from being written', () => {
  const failing = new DeferredLines(timers, 20, () => {
    throw new Error('full');
  });
  const other = linesOf('other');
  failing.append(() => 'a');
  other.append(() => 'b');
  expect(flushDeferredLines).not.toThrow();
  expect(writes).toEqual(['other: b']);
  failing.close();
});

test('many lines are not kept waiting', () => {
  const lines = new DeferredLines(timers, 20, (all) => writes.push(String(all.length)));
  for (let i = 0; i < 40; i++) lines.append(() => 'x');
  expect(writes).toEqual(['33']);
});

test('a long line counts as several', () => {
  const lines = new DeferredLines(timers, 20, (all) => writes.push(String(all.length)));
  for (let i = 0; i < 6; i++) lines.append(() => 'x', 16);
  lines.append(() => 'x');
  expect(writes).toEqual(['3', '3']);
  lines.close();
});

test('a line is made when it is written', () => {
  const lines = new DeferredLines(timers, 20, (all) => writes.push(textOf(all)));
  const made: string[] = [];
  const line = (text: string) => (): string => {
    made.push(text);
    return text;
  };
  lines.append(line('a'));
  lines.append(line('b'));
  timers.advance(19);
  expect(made).toEqual([]);
  timers.advance(1);
  expect([made, writes]).toEqual([['a', 'b'], ['ab']]);
});

test('the end writes what waits', () => {
  const lines = linesOf('one');
  lines.append(() => 'a');
  lines.close();
  expect(writes).toEqual(['one: a']);
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
    import { DeferredLines, textOf } from ${JSON.stringify(join(runtime, 'deferred-lines.ts'))};
    import { createTimers } from ${JSON.stringify(join(runtime, 'timers.ts'))};
    const lines = new DeferredLines(createTimers(), 500, (all) => writeSync(1, textOf(all)));
    lines.append(() => 'one ');
    lines.append(() => 'two');
    ${end}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(String(stdout)).toBe('one two');
});
