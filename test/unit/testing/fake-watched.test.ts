/** fakeContext with pairs that the strategy only watches. */
import { EMPTY, map, merge, mergeMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../../../src/index.ts';
import { fakeContext } from '../../../src/testing.ts';

describe('watched pairs', () => {
  const eye = (watches: number) =>
    defineStrategy({
      name: 'eye',
      parameters: z.unknown(),
      pairs: 'any',
      watches,
      run: ({ watched: [eth], log }) =>
        eth === undefined
          ? EMPTY
          : eth.top$.pipe(
              mergeMap(() => {
                log(`${eth.pair} ${eth.mid} ${eth.history.length} ${'orders' in eth}`);
                return [{ kind: 'cancelAll', pair: eth.pair, reason: 'a test' } as const];
              }),
            ),
    });
  const watch = [
    {
      pair: 'ETHZAR',
      top: ['a', { a: { bid: '999', ask: '1001' } }] as const,
      history: [{ close: '1000' }],
    },
  ];

  test('are seen with their market, and an intent for one is invalid', () => {
    expect(() => fakeContext(eye(1), { pairs: [], watch, for: '1s' })).toThrow(
      'pair must be one that the strategy trades, and it only watches ETHZAR',
    );
    const seeing = defineStrategy({
      ...eye(1),
      run: ({ watched }) =>
        merge(...watched.map(({ top$ }) => top$)).pipe(
          map(({ bid }) => ({ kind: 'idle', pair: 'XBTZAR', reason: `bid ${bid}` })),
        ),
    });
    const { intents } = fakeContext(seeing, { watch, for: '1s' });
    expect(intents.map(({ intent }) => intent)).toMatchObject([
      { pair: 'XBTZAR', reason: 'bid 999' },
    ]);
  });

  test('are as many as the plugin says', () => {
    expect(() => fakeContext(eye(2), { watch })).toThrow('watches 2 pair(s), 1 given');
    expect(() => fakeContext(eye(1), {})).toThrow('watches 1 pair(s), 0 given');
    expect(() => fakeContext(eye(1), { pairs: [{ pair: 'ETHZAR' }], watch })).toThrow(
      'ETHZAR is in pairs',
    );
    expect(() => eye(101)).toThrow("watches must be 0 to 100 or 'any', was 101");
    expect(() => defineStrategy({ ...eye(0), pairs: 0 })).toThrow('or 0 if it watches any, was 0');
  });
});
