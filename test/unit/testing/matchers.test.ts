/** The matchers of `millrace/testing/vitest`: when they pass, and what they say if not. */
import '../../../src/testing/vitest.ts';
import { map, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineStrategy, type Intent } from '../../../src/index.ts';
import { fakeContext } from '../../../src/testing.ts';

const reason = 'as planned';

/** Quotes both sides at the first top, and does one of each other thing at the second. */
const strategy = defineStrategy({
  name: 'planned',
  parameters: z.unknown(),
  pairs: 1,
  run: ({ pairs: [market] }) => {
    if (market === undefined) return of();
    const { pair } = market;
    let count = 0;
    const volume = market.lots('0.01');
    const [price, high] = [market.ticks('100'), market.ticks('102')];
    return market.top$.pipe(
      map(() => {
        const terms = { side: 'BID', price, volume, timeInForce: 'IOC' } as const;
        const all: readonly Intent[] = [
          {
            kind: 'quote',
            pair,
            reason,
            orders: [
              { level: 'bid', side: 'BID', price, volume },
              { level: 'ask', side: 'ASK', price: high, volume, postOnly: true },
            ],
          },
          { kind: 'place', pair, key: 'one', terms, reason },
          { kind: 'cancel', pair, key: 'one', reason },
          { kind: 'cancelAll', pair, reason },
          { kind: 'idle', pair, reason },
        ];
        return all[count++] as Intent;
      }),
    );
  },
});

const run = fakeContext(strategy, {
  top: [
    'abcde',
    Object.fromEntries([...'abcde'].map((letter, at) => [letter, { bid: `${at + 1}` }])),
  ],
});

test('what the strategy did passes', () => {
  const bid = { side: 'BID', price: '100', volume: '0.010', level: 'bid' } as const;
  expect(run).toQuote([{ side: 'ASK', postOnly: true }, bid]);
  expect(run).toQuote([{}, {}], { at: '0s', pair: 'XBTZAR' });
  expect(run).toPlace({ side: 'BID', price: '100', timeInForce: 'IOC', key: 'one' }, { at: '1s' });
  expect(run).toCancel('one', { at: '2s' });
  expect(run).toCancel('all', { at: '3s' });
  expect(run).toIdle('as planned');
  expect(run).toIdle(/planned/u, { at: '4s' });
});

test('what it did not do does not pass', () => {
  expect(run).not.toQuote([{ side: 'BID' }]);
  expect(run).not.toQuote([]);
  expect(run).not.toQuote([{ price: '101' }, {}]);
  expect(run).not.toQuote([{}, {}], { at: '1s' });
  expect(run).not.toQuote([{}, {}], { pair: 'ETHXBT' });
  expect(run).not.toPlace({ key: 'two' });
  expect(run).not.toCancel('two');
  expect(run).not.toIdle('as');
});

test('the message lists the intents', () => {
  expect(() => expect(run).toPlace({ price: '7' }, { at: '1s' })).toThrow(
    [
      'expected to place {"price":"7"} at 1s; the intents were',
      '  0ms quote XBTZAR: BID 0.01 at 100, ASK 0.01 at 102 post-only (as planned)',
      '  1s place XBTZAR one: BID 0.01 at 100 IOC (as planned)',
      '  2s cancel XBTZAR one (as planned)',
      '  3s cancelAll XBTZAR (as planned)',
      '  4s idle XBTZAR (as planned)',
    ].join('\n'),
  );
  expect(() => expect(run).not.toCancel('one')).toThrow(/expected not to cancel one; the intents/u);
  expect(() => expect(run).toIdle('x', { at: '5' })).toThrow(/at must be a span such as "30s"/u);
});

describe('fills', () => {
  const fill = { side: 'BID', price: '100', volume: '0.01', maker: true };
  const played = { ...run, fills: [fill, { ...fill, side: 'ASK' }] };

  test('are counted, or compared in order', () => {
    expect(played).toHaveFills(2);
    expect(played).toHaveFills([{ price: '100.0' }, { side: 'ASK' }]);
    expect(played).not.toHaveFills(1);
    expect(played).not.toHaveFills([{ side: 'ASK' }, {}]);
    expect(() => expect(played).toHaveFills(3)).toThrow(
      /expected 3 fills; there were 2\n {2}\{"side":"BID"/u,
    );
    expect(() => expect(run).toHaveFills(0)).toThrow(/a run of playRecording/u);
  });
});
