/** Replies that reach us at the same time: taken together, or each as an event. */
import { expect, test } from 'vitest';
import { ReplayExchange } from '../../../src/replay-exchange/port/replay-exchange.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { replayMarket, replayRates } from '../../support/replay-market.ts';

const us = (count: number) => ({ kind: 'fixed', us: count }) as const;

/** Sends two requests at once and a third later; returns the numbers in the replies. */
function answered(takesTogether: boolean): { together: number[][]; events: number[] } {
  let nowMicros = 1_700_000_000_000_000;
  const together: number[][] = [];
  const events: number[] = [];
  const port = new ReplayExchange({
    profile: lunoProfile,
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '100' },
    latencies: { feed: us(10), request: us(100), answer: us(1_000) },
    seed: 1,
    nowMicros: () => nowMicros,
    onReplies: takesTogether
      ? (replies) => together.push(replies.map(({ request }) => request))
      : undefined,
  });
  port.open((event) => {
    if (event.kind === 'reply') events.push(event.request);
  });
  const send = (request: number, kind: 'markets' | 'balances') =>
    port.request({ kind: 'request', request, call: { kind }, deadlineMs: 4_000 });
  send(1, 'markets');
  send(2, 'balances');
  nowMicros += 5;
  send(3, 'markets');
  while (port.nextDueMicros < Infinity) {
    nowMicros = port.nextDueMicros;
    port.deliverNext();
  }
  return { together, events };
}

test('replies that are due at the same time can be taken together', () => {
  expect(answered(true)).toEqual({ together: [[1, 2], [3]], events: [] });
});

test('without a taker each reply is an event', () => {
  expect(answered(false)).toEqual({ together: [], events: [1, 2, 3] });
});
