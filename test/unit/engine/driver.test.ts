/** The loop around the engine: commits before it releases, in order, at most 256 events at once. */
import { describe, expect, test } from 'vitest';
import type { StoreRecord } from '../../../src/domain/records.ts';
import type { Effect, EngineEvent } from '../../../src/engine/event.ts';
import { placing, record, request, setUp, tick } from './driver-fixture.ts';

/** The stepped events without the delay events. */
const stepsOf = (story: readonly string[]): readonly string[] =>
  story.filter((line) => line.startsWith('step') && line !== 'step loop-delay');

describe('the driver', () => {
  test('steps the queued events, commits once, and only then releases effects (P2)', () => {
    const { driver, story, run } = setUp(() => ({
      records: [record('a')],
      effects: [request(1), { kind: 'stopped', openOrders: 0 }],
    }));
    driver.accept(tick('one'));
    driver.accept(tick('two'));
    expect(story).toEqual([]);
    run();
    expect(story).toEqual([
      'step one',
      'step two',
      'commit 1 of 2',
      'request 1',
      'request 1',
      'journal 1 with 2',
      'stopped 0',
      'stopped 0',
    ]);
  });

  test('releases orders first, then other requests, then what is not urgent', () => {
    const order = placing(2);
    const late = placing(4);
    const notice: Effect = {
      kind: 'notice',
      notice: { level: 'info', topic: 'state', text: 'text' },
    };
    const { driver, story, run } = setUp(() => ({
      records: [],
      effects: [notice, request(1), order, request(3), late],
    }));
    driver.accept(tick('one'));
    run();
    expect(story.slice(1)).toEqual([
      ...['request 2', 'request 4', 'request 1', 'request 3'],
      ...['journal 0 with 1', 'notice'],
    ]);
  });

  const order = placing(2);

  test('what is not an order waits for the next turn of the loop, and no further batch', () => {
    const { driver, story, run, soon } = setUp((event) =>
      event.kind === 'user-closed' && event.reason === 'one'
        ? { records: [record('a')], effects: [order, request(1)] }
        : { records: [], effects: [request(3)] },
    );
    driver.accept(tick('one'));
    soon.shift()?.();
    expect(story).toEqual(['step one', 'commit 1 of 1', 'request 2']);
    driver.accept(tick('two'));
    // The drain comes first, as it may where turns are not in order.
    soon.reverse();
    run();
    expect(story.slice(3)).toEqual([
      ...['request 1', 'journal 1 with 1'],
      ...['step two', 'request 3', 'journal 1 with 1'],
    ]);
  });

  test('the journal hears how long the line of a long batch is', () => {
    const { driver, story, run } = setUp(() => ({ records: [], effects: [request(1)] }));
    for (let count = 0; count < 9; count++) driver.accept(tick('one'));
    run();
    expect(story.at(-1)).toBe('journal 0 with 9, as long as 2');
  });

  test('batches with records and notices alone share a commit, a moment later', () => {
    const { driver, story, turn, run } = setUp(() => ({
      records: [record('a')],
      effects: [{ kind: 'notice', notice: { level: 'info', topic: 'state', text: 'text' } }],
    }));
    for (const name of ['one', 'two']) {
      driver.accept(tick(name));
      turn();
    }
    expect(story).toEqual(['step one', 'step two']);
    run();
    expect(story.slice(2)).toEqual(['commit 1 of 2', 'journal 1 with 2', 'notice', 'notice']);
    run();
    expect(story).toHaveLength(6);
  });

  test('a batch with an order or another request takes what was held into its commit', () => {
    for (const [effect, released] of [
      [order, 'request 2'],
      [request(1), 'request 1'],
    ] as const) {
      const { driver, story, turn } = setUp((event) => ({
        records: [record('a')],
        effects: event.kind === 'user-closed' && event.reason === 'two' ? [effect] : [],
      }));
      driver.accept(tick('one'));
      turn();
      driver.accept(tick('two'));
      turn();
      expect(story).toEqual([
        ...['step one', 'step two', 'commit 1 of 2'],
        ...[released, 'journal 1 with 2'],
      ]);
    }
  });

  test('what is held is stored before a halt, before a failure, and when the driver closes', () => {
    const halt: StoreRecord = {
      ...{ kind: 'trading-state', atMs: 1, scope: 'all', state: 'HALTED', reason: 'test' },
    };
    const { driver, story, turn } = setUp((event) => {
      const name = event.kind === 'user-closed' ? event.reason : '';
      if (name === 'fail') throw new Error('a bug');
      return { records: [name === 'halt' ? halt : record('a')], effects: [] };
    });
    for (const name of ['one', 'halt', 'two', 'fail']) {
      driver.accept(tick(name));
      turn();
    }
    expect(story).toEqual([
      ...['step one', 'step halt', 'commit 1 of 1', 'journal 1 with 1'],
      ...['commit 2 of 1', 'journal 2 with 1'],
      ...['step two', 'step fail', 'commit 3 of 1', 'journal 3 with 1', 'journal 3 with 1'],
    ]);
    const other = setUp(() => ({ records: [record('a')], effects: [] }));
    other.driver.accept(tick('one'));
    other.turn();
    other.driver.close();
    expect(other.story).toEqual(['step one', 'commit 1 of 1', 'journal 1 with 1']);
  });

  test('what is held is stored when the run fails elsewhere; its notices are not released', () => {
    const { driver, story, turn, fatal } = setUp(() => ({
      records: [record('a')],
      effects: [{ kind: 'notice', notice: { level: 'info', topic: 'state', text: 'text' } }],
    }));
    driver.accept(tick('one'));
    turn();
    for (let i = 0; i <= 200_000; i++) driver.accept({ kind: 'tick' });
    expect(String(fatal())).toContain('cannot keep up');
    expect(story).toEqual(['step one', 'commit 1 of 1', 'journal 1 with 1']);
  });

  test('an effect that throws after the order ends the run', () => {
    const { driver, story, run, fatal } = setUp(() => ({
      records: [],
      effects: [order, { kind: 'stopped', openOrders: 13 }],
    }));
    driver.accept(tick('one'));
    run();
    expect(fatal()).toEqual(new Error('unlucky'));
    driver.accept(tick('two'));
    run();
    expect(story).toEqual(['step one', 'request 2', 'journal 0 with 1']);
  });

  test('takes at most 256 events into a batch, in order', () => {
    const { driver, story, run } = setUp(() => ({ records: [record('a')], effects: [] }));
    for (let i = 0; i < 600; i++) driver.accept(tick(String(i)));
    run();
    expect(story.filter((line) => line.startsWith('commit'))).toEqual([
      'commit 1 of 256',
      'commit 2 of 256',
      'commit 3 of 88',
    ]);
    expect(story.filter((line) => line.startsWith('step'))).toEqual(
      Array.from({ length: 600 }, (_, i) => `step ${i}`),
    );
  });

  test('tells the engine before a batch when the loop falls behind, and when it has caught up', () => {
    const seen: string[] = [];
    const { driver, run, world } = setUp((event) => {
      seen.push(event.kind === 'loop-delay' ? `late by ${event.delayMs}` : event.kind);
      return { records: [], effects: [] };
    });
    for (const waitMs of [500, 501, 900, 3, 2]) {
      driver.accept(tick(String(waitMs)));
      world.nowMicros += waitMs * 1_000;
      run();
    }
    const event = 'user-closed';
    expect(seen).toEqual([
      ...[event, 'late by 501', event, 'late by 900', event, 'late by 3', event, event],
    ]);
  });

  test('reports a pause before it reports that the loop fell behind', () => {
    const seen: string[] = [];
    const { driver, run, world } = setUp((event) => {
      seen.push(event.kind);
      return { records: [], effects: [] };
    });
    driver.accept(tick('one'));
    run();
    world.nowMicros += 60_000_000;
    driver.accept(tick('two'));
    world.nowMicros += 600_000;
    run();
    expect(seen).toEqual(['user-closed', 'paused', 'loop-delay', 'user-closed']);
  });

  test('commits nothing when there is nothing to store', () => {
    const { driver, story, run } = setUp(() => ({ records: [], effects: [request(1)] }));
    driver.accept(tick('one'));
    run();
    expect(story).toEqual(['step one', 'request 1', 'journal 0 with 1']);
  });

  test('A20: a commit that fails ends the run, and nothing is released', () => {
    const { driver, story, run, fatal } = setUp(
      () => ({ records: [record('a')], effects: [request(1)] }),
      () => {
        throw new Error('disk full');
      },
    );
    driver.accept(tick('one'));
    run();
    driver.accept(tick('two'));
    run();
    expect(story).toEqual(['step one', 'journal 1 with 1']);
    expect(fatal()).toEqual(new Error('disk full'));
  });

  test('S7: a slow commit is reported to the engine, at most once a minute', () => {
    const tookMs = [1_000, 1_001, 5_000, 70_000];
    const seen: EngineEvent[] = [];
    const { driver, run } = setUp(
      (event) => {
        if (event.kind === 'store-trouble') seen.push(event);
        return { records: event.kind === 'store-trouble' ? [] : [record('a')], effects: [] };
      },
      (world) => {
        world.nowMicros += (tookMs.shift() ?? 0) * 1000;
      },
    );
    for (const name of ['one', 'two', 'three', 'four']) {
      driver.accept(tick(name));
      run();
    }
    expect(seen).toMatchObject([
      { code: 'STORE_SLOW', text: expect.stringContaining('took 1001 ms'), mustStop: false },
      { code: 'STORE_SLOW', text: expect.stringContaining('took 70000 ms'), mustStop: false },
    ]);
  });

  test('a step that throws ends the run, and no effect of its batch is released', () => {
    const { driver, story, run, fatal } = setUp((event) => {
      if (event.kind === 'user-closed' && event.reason === 'two') throw new Error('a bug');
      return { records: [record('a')], effects: [request(1)] };
    });
    driver.accept(tick('one'));
    driver.accept(tick('two'));
    run();
    // The journal has the events that broke the engine; nothing is stored or released.
    expect(story).toEqual(['step one', 'step two', 'journal 0 with 2']);
    expect(fatal()).toEqual(new Error('a bug'));
  });

  test('wakes the engine at the time it requested, and moves the wake-up when that changes', () => {
    const { driver, story, run, world, wakes } = setUp(() => ({ records: [], effects: [] }));
    world.nextWakeMicros = 6_500;
    driver.accept(tick('one'));
    run();
    expect(wakes.map((wake) => wake.delayMs)).toEqual([6]);
    world.nextWakeMicros = 3_000;
    driver.accept(tick('two'));
    run();
    expect(wakes.map((wake) => [wake.delayMs, wake.cancelled])).toEqual([
      [6, true],
      [2, false],
    ]);
    world.nextWakeMicros = Infinity;
    wakes[1]?.run();
    run();
    expect(story.filter((line) => line.startsWith('step'))).toEqual([
      'step one',
      'step two',
      'step tick',
    ]);
  });

  test('K5: reports a suspension of the process before any event that came after it', () => {
    const { driver, story, run, world, checkTime } = setUp(() => ({ records: [], effects: [] }));
    driver.start();
    run();
    world.nowMicros += 4_000_000;
    driver.accept(tick('slow'));
    world.nowMicros += 6_000_000;
    driver.accept(tick('late'));
    run();
    world.nowMicros += 6_000_000;
    checkTime();
    run();
    expect(stepsOf(story)).toEqual([
      'step start',
      'step slow',
      'step paused',
      'step late',
      'step paused',
    ]);
  });

  test('K3: a clock set forward counts as a suspension; a clock set back does not', () => {
    const { driver, story, run, world, checkTime } = setUp(() => ({ records: [], effects: [] }));
    driver.start();
    world.driftMicros = 3_600_000_000;
    checkTime();
    world.driftMicros = -86_400_000_000;
    checkTime();
    driver.accept(tick('one'));
    run();
    expect(stepsOf(story)).toEqual(['step start', 'step paused', 'step one']);
  });

  test('K3: a clock set back is reported once each time', () => {
    const { driver, run, notices, world, checkTime } = setUp(() => ({ records: [], effects: [] }));
    driver.start();
    for (const driftMs of [-1_999, -3_000, -3_100, 0, -7_200_000]) {
      world.driftMicros = driftMs * 1000;
      checkTime();
      driver.accept(tick('one'));
      run();
    }
    expect(notices).toEqual([
      expect.stringMatching(/set back by 3\.0 s, .* CLOCK_SKEW until the bot is restarted$/u),
      expect.stringContaining('set back by 7200.0 s'),
    ]);
  });

  test('S1: holds back an order whose step blocked the process; a cancel is still sent', () => {
    const place = placing(7);
    const replies: EngineEvent[] = [];
    const { driver, story, run, world } = setUp((event) => {
      if (event.kind === 'reply') replies.push(event);
      if (event.kind !== 'user-closed') return { records: [], effects: [] };
      if (event.reason === 'block') world.nowMicros += 10_000_000;
      return { records: [record('a')], effects: [place, request(8)] };
    });
    driver.start();
    driver.accept(tick('quick'));
    driver.accept(tick('block'));
    run();
    // The first order of the batch had waited while the second event blocked.
    expect(story.filter((line) => line.startsWith('request'))).toEqual(['request 8', 'request 8']);
    expect(story.filter((line) => line.startsWith('step')).slice(3)).toEqual([
      'step paused',
      'step reply',
      'step reply',
    ]);
    const why = 'held back: it was decided 10000 ms ago, but at most 1000 ms are allowed';
    const reply = { kind: 'not-sent', why };
    expect(replies).toEqual([
      { kind: 'reply', request: 7, reply },
      { kind: 'reply', request: 7, reply },
    ]);
    driver.accept(tick('quick'));
    run();
    expect(story).toContain('request 7');
  });

  test('does nothing once it is closed', () => {
    const { driver, story, run } = setUp(() => ({ records: [], effects: [request(1)] }));
    driver.accept(tick('one'));
    driver.close();
    run();
    driver.accept(tick('two'));
    run();
    expect(story).toEqual([]);
  });

  test('ends the run when more than 200,000 events are queued', () => {
    const { driver, fatal, soon } = setUp(() => ({ records: [], effects: [] }));
    for (let i = 0; i <= 200_000; i++) driver.accept({ kind: 'tick' });
    expect(String(fatal())).toContain('cannot keep up');
    expect(soon).toHaveLength(1);
  });
});
