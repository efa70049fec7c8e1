/** Which changes of a market its strategies receive, message by message. */
import { expect, test } from 'vitest';
import type { BookMessage, BookSnapshot, BookUpdate } from '../../../src/domain/book-message.ts';
import type { MarketStatus } from '../../../src/domain/market.ts';
import { EngineMarket } from '../../../src/engine/engine-market.ts';
import { market, openFacts, pairFacts } from '../risk/open-gate.ts';

const startedMs = 1_700_000_000_000;
const silenceMsMax = 5_000;

const snapshot: BookSnapshot = {
  sequence: '100',
  bids: [{ id: 'b1', price: '999.00', volume: '1' }],
  asks: [{ id: 'a1', price: '1001.00', volume: '2' }],
  status: 'ACTIVE',
  timestamp: startedMs,
};

/** A market that takes messages, one each second. */
class Stream {
  readonly market = new EngineMarket(
    { market, makerFee: '0', takerFee: '0', lastTrade: undefined },
    startedMs,
    silenceMsMax,
  );
  nowMs = startedMs;
  #sequence = 100;

  /** Applies a message; returns the kinds of the changes. */
  apply(message: BookMessage): readonly string[] {
    this.nowMs += 1_000;
    const result = this.market.apply(message, this.nowMs * 1_000);
    return this.market.changesOf(result, this.nowMs).map(({ kind }) => kind);
  }

  snapshot(): readonly string[] {
    this.#sequence = 100;
    return this.apply({ kind: 'snapshot', snapshot });
  }

  update(part: Partial<BookUpdate>): readonly string[] {
    const sequence = String(++this.#sequence);
    const update: BookUpdate = { sequence, trades: [], timestamp: this.nowMs, ...part };
    return this.apply({ kind: 'update', update });
  }

  create(orderId: string, side: 'BID' | 'ASK', price: string): readonly string[] {
    return this.update({ create: { orderId, side, price, volume: '1' } });
  }
}

test('a changed best price is emitted on both streams of the top, a changed volume on one', () => {
  const stream = new Stream();
  expect(stream.snapshot()).toEqual(['usable', 'top', 'topWithVolume']);
  expect(stream.create('b2', 'BID', '999.00')).toEqual(['topWithVolume']);
  expect(stream.create('b3', 'BID', '998.00')).toEqual([]);
  expect(stream.create('b4', 'BID', '999.50')).toEqual(['top', 'topWithVolume']);
  expect(stream.create('a2', 'ASK', '1000.50')).toEqual(['top', 'topWithVolume']);
  const taken = { sequence: '7', base: '0.5', counter: '500.25', takerOrderId: 't' };
  expect(stream.update({ trades: [{ ...taken, makerOrderId: 'a2' }] })).toEqual([
    'topWithVolume',
    'trade',
  ]);
  expect(stream.update({ delete: { orderId: 'a2' } })).toEqual(['top', 'topWithVolume']);
  expect(stream.update({ delete: { orderId: 'a1' } })).toEqual(['top', 'topWithVolume']);
  expect(stream.market.top).toMatchObject({ ask: undefined, askVolume: 0 });
});

test('a price that leaves and returns in one message is no change', () => {
  const stream = new Stream();
  stream.snapshot();
  const create = { orderId: 'b2', side: 'BID', price: '999.00', volume: '1' } as const;
  expect(stream.update({ create, delete: { orderId: 'b1' } })).toEqual([]);
});

test('nothing is emitted while the book is unusable, and the top when it is usable again', () => {
  const stream = new Stream();
  stream.snapshot();
  stream.update({ sequence: '500' });
  expect(stream.market.top).toBeUndefined();
  expect(stream.create('b9', 'BID', '1000.00')).toEqual([]);
  // The same prices as before.
  expect(stream.snapshot()).toEqual(['usable', 'top', 'topWithVolume']);
});

test('after a silence, a message makes the book usable and emits the top', () => {
  const stream = new Stream();
  stream.snapshot();
  stream.nowMs += silenceMsMax + 1;
  expect(stream.market.silentFromMicros).toBe(stream.nowMs * 1000);
  expect(stream.market.prices?.bestPrice('BID')).toBe(stream.market.top?.bid);
  stream.market.noteSilence();
  expect(stream.market.prices).toBeUndefined();
  expect(stream.market.silentFromMicros).toBe(Infinity);
  expect(stream.market.changesOf({ kind: 'ignored' }, stream.nowMs)).toMatchObject([
    { kind: 'usable', usable: false },
  ]);
  expect(stream.update({})).toEqual(['usable', 'top', 'topWithVolume']);
  expect(stream.update({})).toEqual([]);
});

test.each([
  // streamed, listed, closed by a refusal: what the gate sees
  ['ACTIVE', 'ACTIVE', false, 'ACTIVE'],
  ['ACTIVE', 'SUSPENDED', false, 'SUSPENDED'],
  ['POST_ONLY', 'ACTIVE', false, 'POST_ONLY'],
  ['POST_ONLY', 'SUSPENDED', false, 'SUSPENDED'],
  ['POST_ONLY', 'UNKNOWN', false, 'UNKNOWN'],
  ['DISABLED', 'SUSPENDED', false, 'DISABLED'],
  ['ACTIVE', 'ACTIVE', true, 'DISABLED'],
  ['POST_ONLY', 'SUSPENDED', true, 'DISABLED'],
] as const)(
  'streamed as %s and listed as %s, closed %s, it is %s',
  (status, listed, isClosed, seen) => {
    const stream = new Stream();
    stream.apply({ kind: 'snapshot', snapshot: { ...snapshot, status } });
    stream.market.noteRules({ ...market, status: listed });
    if (isClosed) stream.market.close();
    expect(statusOf(stream)).toBe(seen);
  },
);

test.each(['POST_ONLY', 'SUSPENDED', 'UNKNOWN', 'ACTIVE'] as const)(
  'a market that a refusal has closed is as strict as its list says: %s',
  (listed: MarketStatus) => {
    const stream = new Stream();
    stream.snapshot();
    stream.market.close();
    stream.market.noteStatus(listed);
    expect(statusOf(stream)).toBe(listed);
    expect(stream.market.isClosed).toBe(listed !== 'ACTIVE');
    // The list of all markets is older, and stricter.
    stream.market.noteRules(undefined);
    expect(statusOf(stream)).toBe('UNKNOWN');
  },
);

function statusOf(stream: Stream): MarketStatus | undefined {
  const facts = pairFacts(openFacts());
  stream.market.writeFacts(facts, stream.nowMs, 0);
  return facts.status;
}
