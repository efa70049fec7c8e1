/** How many calls each priority may use, by what the exchange's answers report. */
import { describe, expect, test } from 'vitest';
import { CallCapacity } from '../../../src/execution/requests/call-capacity.ts';

const kinds = ['cancel', 'resolve', 'read', 'place', 'move'] as const;
const all = (capacity: CallCapacity, nowMs: number) =>
  kinds.map((kind) => capacity.of(kind, nowMs));

const assumed = [290, 240, 210, 190, 170];
const reported = [290, 278, 268, 258, 255];

describe('the capacity for calls', () => {
  test('leaves a fifth unused until the exchange reports its limit, for a minute', () => {
    const capacity = new CallCapacity({ perMinute: 300 });
    expect(all(capacity, 0)).toEqual(assumed);
    capacity.note({ perMinute: 300, remaining: 299 }, 1, 1_000);
    expect(all(capacity, 1_000)).toEqual(reported);
    expect(all(capacity, 60_999)).toEqual(reported);
    expect(all(capacity, 61_000)).toEqual(assumed);
  });

  test('follows a lower limit, and never a higher one than is documented', () => {
    const capacity = new CallCapacity({ perMinute: 300 });
    capacity.note({ perMinute: 100, remaining: 100 }, 1, 0);
    expect(all(capacity, 0)).toEqual([290, 78, 68, 58, 55]);
    capacity.note({ perMinute: 5_000, remaining: 4_999 }, 1, 0);
    expect(all(capacity, 0)).toEqual(reported);
    capacity.note({ perMinute: 3, remaining: 3 }, 1, 0);
    expect(all(capacity, 0)).toEqual([290, 1, 1, 1, 1]);
  });

  test('leaves out the calls of others, and not those of ours that the exchange has not counted', () => {
    const capacity = new CallCapacity({ perMinute: 300 });
    capacity.note({ perMinute: 300, remaining: 220 }, 30, 0);
    expect(all(capacity, 0)).toEqual([290, ...reported.slice(1).map((most) => most - 50)]);
    // An answer about public data, which counts other calls.
    capacity.note({ perMinute: 300, remaining: 299 }, 30, 9_999);
    expect(capacity.of('place', 9_999)).toBe(208);
    capacity.note({ perMinute: 300, remaining: 280 }, 30, 10_000);
    expect(all(capacity, 10_000)).toEqual(reported);
  });

  test('reserves a call for the cancel of each live order, up to 100', () => {
    const capacity = new CallCapacity({ perMinute: 300 });
    let live = 12;
    capacity.cancelsNeeded = () => live;
    capacity.note({ perMinute: 300, remaining: 299 }, 1, 0);
    expect(all(capacity, 0)).toEqual(reported);
    live = 40;
    expect(all(capacity, 0)).toEqual([290, 250, 240, 230, 227]);
    live = 5_000;
    expect(all(capacity, 0)).toEqual([290, 190, 180, 170, 167]);
  });

  test('leaves shares of another limit, or what the profile says, which reports do not raise', () => {
    expect(all(new CallCapacity({ perMinute: 600 }), 0)).toEqual([580, 480, 420, 380, 340]);
    const leave = { cancel: 1, lookup: 2, read: 3, order: 40, move: 50 };
    const own = new CallCapacity({ perMinute: 300, leave });
    expect(all(own, 0)).toEqual([299, 298, 297, 260, 250]);
    own.note({ perMinute: 300, remaining: 299 }, 1, 0);
    expect(all(own, 0)).toEqual([299, 298, 297, 260, 255]);
  });
});
