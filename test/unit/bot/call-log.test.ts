/** Counting the calls of the last minute: across a restart, a clock set back, a damaged file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { CallLog } from '../../../src/bot/call-log.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

const startMs = Date.UTC(2026, 10, 20);
let nowMs = startMs;
let path: string;

beforeEach(() => {
  nowMs = startMs;
  const folder = mkdtempSync(join(tmpdir(), 'millrace-calls-'));
  path = join(folder, 'bot.sqlite.calls');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function open(timers = new FakeTimers()): CallLog {
  return new CallLog(path, { clock: { nowMicros: () => nowMs * 1000 }, timers });
}

function call(log: CallLog, count: number, everyMs = 0): void {
  for (let i = 0; i < count; i++) {
    expect(log.beforeCall()).toBeUndefined();
    nowMs += everyMs;
  }
}

test('a run knows the calls of the previous minute, even if the last run was killed', () => {
  call(open(), 40, 1_000);
  const next = open();
  expect(next.recentMs()).toHaveLength(40);
  nowMs = startMs + 70_000;
  expect(next.recentMs()[0]).toBe(startMs + 11_000);
  call(next, 5);
  expect(open().recentMs()).toHaveLength(29 + 5);
});

test('more calls than the ring holds replace the oldest', () => {
  const log = open();
  call(log, 700, 100);
  expect(log.recentMs()).toHaveLength(512);
  expect(open().recentMs()).toEqual(log.recentMs());
});

test('calls never count for more than a minute after the clock was set back', () => {
  call(open(), 3);
  nowMs = startMs - 3_600_000;
  expect(open().recentMs()).toEqual([nowMs, nowMs, nowMs]);
});

test.each(['', 'damaged', 'x'.repeat(4_096)])(
  'a damaged file gives only times within the last minute',
  (text) => {
    writeFileSync(path, text);
    const log = open();
    expect(log.recentMs().every((timeMs) => timeMs > nowMs - 60_000 && timeMs <= nowMs)).toBe(true);
    call(log, 2);
    expect(log.recentMs().length).toBeGreaterThanOrEqual(2);
  },
);

test('after pace(), a call waits until the last minute has room', async () => {
  const timers = new FakeTimers();
  const log = open(timers);
  call(log, 290);
  log.pace({ perMinute: 300 });
  const waiting = log.beforeCall();
  expect(waiting).toBeInstanceOf(Promise);
  nowMs += 60_001;
  timers.advance(250);
  await waiting;
  expect(log.recentMs()).toHaveLength(1);
});
