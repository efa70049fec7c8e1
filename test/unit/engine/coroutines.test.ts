/** Procedures are resumed once, in order, by an answer, the time or a signal. */
import { describe, expect, test } from 'vitest';
import { Coroutines } from '../../../src/engine/coroutines.ts';
import { TimerQueue } from '../../../src/engine/timer-queue.ts';
import { Demand } from '../../../src/execution/requests/demand.ts';
import { call, type Procedure, Signal, wait } from '../../../src/execution/requests/procedure.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';

function setUp() {
  const timers = new TimerQueue();
  const world = { nowMicros: 0, answers: [] as ((reply: VenueReply) => void)[] };
  const coroutines = new Coroutines({
    timers,
    nowMicros: () => world.nowMicros,
    calls: {
      enqueue: (call) => world.answers.push((reply) => call.resume(reply)),
      withdraw: () => {},
    },
  });
  const advance = (micros: number): void => {
    world.nowMicros = micros;
    timers.runDue(micros);
  };
  return { coroutines, timers, world, advance };
}

const read = { priority: 'read', request: () => ({ kind: 'balances' }) as const } as const;
const done: VenueReply = { kind: 'not-sent', why: 'test' };

describe('coroutines', () => {
  test('run to their first yield at once, and then wait for the answer to each call', () => {
    const { coroutines, world } = setUp();
    const log: string[] = [];
    coroutines.spawn(
      (function* (): Procedure {
        log.push('started');
        log.push((yield* call(read)).kind);
        log.push((yield* call(read)).kind);
      })(),
    );
    expect(log).toEqual(['started']);
    const [first] = world.answers;
    first?.(done);
    expect(log).toEqual(['started', 'not-sent']);
    world.answers[1]?.(done);
    expect(log).toEqual(['started', 'not-sent', 'not-sent']);
  });

  test('a wait ends by time or by signal, never by both', () => {
    const { coroutines, timers, advance } = setUp();
    const signal = new Signal();
    const ends: string[] = [];
    coroutines.spawn(
      (function* (): Procedure {
        ends.push(yield* wait(1, signal));
        ends.push(yield* wait(1, signal));
        ends.push(yield* wait(1));
      })(),
    );
    advance(999);
    expect(ends).toEqual([]);
    advance(1_000);
    expect(ends).toEqual(['time']);
    advance(1_500);
    signal.raise();
    signal.raise();
    expect(ends).toEqual(['time', 'signal']);
    expect(timers.nextMicros).toBe(2_500);
    advance(2_500);
    expect(ends).toEqual(['time', 'signal', 'time']);
    expect(timers.nextMicros).toBe(Infinity);
  });

  test('a signal resumes the waiting procedures after the one that raises it, in order', () => {
    const { coroutines } = setUp();
    const signal = new Signal();
    const log: string[] = [];
    const waiting = (name: string) =>
      (function* (): Procedure {
        yield* wait(1_000, signal);
        log.push(name);
      })();
    for (const name of ['a', 'b']) coroutines.spawn(waiting(name));
    coroutines.spawn(
      (function* (): Procedure {
        signal.raise();
        log.push('raised');
        yield* wait(1);
      })(),
    );
    expect(log).toEqual(['raised', 'a', 'b']);
  });

  test('a demand during a pass causes exactly one more pass', () => {
    const { coroutines, advance } = setUp();
    const demand = new Demand();
    const passes: number[] = [];
    let now = 0;
    coroutines.spawn(
      (function* (): Procedure {
        for (;;) {
          yield* demand.next(10_000);
          passes.push(now);
          yield* wait(100);
        }
      })(),
    );
    const at = (micros: number): void => {
      now = micros;
      advance(micros);
    };
    demand.ask();
    expect(passes).toHaveLength(1);
    demand.ask();
    demand.ask();
    at(99_000);
    expect(passes).toHaveLength(1);
    at(100_000);
    expect(passes).toHaveLength(2);
    at(200_000);
    at(10_000_000);
    expect(passes).toHaveLength(2);
    at(10_300_000);
    expect(passes).toHaveLength(3);
  });
});
