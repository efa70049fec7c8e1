/** Replies of every kind, with any figures, are read from a journal as they were written. */
import { expect, test } from 'vitest';
import type { Amount } from '../../../src/domain/amount.ts';
import { lotsOf, ticksOf } from '../../../src/domain/ticks-and-lots.ts';
import type { EngineEvent } from '../../../src/engine/event.ts';
import {
  decodeEvent,
  decodeLine,
  encodeBatch,
  type JournalBatch,
} from '../../../src/engine/journal.ts';
import type { Answers, Failure, Page, VenueReply } from '../../../src/venue/venue-reply.ts';
import type { RequestKind } from '../../../src/venue/venue-request.ts';
import { lunoMarketFrames } from '../../../src/venues/luno/adapter/stream-frames.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const random = new SeededRandom(8);

function amount(): Amount {
  const digits = random.integer(0, 40);
  const text = Array.from({ length: digits }, () => random.integer(0, 9)).join('');
  return BigInt(text || 0) * (random.fraction() < 0.3 ? -1n : 1n);
}

const sums = () => ({ base: amount(), counter: amount(), feeBase: amount(), feeCounter: amount() });
const wrong = () => ({
  subject: 'order BX1',
  field: 'volume',
  value: '-1',
  rule: 'must be above 0',
});
const ids = () => ({
  orderId: `BX${random.integer(0, 9)}`,
  clientOrderId: random.pick(['', 'b1-a']),
});

function pageOf<Row>(row: () => Row): Page<Row> {
  const rows = Array.from({ length: random.integer(0, 3) }, row);
  const rest = { rows, wrong: random.fraction() < 0.5 ? [] : [wrong()] };
  return random.fraction() < 0.5 ? { ...rest, next: '7!' } : { ...rest, end: 'complete' };
}

const order = (): Answers['order'] => ({
  ...{ ...ids(), pair: 'XBTZAR', side: 'BID', type: 'limit', price: amount(), volume: amount() },
  ...{ timeInForce: 'GTC', baseAccount: '1', counterAccount: '2', sums: sums(), isEnded: false },
  ...{ createdMs: 1, endedMs: 2 },
});

const answers: { readonly [Kind in RequestKind]: () => Answers[Kind] } = {
  place: () => ({ orderId: 'BX1' }),
  cancel: () => 'taken',
  order,
  orders: () => pageOf(order),
  'own-trades': () =>
    pageOf(() => ({
      ...{ pair: 'XBTZAR', sequence: '9007199254740993', ...ids(), side: 'ASK', isMaker: true },
      ...{ price: amount(), volume: amount(), sums: sums(), atMs: 3 },
    })),
  movements: () =>
    pageOf(() => ({
      ...{ row: 4, atMs: 5, currency: 'XBT', kind: 'EXCHANGE', delta: amount(), balance: amount() },
      ...{ availableDelta: amount(), available: amount(), text: '"e18"' },
      trade: random.fraction() < 0.5 ? undefined : { pair: 'XBTZAR', sequence: '8' },
    })),
  balances: () => [{ account: '1', currency: 'XBT', balance: amount(), available: amount() }],
  markets: () =>
    pageOf(() => ({
      ...{
        pair: 'XBTZAR',
        base: 'XBT',
        counter: 'ZAR',
        priceScale: 0,
        volumeScale: 6,
        feeScale: 8,
      },
      ...{ priceMin: ticksOf(1), priceMax: ticksOf(Number.MAX_SAFE_INTEGER) },
      ...{ volumeMin: lotsOf(1), volumeMax: lotsOf(9), status: 'ACTIVE' },
    })),
  fees: () => ({ maker: '0', taker: '0.001' }),
  'last-trade': () => (random.fraction() < 0.5 ? undefined : { price: amount(), atMs: 6 }),
  prices: () => pageOf(() => ({ pair: 'XBTZAR', bid: amount(), ask: undefined, last: amount() })),
  candles: () =>
    pageOf(() => ({
      ...{ startMs: 7, open: amount(), high: amount(), low: amount(), close: amount() },
      volume: amount(),
    })),
};

const failures: readonly Failure[] = [
  { kind: 'not-sent', why: 'withdrawn', isBlocked: true },
  { kind: 'no-answer', why: 'reset', wrong: wrong(), venueTimeMs: 8 },
  {
    ...{ kind: 'refused', reason: 'unclear', closesMarket: true, code: '503 ErrX', text: 'no' },
    ...{ retryAfterMs: 9, venueTimeMs: 10, callLimit: { perMinute: 300, remaining: 1 } },
  },
];

function readBack(reply: VenueReply): EngineEvent {
  const event: EngineEvent = { kind: 'reply', request: 1, reply };
  const batch = { commit: 1, events: [{ atMicros: 1, event }], effects: [], records: [] };
  const { events } = decodeLine(encodeBatch(batch).trimEnd()) as JournalBatch;
  return decodeEvent(events[0]?.[1], lunoMarketFrames);
}

test.each(Object.keys(answers) as RequestKind[])('an answer to %s', (kind) => {
  for (let n = 0; n < 50; n++) {
    const reply: VenueReply = { kind: 'ok', value: answers[kind](), venueTimeMs: n };
    expect(readBack(reply)).toEqual({ kind: 'reply', request: 1, reply });
  }
});

test('a failure', () => {
  for (const reply of failures)
    expect(readBack(reply)).toEqual({ kind: 'reply', request: 1, reply });
});
