/** A reader reads once for requests that come together, and less often while calls are scarce. */
import { expect, test } from 'vitest';
import { Demand } from '../../../src/execution/requests/demand.ts';
import { type Procedure, wait } from '../../../src/execution/requests/procedure.ts';
import { RegularReader } from '../../../src/execution/requests/regular-reader.ts';
import { ExecutionFixture } from './execution-fixture.ts';

const read = { idleMs: 60_000, spacingMs: 700, busyMs: 5_000, calls: 1 };

/** Starts a reader; returns the times of its passes, in milliseconds since the start. */
function begin(hasRoom = true) {
  const fixture = new ExecutionFixture();
  const demand = new Demand();
  const startMs = fixture.nowMs;
  const passes: number[] = [];
  function* pass(): Procedure<boolean> {
    passes.push(fixture.nowMs - startMs);
    yield* wait(1);
    return true;
  }
  const reader = new RegularReader({
    ...{ plan: fixture.orders.reads, demand, read, debounceMs: 100, pass },
    hasRoom: () => hasRoom,
  });
  fixture.spawn(reader.run());
  return { demand, passes, pass: (ms: number) => fixture.advance(ms) };
}

test('a request before the call is sent is served by that call', () => {
  const { demand, passes, pass } = begin();
  demand.ask();
  pass(60);
  demand.ask();
  pass(10_000);
  expect(passes).toEqual([100]);
});

test('a request after the call was sent is served by another call', () => {
  const { demand, passes, pass } = begin();
  demand.ask();
  pass(150);
  demand.ask();
  pass(10_000);
  expect(passes).toEqual([100, 901]);
});

test('passes are further apart while calls are needed elsewhere', () => {
  const { demand, passes, pass } = begin(false);
  demand.ask();
  pass(150);
  demand.ask();
  pass(10_000);
  expect(passes).toEqual([100, 5_901]);
});
