/** playRecording: the same run as `millrace backtest`, and what differs on request. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { map, merge, NEVER, of } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../../../src/index.ts';
import { playRecording } from '../../../src/testing.ts';
import joinTheBid from '../../../strategies/join-the-bid/strategy.ts';
import simpleMm from '../../../strategies/simple-mm/strategy.ts';

const recording = join(import.meta.dirname, '../../../backtests/first/recording.mrec');
const simple = { halfSpread: '20bps', size: '0.01', refresh: '15s', tolerance: '2bps' };
const minutes = { from: '2026-11-20T12:00:30Z', to: '2026-11-20T12:10:00Z' };

test('a shipped scenario has the hash that its file expects', async () => {
  const run = await playRecording(simpleMm, simple, 'first');
  expect(run.hash).toBe('8af95aab989b5d7b0c89e7fd315f595f23098c4660312c140aa5199c12a93216');
  expect(run.profit).toBe(run.result.profit);
  expect(run.orders).toHaveLength(run.result.orders);
  expect(run.fills).toHaveLength(run.result.fills);
  expect(Number(run.drawdown)).toBeGreaterThan(0);
  expect(run.intents.length).toBeGreaterThan(0);
  expect(run.scales['XBTZAR']).toMatchObject({ priceScale: 0, volumeScale: 6 });
});

test('a recording alone has defaults, and options change them', async () => {
  const run = await playRecording(joinTheBid, { size: '0.01' }, recording, minutes);
  expect(run.refusals).toEqual({});
  expect(run.fills.length).toBeGreaterThan(0);
  expect(run.fees.counter).toBe('0');
  const fees = { maker: '0.001', taker: '0.002' };
  const dear = await playRecording(joinTheBid, { size: '0.01' }, recording, { ...minutes, fees });
  expect(Number(dear.fees.counter) + Number(dear.fees.base)).toBeGreaterThan(0);
  const budget = { XBT: '0.01', ZAR: '1000000' };
  const small = await playRecording(joinTheBid, { size: '0.01' }, recording, {
    ...minutes,
    budget,
  });
  expect(small.fills.reduce((sum, { base }) => sum + Number(base), 0)).toBeCloseTo(0.01);
});

test('what the gate refuses is counted by code', async () => {
  const run = await playRecording(joinTheBid, { size: '0.05' }, 'first', minutes);
  expect(run.orders).toEqual([]);
  expect(Object.keys(run.refusals)).toEqual(['ORDER_VOLUME']);
});

test('a strategy that throws fails the test', async () => {
  const throwing = defineStrategy({
    name: 'throws',
    parameters: z.unknown(),
    pairs: 1,
    run: () => {
      throw new RangeError('no way');
    },
  });
  await expect(playRecording(throwing, {}, 'first', minutes)).rejects.toThrow(/threw: .*no way/u);
});

test('what does not exist or fit is refused', async () => {
  const quiet = defineStrategy({
    ...{ name: 'quiet', parameters: z.strictObject({}), pairs: 1 },
    run: () => NEVER,
  });
  await expect(playRecording(quiet, {}, 'nothing')).rejects.toThrow(/no scenario nothing/u);
  await expect(playRecording(quiet, {}, 'nothing.mrec')).rejects.toThrow(/nothing\.mrec/u);
  await expect(playRecording(quiet, { size: 1 })).rejects.toThrow(/size/u);
  const play = (options: object) => playRecording(quiet, {}, 'first', options);
  await expect(play({ latency: '5' })).rejects.toThrow(/latency must be a span such as "2ms"/u);
  await expect(play({ from: 'now' })).rejects.toThrow(/from must be a time in ISO 8601/u);
  await expect(play({ fees: { maker: '5bps', taker: '0' } })).rejects.toThrow(
    /fees\.maker must be/u,
  );
  await expect(playRecording({ ...quiet })).rejects.toThrow(/what defineStrategy returned/u);
});

test('feeds have the values of a table, as of the time they were received', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-play-'));
  try {
    const file = join(folder, 'reference.csv');
    const fromMs = Date.parse(minutes.from);
    const rows = [-60_000, -1_000, 5_000, 6_000, 60_000].map(
      (afterMs, index) => `${fromMs + afterMs},${index}.50`,
    );
    writeFileSync(file, ['time_ms,value', ...rows].join('\n'));
    const watching = defineStrategy({
      ...{ name: 'watching', parameters: z.unknown(), pairs: 1 },
      run: ({ feed, pairs: [market], nowMs }) => {
        const { pair = '' } = market ?? {};
        const reference = feed('reference');
        const say = (what: unknown) =>
          ({ kind: 'idle', pair, reason: `${what} at ${nowMs() - fromMs}` }) as const;
        return merge(
          of(say(`first ${reference.value}`)),
          reference.value$.pipe(
            map(({ value, receivedMs }) => say(`${value} of ${receivedMs - fromMs}`)),
          ),
          reference.usable$.pipe(map(say)),
        );
      },
    });
    const feeds = { reference: { ageMax: '20s', file } };
    const run = await playRecording(watching, {}, recording, { ...minutes, feeds });
    expect(run.intents.map(({ intent }) => 'reason' in intent && intent.reason)).toEqual([
      'first 1.50 at 120',
      'true at 120',
      '1.50 of -1000 at 120',
      '2.50 of 5000 at 5000',
      '3.50 of 6000 at 6000',
      'false at 26000',
      'true at 60000',
      '4.50 of 60000 at 60000',
      'false at 80000',
    ]);
    const play = (given: Record<string, { ageMax: string; file?: string }>) =>
      playRecording(watching, {}, recording, { ...minutes, feeds: given });
    await expect(play({ reference: { ageMax: '20' } })).rejects.toThrow(
      'playRecording: feeds.reference.ageMax must be a span such as "30s", was "20"',
    );
    await expect(play({ reference: { ageMax: '20s' } })).rejects.toThrow(
      /uses the feed reference, but the data of its markets have no feeds; name a table/u,
    );
    writeFileSync(file, `time_ms,value\n${fromMs + 86_400_000},1\n`);
    await expect(play(feeds)).rejects.toThrow(/reference\.csv has none of its values by/u);
    await expect(play({})).rejects.toThrow(/context\.feed: name must be a feed of the strategy/u);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
