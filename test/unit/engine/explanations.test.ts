/** Records that only explain wait for others, and are written together. */
import { describe, expect, test } from 'vitest';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { placing, record, request, setUp, tick } from './driver-fixture.ts';

const evidence = (state: 'open' | 'filled' = 'open'): StoreRecord => ({
  ...{ kind: 'evidence', intentId: 1, atMs: 1, state, proof: 'seen' },
});
const outcome: StoreRecord = {
  ...{ kind: 'outcome', intentId: 1, number: 1, atMs: 1, outcome: 'accepted', detail: '' },
};
const decision: StoreRecord = {
  ...{ kind: 'decision', atMs: 1, strategyId: 'mm', pair: 'XBTZAR', key: 'k', intentId: 1 },
  ...{ verdict: 'approved', refusals: '[]', inputs: '{}', limitsHash: '' },
};
const attempt: StoreRecord = {
  ...{ kind: 'attempt', intentId: 1, number: 1, atMs: 1, timestampMs: 1, ttlMs: 1 },
};
const order = placing(2);

describe('explanations', () => {
  test('wait for a second; what an order needs does not', () => {
    const { driver, story, run, checkTime, commits } = setUp(() => ({
      records: [decision, evidence(), attempt, outcome],
      effects: [order],
    }));
    driver.start();
    run();
    expect(story.slice(0, 3)).toEqual(['step start', 'commit 1 of 1', 'request 2']);
    driver.accept(tick('one'));
    run();
    expect(story.filter((line) => line.startsWith('explain'))).toEqual([]);
    checkTime();
    expect(story.filter((line) => line.startsWith('explain'))).toEqual(['explain 6']);
    driver.explain();
    expect(commits).toEqual([
      [attempt],
      [attempt],
      [decision, evidence(), outcome, decision, evidence(), outcome],
    ]);
  });

  test('a batch of nothing else has its number, but writes nothing yet', () => {
    const { driver, story, run } = setUp(() => ({ records: [evidence()], effects: [] }));
    driver.accept(tick('one'));
    run();
    expect(story).toEqual(['step one', 'commit 1 of 0', 'journal 1 with 1']);
  });

  test('no request waits for them', () => {
    const { driver, story, soon } = setUp(() => ({
      records: [evidence(), attempt],
      effects: [order, request(3)],
    }));
    driver.accept(tick('one'));
    soon.shift()?.();
    expect(story.at(-1)).toBe('request 2');
    driver.explain();
    expect(story.slice(3)).toEqual(['request 3', 'journal 1 with 1', 'explain 1']);
  });

  test('are written with a halt or an incident, after what they refer to', () => {
    const halt: StoreRecord = {
      ...{ kind: 'trading-state', atMs: 1, scope: 'bot', state: 'HALTED', reason: 'test' },
    };
    for (const ending of [halt, record('a')]) {
      const { driver, run, commits } = setUp((event) => ({
        records: event.kind === 'tick' ? [evidence('filled'), ending] : [evidence('open'), attempt],
        effects: [],
      }));
      driver.accept(tick('one'));
      run();
      driver.accept({ kind: 'tick' });
      run();
      expect(commits).toEqual([[attempt], [ending, evidence('open'), evidence('filled')]]);
    }
  });

  test('many are written with the next commit that no order waits for, very many with any', () => {
    const { driver, run, commits } = setUp((event) => ({
      records: [
        attempt,
        ...Array.from({ length: event.kind === 'tick' ? 63 : 1 }, () => evidence()),
      ],
      effects: event.kind === 'tick' ? [order] : [],
    }));
    const sizesAfter = (ticks: number): readonly number[] => {
      commits.length = 0;
      for (let count = 0; count < ticks; count++) {
        driver.accept({ kind: 'tick' });
        run();
      }
      driver.accept(tick('calm'));
      run();
      return commits.map((records) => records.length);
    };
    expect(sizesAfter(1)).toEqual([1, 65]);
    expect(sizesAfter(0)).toEqual([1]);
    expect(sizesAfter(5)).toEqual([1, 1, 1, 1, 317, 1]);
  });

  test('are written when the driver closes, and when the run fails elsewhere', () => {
    const closing = setUp(() => ({ records: [evidence()], effects: [order] }));
    closing.driver.accept(tick('one'));
    closing.run();
    closing.driver.close();
    expect(closing.story.at(-1)).toBe('explain 1');

    const failing = setUp((event) => {
      if (event.kind === 'tick') throw new Error('a bug');
      return { records: [evidence()], effects: [order] };
    });
    failing.driver.accept(tick('one'));
    failing.run();
    failing.driver.accept({ kind: 'tick' });
    failing.run();
    expect(String(failing.fatal())).toContain('a bug');
    expect(failing.story.at(-1)).toBe('explain 1');
  });
});
