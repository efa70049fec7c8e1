/** What of a source is believed: a lie, a repetition and a step back in time give no value. */
import { expect, test } from 'vitest';
import type { FeedReading, FeedSource } from '../../../src/domain/feed.ts';
import { FeedIntake } from '../../../src/feeds/feed-intake.ts';
import { ManualTime } from '../../support/manual-time.ts';

const base: FeedSource = {
  ...{ name: 'reference', ageMsMax: 30_000, everyMs: 1_000, bytesMax: 64_000, time: undefined },
  place: { kind: 'file', path: '/none' },
  fields: { value: '' },
  ...{ min: undefined, max: undefined, unchangedMsMax: undefined },
};

function intakeOf(more: Partial<FeedSource> = {}) {
  const time = new ManualTime();
  const startMs = time.nowMicros / 1_000;
  const read: FeedReading[] = [];
  const failed: string[] = [];
  const noted: string[] = [];
  const sink = {
    read: (reading: FeedReading) => read.push(reading),
    failed: (_name: string, reason: string) => failed.push(reason),
    noted: (text: string) => noted.push(text),
  };
  const intake = new FeedIntake({ ...base, ...more }, sink, time.clock);
  return {
    ...{ read, failed, noted, startMs, intake },
    at(milliseconds: number) {
      time.nowMicros = (startMs + milliseconds) * 1_000;
    },
    offer: (value: string, timeMs?: number) =>
      intake.offer(() => ({
        values: { value },
        timeMs: timeMs === undefined ? undefined : startMs + timeMs,
      })),
  };
}

test('a number outside of its range is not taken', () => {
  const { offer, read, startMs } = intakeOf({ min: '10', max: '20.5' });
  expect(offer('9.999999999999999999')).toBe('value was 9.999999999999999999, below min, 10');
  expect(offer('20.500000000000000001')).toMatch(/above max, 20\.5$/u);
  expect(offer('-10')).toMatch(/below min/u);
  expect([offer('10'), offer('20.5')]).toEqual([undefined, undefined]);
  expect(read.map(({ values }) => values['value'])).toEqual(['10', '20.5']);
  expect(read[0]).toEqual({
    ...{ name: 'reference', values: { value: '10' }, receivedMicros: startMs * 1_000 },
  });
});

test('a message that goes back in time, is too old or is from the future is not taken', () => {
  const { offer, at, read } = intakeOf();
  at(10_000);
  expect(offer('1', 9_000)).toBeUndefined();
  expect(offer('2', 8_000)).toBe('its time went back by 1s');
  expect(offer('3', 9_000)).toBeUndefined();
  at(100_000);
  expect(offer('4', 70_000)).toBe('its time is 30s old');
  expect(offer('5', 161_000)).toBe('its time is 1m 1s ahead of our clock');
  // A lie about the time does not bar what comes after it.
  expect(offer('6', 99_000)).toBeUndefined();
  expect(read.map(({ values }) => values['value'])).toEqual(['1', '3', '6']);
});

test('a source that repeats itself for too long is not believed until it changes', () => {
  const { offer, at, read } = intakeOf({ unchangedMsMax: 60_000 });
  expect(offer('1')).toBeUndefined();
  at(59_999);
  expect(offer('1')).toBeUndefined();
  at(60_000);
  expect(offer('1')).toBe('it has given the same numbers for 1m');
  expect(offer('1.1')).toBeUndefined();
  expect(read).toHaveLength(3);
});

test('equal reasons in a row are told once, and again after a value', () => {
  const { intake, failed, offer } = intakeOf();
  for (let count = 0; count < 10_000; count++) intake.fail(`HTTP ${500 + (count % 4)}`);
  intake.fail('no answer within 1000 ms');
  intake.fail('HTTP 500');
  offer('1');
  intake.fail('HTTP 500');
  expect(failed).toEqual(['HTTP 500', 'no answer within 1000 ms', 'HTTP 500', 'HTTP 500']);
});

test('messages that were left out are told after a minute, then each hour', () => {
  const { intake, noted, at } = intakeOf();
  intake.leaveOut(0);
  for (let second = 1; second <= 7_300; second++) {
    at(second * 1_000);
    intake.leaveOut(100);
  }
  expect(noted).toEqual([
    'feed reference sent 6100 messages more in 1m: it gives one value every 1s',
    'feed reference sent 360000 messages more in 1h: it gives one value every 1s',
    'feed reference sent 360000 messages more in 1h: it gives one value every 1s',
  ]);
});
