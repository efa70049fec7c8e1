/** Validation of a plugin's intents: only a valid intent passes, whatever JavaScript emits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.ts';
import { type LastIntents, validateIntent } from '../../../src/strategy/validate-intent.ts';

const pairs = { traded: new Set(['XBTZAR']), seen: ['XBTZAR', 'ETHXBT'] };
const scope = { pairs, parts: new Set(['exit']) };
const terms = { side: 'BID', price: 100, volume: 5 };
const place = { kind: 'place', pair: 'XBTZAR', key: 'a', terms, reason: 'why' };
const order = { level: 'bid', ...terms, postOnly: true };
const ask = { ...order, level: 'ask', side: 'ASK', price: 101 };
const quote = {
  kind: 'quote',
  pair: 'XBTZAR',
  orders: [order, ask],
  toleranceTicks: 2,
  reason: 'why',
};

describe('validateIntent', () => {
  it.each<[string, unknown]>([
    ['a quote', quote],
    ['a quote without orders', { ...quote, orders: [] }],
    ['a quote without tolerance', { ...quote, toleranceTicks: undefined }],
    ['a quote that moves by cancels', { ...quote, onMove: 'cancel' }],
    ['a place', place],
    [
      'a place with every member',
      { ...place, terms: { ...terms, timeInForce: 'IOC', postOnly: false } },
    ],
    [
      'a place with a stop',
      { ...place, terms: { ...terms, stop: { price: 110, direction: 'BELOW' } } },
    ],
    ['a market sale', { ...place, terms: { type: 'market', side: 'ASK', volume: 5 } }],
    ['a market buy', { ...place, terms: { type: 'market', side: 'BID', spend: '10.5' } }],
    [
      'a place with the terms of an own order',
      { ...place, terms: { ...terms, stop: undefined, pays: undefined } },
    ],
    [
      'a place with a stop on its usual side',
      { ...place, terms: { ...terms, stop: { price: 110 } } },
    ],
    ['a place that expires', { ...place, expiresMs: 1_750_000_000_000 }],
    ['a place with reduceOnly', { ...place, reduceOnly: true }],
    ['a place with a tag', { ...place, tag: 'rebalance' }],
    [
      'a quote with tags',
      { ...quote, orders: quote.orders.map((one) => ({ ...one, tag: 'a.1' })) },
    ],
    ['a cancel', { kind: 'cancel', pair: 'XBTZAR', key: 'a', reason: 'why' }],
    ['a cancel of all', { kind: 'cancelAll', pair: 'XBTZAR', reason: 'why' }],
    ['an idle', { kind: 'idle', pair: 'XBTZAR', reason: 'why' }],
    ['a remember', { kind: 'remember', state: { a: 1 } }],
    ['an object without prototype', Object.assign(Object.create(null), place)],
  ])('%s passes, copied and frozen', (_name, value) => {
    const result = validateIntent(value, scope);
    expect(result.kind === 'valid' ? result.intent : result).toEqual(
      JSON.parse(JSON.stringify(value)),
    );
    if (result.kind !== 'valid') return;
    expect(result.intent).not.toBe(value);
    expect(Object.isFrozen(result.intent)).toBe(true);
    if (result.intent.kind === 'quote') {
      expect(Object.isFrozen(result.intent.orders)).toBe(true);
      expect(result.intent.orders.every(Object.isFrozen)).toBe(true);
    }
    if (result.intent.kind === 'place') expect(Object.isFrozen(result.intent.terms)).toBe(true);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /intent must be an object/],
    [
      'an expiry that is no number',
      { ...place, expiresMs: '10s' },
      /^expiresMs must be a time in whole milliseconds, as context\.nowMs\(\) \+ 60_000, was "10s"/,
    ],
    ['an expiry without end', { ...place, expiresMs: Infinity }, /^expiresMs must be a time/],
    ['an expiry beyond all dates', { ...place, expiresMs: 9e15 }, /^expiresMs must be a time/],
    ['an expiry before 1970', { ...place, expiresMs: -1 }, /^expiresMs must be a time/],
    [
      'terms of another type',
      { ...place, terms: { ...terms, type: 'limit' } },
      /^terms\.type must be market, or left out for another order, was "limit"/,
    ],
    [
      'a market order with a price',
      { ...place, terms: { type: 'market', side: 'ASK', volume: 5, price: 1 } },
      /^terms of a market sale has no member price; it has type, side, volume/,
    ],
    [
      'a market buy of a volume',
      { ...place, terms: { type: 'market', side: 'BID', volume: 5 } },
      /^terms of a market buy has no member volume; it has type, side, spend/,
    ],
    [
      'a market buy for nothing',
      { ...place, terms: { type: 'market', side: 'BID', spend: '0' } },
      /^terms\.spend must be an amount above 0, .*, was "0"/,
    ],
    [
      'a market buy for a number',
      { ...place, terms: { type: 'market', side: 'BID', spend: 10 } },
      /^terms\.spend must be an amount above 0, .*, was 10/,
    ],
    [
      'a market buy for what is not a number',
      { ...place, terms: { type: 'market', side: 'BID', spend: new Decimal(Number.NaN) } },
      /^terms\.spend must be an amount above 0, .*, was the Decimal NaN/,
    ],
    [
      'a market order of no side',
      { ...place, terms: { type: 'market', volume: 5 } },
      /^terms\.side must be BID or ASK, was undefined/,
    ],
    [
      "the terms of a market order's view",
      { ...place, terms: { ...terms, pays: '10' } },
      /^terms\.pays must be left out: a market order is/,
    ],
    [
      'a stop of half a tick',
      { ...place, terms: { ...terms, stop: { price: 110.5 } } },
      /^terms\.stop\.price must be a whole number of ticks from 1.*, was 110\.5/,
    ],
    [
      'a stop that is a price',
      { ...place, terms: { ...terms, stop: 110 } },
      /^terms\.stop must be an object with a price, was 110/,
    ],
    [
      'a stop with another direction',
      { ...place, terms: { ...terms, stop: { price: 110, direction: 'up' } } },
      /^terms\.stop\.direction must be ABOVE or BELOW, was "up"/,
    ],
    [
      'a stop with another member',
      { ...place, terms: { ...terms, stop: { price: 110, limit: 5 } } },
      /^terms\.stop has no member limit; it has price, direction/,
    ],
    [
      'a stop in a quote',
      { ...quote, orders: [{ ...order, stop: { price: 110 } }] },
      /^orders\[\] has no member stop/,
    ],
    ['a tag of 10 kB', { ...place, tag: 'x'.repeat(10_240) }, /^tag must be 1 to 64 letters/],
    [
      'a tag that is script',
      { ...quote, orders: quote.orders.map((one) => ({ ...one, tag: '<script>' })) },
      /^tag must be 1 to 64 letters, .*, was "<script>"$/,
    ],
    ['a promise', Promise.resolve(place), /intent must be an object, was a promise/],
    [
      'a price between two ticks',
      { ...place, terms: { ...terms, price: 0.5 } },
      /^terms\.price must be a whole number of ticks from 1, as .* return, was 0\.5$/,
    ],
    [
      'a volume as text, in the second order of a quote',
      {
        kind: 'quote',
        pair: 'XBTZAR',
        reason: 'r',
        orders: [
          { level: 'a', ...terms },
          { level: 'b', ...terms, volume: '0.01' },
        ],
      },
      /^orders\[1\]\.volume must be a whole number of lots from 1, .*, was "0\.01"$/,
    ],
    ['a list', [place], /intent must be an object/],
    ['an unknown kind', { ...place, kind: 'market' }, /kind must be/],
    ['no kind', {}, /kind must be/],
    ['an inherited kind', Object.create(place), /intent must be an object/],
    ['another pair', { ...place, pair: 'ETHZAR' }, /pair must be one of/],
    ['a watched pair', { ...place, pair: 'ETHXBT' }, /only watches ETHXBT: to trade it, move it/],
    ['a pair that is a list', { ...place, pair: ['XBTZAR'] }, /pair must be one of/],
    ['an unknown member', { ...place, stopPrice: 5 }, /no member stopPrice/],
    ['an unknown term', { ...place, terms: { ...terms, ttl: 5 } }, /no member ttl/],
    [
      '__proto__',
      JSON.parse('{"kind":"idle","pair":"XBTZAR","reason":"r","__proto__":{}}'),
      /__proto__/,
    ],
    ['an empty key', { ...place, key: '' }, /key must be/],
    ['a huge key', { ...place, key: 'k'.repeat(65) }, /key must be/],
    ['a key with a space', { ...place, key: 'a b' }, /key must be/],
    ['a number as key', { ...place, key: 7 }, /key must be/],
    ['no reason', { ...place, reason: '' }, /reason must not be empty: say why/],
    ['a huge reason', { ...place, reason: 'r'.repeat(1_001) }, /reason must be/],
    ['no terms', { ...place, terms: undefined }, /terms must be/],
    ['an unknown side', { ...place, terms: { ...terms, side: 'BUY' } }, /side must be/],
    [
      'an unknown time in force',
      { ...place, terms: { ...terms, timeInForce: 'DAY' } },
      /timeInForce/,
    ],
    ['reduceOnly as text', { ...place, reduceOnly: 'true' }, /reduceOnly/],
    ['postOnly as text', { ...place, terms: { ...terms, postOnly: 'true' } }, /postOnly/],
    ['a quote that is IOC', { ...quote, orders: [{ ...order, timeInForce: 'IOC' }] }, /GTC/],
    ['a level twice', { ...quote, orders: [order, order] }, /must have its own level/],
    ['too many levels', { ...quote, orders: Array(51).fill(order) }, /at most 50/],
    ['a sparse list', { ...quote, orders: Array(3) }, /orders\[0\] must be/],
    ['orders that only look like a list', { ...quote, orders: { length: 1, 0: order } }, /a list/],
    ['a negative tolerance', { ...quote, toleranceTicks: -1 }, /toleranceTicks/],
    ['an unknown move', { ...quote, onMove: 'overlap' }, /^onMove must be cancel, or left out/],
    ['a crossed quote', { ...quote, orders: [order, { ...ask, price: 99 }] }, /crosses itself/],
    ['a locked quote', { ...quote, orders: [order, { ...ask, price: 100 }] }, /crosses itself/],
    [
      'a getter that throws',
      {
        ...place,
        get key() {
          throw new Error('trap');
        },
      },
      /trap/,
    ],
    ['a revoked proxy', revoked(), /cannot be read/],
  ])('%s is refused', (_name, value, problem) => {
    const result = validateIntent(value, scope);
    expect(result.kind === 'invalid' ? result.problem : result).toMatch(problem);
  });

  const badNumbers = [
    Number.NaN,
    0,
    -1,
    1.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    '5',
    5n,
    null,
    undefined,
  ];
  it.each(badNumbers)('price and volume %s are refused', (value) => {
    for (const name of ['price', 'volume']) {
      const result = validateIntent({ ...place, terms: { ...terms, [name]: value } }, scope);
      expect(result).toMatchObject({ kind: 'invalid', problem: expect.stringMatching(name) });
    }
  });

  it('a member is read once, since it may change between two readings', () => {
    let reads = 0;
    const shifty = {
      ...terms,
      get price() {
        reads += 1;
        return reads === 1 ? 100 : Number.NaN;
      },
    };
    expect(validateIntent({ ...place, terms: shifty }, scope)).toMatchObject({
      kind: 'valid',
      intent: { terms: { price: 100 } },
    });
  });

  it('returns what equals a part of the last quote of the pair as that part', () => {
    const last: LastIntents = { quotes: new Map(), idle: undefined };
    const read = (value: unknown) => {
      const result = validateIntent(value, scope, last);
      if (result.kind === 'valid' && result.intent.kind === 'quote') return result.intent;
      throw new Error(JSON.stringify(result));
    };
    const first = read(quote);
    expect(read(structuredClone(quote))).toBe(first);
    const moved = read({ ...quote, orders: [order, { ...ask, price: 102 }] });
    expect(moved.orders.map(({ price }) => price)).toEqual([100, 102]);
    expect(moved.orders[0]).toBe(first.orders[0]);
    expect(Object.isFrozen(moved.orders)).toBe(true);
    const why = read({ ...quote, orders: [order, { ...ask, price: 102 }], reason: 'other' });
    expect([why.reason, why.orders]).toEqual(['other', moved.orders]);
    const cancelling = read({ ...quote, onMove: 'cancel' });
    expect([cancelling.onMove, read({ ...quote, onMove: 'cancel' })]).toEqual([
      'cancel',
      cancelling,
    ]);
    expect(read(quote)).toEqual(quote);
    expect(read({ ...quote, orders: [ask, order] }).orders).toEqual([ask, order]);
    expect(validateIntent({ ...quote, extra: 1 }, scope, last).kind).toBe('invalid');
    const crossing = { ...quote, orders: [ask, { ...order, price: 101 }] };
    expect(validateIntent(crossing, scope, last)).toMatchObject({ code: 'QUOTE_CROSSED' });
  });

  it('returns an idle intent that equals the last one as that object', () => {
    const last: LastIntents = { quotes: new Map(), idle: undefined };
    const read = (value: unknown) => {
      const result = validateIntent(value, scope, last);
      if (result.kind === 'valid') return result.intent;
      throw new Error(JSON.stringify(result));
    };
    const idle = { kind: 'idle', pair: quote.pair, reason: 'nothing to do' };
    const first = read(idle);
    expect(first).toEqual(idle);
    expect(Object.isFrozen(first)).toBe(true);
    expect(read({ ...idle })).toBe(first);
    expect(read({ ...idle, reason: 'other' })).toMatchObject({ reason: 'other' });
    expect(validateIntent({ ...idle, extra: 1 }, scope, last).kind).toBe('invalid');
    expect(validateIntent({ ...idle, pair: 'other' }, scope, last).kind).toBe('invalid');
  });

  it('the last quote makes no difference to the result', () => {
    const one = fc.record(
      {
        level: fc.constantFrom('a', 'b', 'bad level'),
        side: fc.constantFrom('BID', 'ASK'),
        price: fc.constantFrom(1, 2, 0.5),
        volume: fc.constantFrom(1, 2, '1'),
        timeInForce: fc.constantFrom('GTC', 'IOC', undefined),
        postOnly: fc.constantFrom(true, false, undefined, 1),
        other: fc.constant(1),
      },
      { requiredKeys: ['level', 'side', 'price', 'volume'] },
    );
    const any = fc.record({
      kind: fc.constant('quote'),
      pair: fc.constantFrom('XBTZAR', 'XBTZAR', 'Y'),
      orders: fc.array(one, { maxLength: 3 }),
      toleranceTicks: fc.constantFrom(undefined, 0, 1, -1),
      reason: fc.constantFrom('why', 'other', ''),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (values) => {
        const last: LastIntents = { quotes: new Map(), idle: undefined };
        for (const value of values.flatMap((each) => [each, each]))
          expect(validateIntent(value, scope, last)).toEqual(validateIntent(value, scope));
      }),
    );
  });

  it('never throws, and a valid intent passes again unchanged', () => {
    const anything = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
      fc.record(
        {
          kind: fc.constantFrom('quote', 'place', 'cancel', 'idle', 'remember', 'x'),
          pair: fc.constantFrom('XBTZAR', 'Y'),
          key: fc.oneof(fc.string(), fc.constant('k')),
          reason: fc.string(),
          terms: fc.oneof(fc.constant(terms), fc.anything()),
          orders: fc.oneof(fc.constant([order]), fc.anything()),
        },
        { requiredKeys: ['kind'] },
      ),
    );
    fc.assert(
      fc.property(anything, (value) => {
        const result = validateIntent(value, scope);
        if (result.kind === 'valid') expect(validateIntent(result.intent, scope)).toEqual(result);
      }),
    );
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
