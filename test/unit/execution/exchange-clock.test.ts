/** The estimate of the exchange's clock forgets wrong stamps, and keeps the last one. */
import { describe, expect, test } from 'vitest';
import { ExchangeClock } from '../../../src/execution/requests/exchange-clock.ts';

describe("the exchange's clock", () => {
  test('forgets a stamp that was far ahead once it is more than 15 s old', () => {
    const clock = new ExchangeClock();
    clock.observe(10_800_000, 0);
    for (let ms = 1_000; ms <= 15_000; ms += 1_000) clock.observe(ms - 10, ms);
    expect(clock.offsetMs).toBe(10_800_000);
    clock.observe(16_000 - 20, 16_000);
    expect(clock.offsetMs).toBe(-10);
  });

  test('keeps the last stamp, however old, until a new one arrives', () => {
    const clock = new ExchangeClock();
    clock.observe(500, 1_000);
    expect(clock.nowMs(3_600_000)).toBe(3_599_500);
    clock.observe(3_599_000, 3_600_000);
    expect(clock.offsetMs).toBe(-1_000);
  });
});
