/** The shares of time with orders at the exchange and at the best price, from samples. */
import { expect, test } from 'vitest';
import { PresenceSamples, sampledEveryMs } from '../../../../src/bot/status/presence-samples.ts';
import type { Side } from '../../../../src/domain/market.ts';
import type { OrderState } from '../../../../src/domain/order.ts';

type Seen = readonly [side: Side, price: number, state?: OrderState, pair?: string];

/** A strategy on XBTZAR whose book has the best prices 100 and 102. */
function samplesOf(status: 'ready' | 'running' | 'stopped' = 'running') {
  let live: readonly object[] = [];
  let top: object | undefined = { bid: 100, ask: 102 };
  const engine = {
    orders: {
      tracker: {
        get live() {
          return live;
        },
      },
    },
    markets: { get: () => ({ top }) },
    parts: { hosts: [{ settings: { id: 'mm', pairs: ['XBTZAR'] }, host: { status } }] },
  };
  const samples = new PresenceSamples(
    engine as unknown as ConstructorParameters<typeof PresenceSamples>[0],
  );
  return {
    presence: () => samples.of('mm', 'XBTZAR'),
    sample: (...orders: Seen[]) => {
      live = orders.map(([side, price, state = 'open', pair = 'XBTZAR']) => {
        return { strategyId: 'mm', pair, state, terms: { side, price } };
      });
      samples.sample();
    },
    loseBook: () => {
      top = undefined;
    },
  };
}

test('each side is counted alone, at the exchange and at the best price', () => {
  const { sample, presence } = samplesOf();
  sample(['BID', 100], ['ASK', 103]);
  sample(['BID', 99], ['BID', 98], ['ASK', 102]);
  sample(['BID', 99]);
  sample(['BID', 100, 'sending'], ['ASK', 102, 'waiting'], ['BID', 100, 'open', 'ETHZAR']);
  expect(presence()).toEqual({
    ...{ sampledEveryMs, seconds: 0.9 },
    ...{ bidQuoted: 0.75, askQuoted: 0.5, bothQuoted: 0.5, bidAtTouch: 0.25, askAtTouch: 0.25 },
  });
});

test('without a book an order is quoted, but at no best price', () => {
  const { sample, presence, loseBook } = samplesOf();
  loseBook();
  sample(['BID', 100]);
  expect(presence()).toMatchObject({ bidQuoted: 1, bidAtTouch: 0 });
});

test.each(['ready', 'stopped'] as const)(
  'the time of a strategy that is %s does not count',
  (status) => {
    const { sample, presence } = samplesOf(status);
    sample(['BID', 100]);
    expect(presence()).toMatchObject({ seconds: 0, bidQuoted: 0 });
  },
);
