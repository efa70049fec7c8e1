/** Spans and shares as people write them. */
import { describe, expect, test } from 'vitest';
import {
  durationText,
  parseShare,
  parseSignedShare,
  parseSpanMs,
  parseSpanUs,
} from '../../../src/domain/unit-text.ts';

describe('a span is a whole number with its unit', () => {
  test.each([
    ['250ms', 250],
    ['15s', 15_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['0s', 0],
    ['15', undefined],
    ['15 s', undefined],
    ['1.5s', undefined],
    ['-1s', undefined],
    ['015s', undefined],
    ['15S', undefined],
    ['5us', undefined],
    ['999999999999d', undefined],
    ['', undefined],
  ])('%j is %s ms', (text, spanMs) => {
    expect(parseSpanMs(text)).toBe(spanMs);
  });

  test('microseconds are a unit for latencies only', () => {
    expect(parseSpanUs('250us')).toBe(250);
    expect(parseSpanUs('2ms')).toBe(2_000);
  });
});

describe('a share becomes an exact fraction', () => {
  test.each([
    ['20bps', '0.002'],
    ['2%', '0.02'],
    ['0.6%', '0.006'],
    ['0.1bps', '0.00001'],
    ['100%', '1'],
    ['0bps', '0'],
    ['2', undefined],
    ['0.02', undefined],
    ['2 %', undefined],
    ['-1bps', undefined],
    ['.5%', undefined],
    ['1e2%', undefined],
    ['2pct', undefined],
  ])('%j is %s', (text, fraction) => {
    expect(parseShare(text)).toBe(fraction);
  });

  test('only a signed share may be negative, and there is no negative zero', () => {
    expect(parseSignedShare('-1bps')).toBe('-0.0001');
    expect(parseSignedShare('-0%')).toBe('0');
    expect(parseSignedShare('--1%')).toBeUndefined();
    expect(parseSignedShare('20bps')).toBe('0.002');
  });
});

test.each([
  [0.5, '0.5ms'],
  [250, '250ms'],
  [1_500, '1.5s'],
  [30_000, '30s'],
  [60_000, '1m'],
  [90_000, '1m 30s'],
  [1_799_993, '30m'],
  [86_400_000, '1d'],
  [93_784_000, '1d 2h'],
])('%d ms is shown as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
