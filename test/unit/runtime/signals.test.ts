/** Signals, with a fake `process` and a clock that the test moves. */
import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { watchSignals } from '../../../src/runtime/signals.ts';

let source: EventEmitter;
let nowMicros: number;
let calls: string[];
let end: () => void;

beforeEach(() => {
  source = new EventEmitter();
  nowMicros = 0;
  calls = [];
  end = watchSignals(
    {
      stop: (signal) => calls.push(`stop ${signal}`),
      force: (signal) => calls.push(`force ${signal}`),
      fatal: (error) => calls.push(`fatal ${String(error)}`),
    },
    source,
    { nowMicros: () => nowMicros, monotonicMicros: () => nowMicros },
  );
});

test('one Ctrl-C that arrives three times stops once and forces nothing', () => {
  for (let i = 0; i < 3; i++) source.emit('SIGINT');
  nowMicros = 999_999;
  source.emit('SIGTERM');
  expect(calls).toEqual(['stop SIGINT']);
});

test('a later second signal forces, and a third does nothing more', () => {
  source.emit('SIGTERM');
  nowMicros = 1_000_000;
  source.emit('SIGINT');
  nowMicros = 5_000_000;
  source.emit('SIGINT');
  expect(calls).toEqual(['stop SIGTERM', 'force SIGINT']);
});

test('uncaught errors are fatal', () => {
  source.emit('uncaughtException', new Error('planted'), 'uncaughtException');
  source.emit('unhandledRejection', 'reason', Promise.resolve());
  expect(calls).toEqual(['fatal Error: planted', 'fatal reason']);
});

test('after the end there are no listeners', () => {
  end();
  expect(source.eventNames()).toEqual([]);
});
