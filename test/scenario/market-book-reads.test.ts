/** What a strategy reads from the book in a backtest is the book of the recording at that time. */
import { map } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type BookLevel, defineStrategy, lotsOf, type Top } from '../../src/index.ts';
import { playRecording } from '../../src/testing/play/play-recording.ts';

type Read = {
  readonly top: Top | undefined;
  readonly mid: number | undefined;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly paid: number | undefined;
  readonly atBest: number;
};

function reader(reads: Read[]) {
  return defineStrategy({
    name: 'reads',
    parameters: z.strictObject({}),
    pairs: 1,
    run: (context) =>
      context.every(500).pipe(
        map(() => {
          const [market] = context.pairs;
          if (market === undefined) throw new Error('no pair');
          const { pair, top, mid, book } = market;
          const [bids, asks] = [book.levels('BID', 4), book.levels('ASK', 4)];
          const volume = lotsOf((asks[0]?.volume ?? 0) + (asks[1]?.volume ?? 0) || 1);
          const atBest = top?.bid === undefined ? 0 : book.volumeAt('BID', top.bid);
          reads.push({ top, mid, bids, asks, paid: book.vwap('ASK', volume), atBest });
          return { kind: 'idle', pair, reason: 'it only reads' } as const;
        }),
      ),
  });
}

test('levels begin with the best prices, are in order, and average as sums by hand', async () => {
  const reads: Read[] = [];
  await playRecording(reader(reads), {}, 'first', { to: '2026-11-20T12:03:00Z' });
  const usable = reads.filter(({ top }) => top !== undefined);
  expect(usable.length).toBeGreaterThan(200);
  for (const { top, mid, bids, asks, paid, atBest } of usable) {
    expect(bids[0]).toEqual({ price: top?.bid, volume: top?.bidVolume });
    expect(asks[0]).toEqual({ price: top?.ask, volume: top?.askVolume });
    expect(atBest).toBe(top?.bidVolume);
    expect(mid).toBe(((top?.bid ?? 0) + (top?.ask ?? 0)) / 2);
    const prices = asks.map(({ price }) => price);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    const [first, second] = asks;
    if (first === undefined || second === undefined) throw new Error('less than two asks');
    const sum = first.price * first.volume + second.price * second.volume;
    expect(paid).toBeCloseTo(sum / (first.volume + second.volume), 6);
  }
}, 60_000);
