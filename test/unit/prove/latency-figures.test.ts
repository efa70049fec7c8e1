/** Figures, parts and goals of the latency proof, from made-up reactions. */
import { describe, expect, test } from 'vitest';
import {
  figuresOf,
  partsOf,
  partsOfOrder,
  percentile,
} from '../../prove/latency/latency-figures.ts';
import { type GoalFigures, goalsOf } from '../../prove/latency/latency-goals.ts';
import { SpanLog, type SpanPart, spanParts } from '../../prove/latency/span-log.ts';

function spansOf(...spans: readonly (readonly [SpanPart, number, number])[]): Float64Array {
  return Float64Array.from(
    spans.flatMap(([part, begin, end]) => [spanParts.indexOf(part), begin, end]),
  );
}

const spans = spansOf(
  ['step', 0, 900],
  ['decode', 1_200, 1_300],
  ['step', 1_400, 1_900],
  ['client', 1_900, 2_000],
  ['commit', 2_050, 2_200],
);
const order = { frameMicros: 1_000, orderMicros: 2_300 };

describe('the parts of an order', () => {
  const parts = partsOfOrder(order, spans);

  test('are those between its frame and the last call of the client', () => {
    expect(parts).toMatchObject({ decode: 0.1, step: 0.5, client: 0.1, commit: 0, rows: 0 });
  });

  test('have the ways to the program and back in the socket', () => {
    expect(parts.socket).toBeCloseTo(0.5);
  });

  test('add up to the whole', () => {
    expect(parts.waiting).toBeCloseTo(0.1);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(1.3);
  });

  test('are all on the way without spans', () => {
    const bare = partsOfOrder(order, new Float64Array());
    expect(bare.socket).toBeCloseTo(1.3);
    expect(bare.waiting).toBe(0);
  });
});

test('figures count orders, and calls and CPU time for each change', () => {
  const mark = { cpuMicros: 0, residentMb: 150, spans };
  const later = { frameMicros: 1_000, orderMicros: 4_000 };
  const block = {
    changes: 2,
    orders: [order, later],
    missing: 1,
    calls: 5,
    cpuMicros: 9_000,
    mark,
  };
  expect(figuresOf([block])).toEqual({
    ...{ reactions: 2, missing: 1, p50: 1.3, p90: 3, p99: 3 },
    ...{ callsPerReaction: 2.5, cpuMillis: 4.5, residentMb: 150 },
  });
  expect(figuresOf([{ ...block, cpuMicros: 12_000 }, block]).cpuMillis).toBe(4.5);
  expect(partsOf([{ ...block, orders: [order] }]).step).toBe(0.5);
});

test('a percentile is a value that was measured', () => {
  expect(percentile([3, 1, 2, 4], 0.5)).toBe(2);
  expect(percentile([3, 1, 2, 4], 0.99)).toBe(4);
  expect(percentile([], 0.5)).toBeNaN();
});

describe('spans', () => {
  test('of a part that is called by another one interrupt it', () => {
    const log = new SpanLog();
    log.next(true);
    const inner = log.wrap('guard', () => 1);
    const outer = log.wrap('client', () => inner() + 1);
    expect(outer()).toBe(2);
    const taken = log.next(false);
    const parts = [taken[0], taken[3], taken[6]].map((part) => spanParts[part ?? -1]);
    expect(parts).toEqual(['client', 'guard', 'client']);
    expect(taken[2]).toBe(taken[4]);
    expect(outer()).toBe(2);
    expect(log.next(true)).toHaveLength(0);
  });

  test('end when their function throws', () => {
    const log = new SpanLog();
    log.next(true);
    const fail = log.wrap('step', () => {
      throw new Error('a mistake');
    });
    expect(fail).toThrow('a mistake');
    log.wrap('rows', () => {})();
    expect(log.next(false)).toHaveLength(6);
  });
});

describe('goals', () => {
  const good: GoalFigures = {
    ...{ reactions: 1_000, missing: 0, placeRatio: 3.5, quoteRatio: 4, placeCpuRatio: 1 },
    ...{ quoteCpuRatio: 1, placeCalls: 2.2, quoteCalls: 2.2, residentMb: 100 },
    ...{ delayedQuoteMs: 60, sustainedPerMinute: 110 },
  };

  test('are met at their bounds', () => {
    expect(goalsOf(good).filter(({ met }) => !met)).toEqual([]);
  });

  test.each([
    ['reactions', 999],
    ['missing', 1],
    ['placeRatio', 3.51],
    ['quoteRatio', 4.01],
    ['placeCalls', 2.21],
    ['delayedQuoteMs', 60.1],
    ['sustainedPerMinute', 109],
  ])('%s is missed at %d', (name, value) => {
    const missed = goalsOf({ ...good, [name]: value }).filter(({ met }) => !met);
    expect(missed).toHaveLength(1);
    expect(missed[0]?.value).toBe(value);
  });

  test('are missed where there is no figure', () => {
    const missed = goalsOf({ ...good, delayedQuoteMs: Number.NaN }).filter(({ met }) => !met);
    expect(missed).toMatchObject([{ value: null, met: false }]);
  });
});
