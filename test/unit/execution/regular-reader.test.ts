/** How often something is read: once for requests that come together, and less while it is busy. */
import { expect, test } from 'vitest';
import { Demand } from '../../../src/execution/requests/demand.ts';
import { type Procedure, wait } from '../../../src/execution/requests/procedure.ts';
import { RegularReader } from '../../../src/execution/requests/regular-reader.ts';
import { ExecutionFixture } from './execution-fixture.ts';

const cycle = { idleMs: 60_000, debounceMs: 100, calls: 1, spacingMs: 700 };

/** Starts a reader that is given work; returns the times of its passes since then. */
function begin(hasRoom = true) {
  const desk = new ExecutionFixture();
  const demand = new Demand();
  const startMs = desk.nowMs;
  const passes: number[] = [];
  function* pass(): Procedure<boolean> {
    passes.push(desk.nowMs - startMs);
    yield* wait(1);
    return true;
  }
  const reader = new RegularReader({
    ...{ demand, cycle, pass, isSettled: () => true, pauses: undefined },
    ...{ busyMs: 5_000, hasRoom: () => hasRoom },
  });
  desk.spawn(reader.run());
  return { demand, passes, pass: (ms: number) => desk.advance(ms) };
}

test('a request that comes before the call leaves is served by that call', () => {
  const { demand, passes, pass } = begin();
  demand.ask();
  pass(60);
  demand.ask();
  pass(10_000);
  expect(passes).toEqual([100]);
});

test('a request that comes after the call left is served by another', () => {
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
