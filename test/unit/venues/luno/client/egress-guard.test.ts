/** The egress guard: each field in turn is changed between the commit and the request. */

import { describe, expect, test } from 'vitest';
import type { EgressCaps } from '../../../../../src/domain/bot-settings.ts';
import type { OrderRow, StoreRecord } from '../../../../../src/domain/records.ts';
import type { LeavingRequest } from '../../../../../src/venue/order-guard.ts';
import { EgressGuard } from '../../../../../src/venues/luno/client/egress-guard.ts';
import { createRequestWriter } from '../../../../../src/venues/luno/client/request-writer.ts';

const caps: EgressCaps = {
  file: 'egress.yaml',
  ordersPerMinuteMax: 3,
  pairs: { XBTZAR: { volumeMax: '0.02', valueMax: '15000' } },
  hash: 'hash',
};

const row: OrderRow = {
  intentId: 7,
  strategyId: 'mm',
  key: 'k7',
  level: 'bid',
  tag: undefined,
  pair: 'XBTZAR',
  side: 'BID',
  price: '1000000',
  volume: '0.010000',
  timeInForce: 'GTC',
  postOnly: true,
  stopDirection: undefined,
  stopPrice: undefined,
  pays: undefined,
  baseAccountId: '11',
  counterAccountId: '13',
  clientOrderId: 'b1-virtua22-7-abcdefgh',
  reason: 'test',
  createdMs: 1_000,
  validUntilMs: 11_000,
  expiresMs: undefined,
  state: 'sending',
  orderId: undefined,
  attempts: 1,
  lastTimestampMs: 1_001,
  lastTtlMs: 2_000,
  ambiguous: false,
  cancelRequestedMs: undefined,
  base: '0',
  counter: '0',
  feeBase: '0',
  feeCounter: '0',
  completedMs: undefined,
};

const write = createRequestWriter({
  authorization: () => 'Basic none',
  wallet: undefined,
  paths: {},
  allow: ['postorder', 'marketorder', 'stoporder', 'balance'],
});

/** Returns the finished request of an order. */
function written(order: OrderRow = row): LeavingRequest {
  const request = write('postorder', {
    pair: order.pair,
    type: order.side,
    price: order.price,
    volume: order.volume,
    time_in_force: order.timeInForce,
    ...(order.postOnly ? { post_only: true } : {}),
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    timestamp: order.lastTimestampMs,
    ttl: order.lastTtlMs,
    client_order_id: order.clientOrderId,
  });
  if ('refusal' in request) throw new Error(request.refusal);
  return request;
}

function approvalOf(order: OrderRow): StoreRecord {
  const { intentId, strategyId, pair, key } = order;
  return {
    kind: 'decision',
    atMs: 1_000,
    strategyId,
    pair,
    key,
    intentId,
    verdict: 'approved',
    refusals: '[]',
    inputs: '{}',
    limitsHash: 'c0ffee',
  };
}

function attemptOf(order: OrderRow): StoreRecord {
  return {
    kind: 'attempt',
    intentId: order.intentId,
    number: order.attempts,
    atMs: 1_001,
    timestampMs: order.lastTimestampMs ?? 0,
    ttlMs: order.lastTtlMs ?? 0,
  };
}

function recordsOf(order: OrderRow = row): readonly StoreRecord[] {
  return [{ kind: 'order', row: order }, approvalOf(order), attemptOf(order)];
}

function guardWith(records = recordsOf(), given: EgressCaps | 'none' = caps) {
  const clock = { micros: 0, monotonicMicros: () => clock.micros };
  const guard = new EgressGuard({ caps: given === 'none' ? undefined : given, clock });
  guard.noteCommitted(records);
  return { guard, clock };
}

/** Returns the finished request with a changed form. */
function changed(change: (form: URLSearchParams) => void): LeavingRequest {
  const request = written();
  const form = new URLSearchParams(request.body);
  change(form);
  return { ...request, body: form.toString() };
}

test('an approved and committed order is sent, once for each attempt', () => {
  const { guard } = guardWith();
  expect(guard.inspect(written())).toBeUndefined();
  const again = { ...row, attempts: 2, lastTimestampMs: 5_000 };
  guard.noteCommitted([{ kind: 'order', row: again }, attemptOf(again)]);
  expect(guard.inspect(written(again))).toBeUndefined();
  expect(guard.inspect(written(again))).toContain('no unsent attempt of');
});

describe('a market order', () => {
  const bought: OrderRow = {
    ...{ ...row, timeInForce: 'IOC', postOnly: false, pays: '9800' },
    price: '980000',
  };
  const sold: OrderRow = { ...bought, side: 'ASK', pays: '0.010000' };
  const sent = (order: OrderRow, pays = order.pays): LeavingRequest => {
    const request = write('marketorder', {
      pair: order.pair,
      ...(order.side === 'BID'
        ? { type: 'BUY', counter_volume: pays }
        : { type: 'SELL', base_volume: pays }),
      base_account_id: order.baseAccountId,
      counter_account_id: order.counterAccountId,
      timestamp: order.lastTimestampMs,
      ttl: order.lastTtlMs,
      client_order_id: order.clientOrderId,
    });
    if ('refusal' in request) throw new Error(request.refusal);
    return request;
  };

  test('is sent as what it pays', () => {
    expect(guardWith(recordsOf(bought)).guard.inspect(sent(bought))).toBeUndefined();
    expect(guardWith(recordsOf(sold)).guard.inspect(sent(sold))).toBeUndefined();
  });

  test('is blocked if it pays anything else, or is another kind of order', () => {
    expect(guardWith(recordsOf(bought)).guard.inspect(sent(bought, '9801'))).toContain(
      'counter_volume is "9801", but "9800" was committed',
    );
    expect(guardWith(recordsOf(bought)).guard.inspect(written(bought))).toContain(
      'sent to /api/1/postorder, but /api/1/marketorder was committed',
    );
    expect(guardWith().guard.inspect(sent(bought))).toContain(
      'sent to /api/1/marketorder, but /api/1/postorder was committed',
    );
  });

  test('has the caps of what it counts as', () => {
    const large = { ...bought, volume: '0.020001', pays: '15001' };
    expect(guardWith(recordsOf(large)).guard.inspect(sent(large))).toContain(
      'volume 0.020001 is above the egress cap of 0.02',
    );
  });

  test('has the caps of what leaves, too, if it counts as less', () => {
    const spends = { ...bought, pays: '15001' };
    expect(guardWith(recordsOf(spends)).guard.inspect(sent(spends))).toContain(
      'counter_volume 15001 is above the egress cap of 15000',
    );
    const sells = { ...sold, pays: '0.020001' };
    expect(guardWith(recordsOf(sells)).guard.inspect(sent(sells))).toContain(
      'base_volume 0.020001 is above the egress cap of 0.02',
    );
  });
});

describe('a change between the commit and the request is blocked:', () => {
  const fields: readonly (readonly [name: string, value: string | undefined, says: string])[] = [
    [
      'client_order_id',
      'b1-virtua22-8-abcdefgh',
      'no order "b1-virtua22-8-abcdefgh" was committed',
    ],
    ['client_order_id', undefined, 'no order "" was committed'],
    ['pair', 'XBTEUR', 'pair is "XBTEUR", but "XBTZAR" was committed'],
    ['type', 'ASK', 'type is "ASK", but "BID" was committed'],
    ['price', '1000001', 'price is "1000001", but "1000000" was committed'],
    ['price', '10000000', 'price is "10000000", but "1000000" was committed'],
    ['volume', '0.100000', 'volume is "0.100000", but "0.010000" was committed'],
    ['time_in_force', 'IOC', 'time_in_force is "IOC", but "GTC" was committed'],
    ['time_in_force', undefined, 'time_in_force is left out, but "GTC" was committed'],
    ['post_only', 'false', 'post_only is "false", but "true" was committed'],
    ['post_only', undefined, 'post_only is left out, but "true" was committed'],
    ['base_account_id', '12', 'base_account_id is "12", but "11" was committed'],
    ['counter_account_id', '14', 'counter_account_id is "14", but "13" was committed'],
    ['timestamp', '1002', 'timestamp is "1002", but "1001" was committed'],
    ['timestamp', undefined, 'timestamp is left out, but "1001" was committed'],
    ['ttl', '10000', 'ttl is "10000", but "2000" was committed'],
    ['ttl', undefined, 'ttl is left out, but "2000" was committed'],
    ['leverage', '3', 'leverage is "3", but left out was committed'],
    ['stop_price', '900000', 'stop_price is "900000", but left out was committed'],
  ];
  test.each(fields)('%s = %s', (name, value, says) => {
    const { guard } = guardWith();
    const request = changed((form) =>
      value === undefined ? form.delete(name) : form.set(name, value),
    );
    expect(guard.inspect(request)).toContain(says);
    // The fault may happen again, so no order is sent any more, not even a correct one.
    expect(guard.inspect(written())).toContain(says);
  });

  test.each(['2', '2 3'])('a duplicate field, escaped or not: %s', (value) => {
    const request = changed((form) => form.append('price', value));
    expect(guardWith().guard.inspect(request)).toContain('a duplicate field');
  });

  test.each(['x', 'x=', 'x=1=2', 'x+y', 'x%3D1', '%20'])('a field too many: %s', (field) => {
    const request = { ...written(), body: `${written().body}&${field}` };
    const name = [...new URLSearchParams(field).keys()][0];
    expect(guardWith().guard.inspect(request)).toContain(`: ${name} is`);
  });

  test('but not if only an empty field is too many', () => {
    const request = { ...written(), body: `${written().body}&&` };
    expect(guardWith().guard.inspect(request)).toBeUndefined();
  });

  test.each([
    ['PUT', '/api/1/postorder'],
    ['POST', '/api/1/postorder/'],
    ['POST', '/api/1/postorder?price=2'],
    ['POST', '/api/1/send'],
    ['DELETE', '/api/1/withdrawals/1'],
  ])('the method or the path: %s %s', (method, path) => {
    const { guard } = guardWith();
    expect(guard.inspect({ ...written(), method, path })).toContain(
      'not a request that a bot sends',
    );
  });
});

describe('an order is blocked that', () => {
  test('was not committed', () => {
    expect(guardWith([]).guard.inspect(written())).toContain('was committed');
  });

  test('was committed without its approval', () => {
    const [order, , attempt] = recordsOf() as [StoreRecord, StoreRecord, StoreRecord];
    const other = approvalOf({ ...row, intentId: 8 });
    for (const records of [
      [order, attempt],
      [order, other, attempt],
    ])
      expect(guardWith(records).guard.inspect(written())).toContain('no approval of');
  });

  test('has no committed attempt', () => {
    const { guard } = guardWith(recordsOf().slice(0, 2));
    expect(guard.inspect(written())).toContain('no unsent attempt of');
  });

  test('has other terms in a later commit', () => {
    const { guard } = guardWith();
    const dearer = { ...row, price: '1400000' };
    guard.noteCommitted([{ kind: 'order', row: dearer }]);
    expect(guard.inspect(written(dearer))).toContain('but "1000000" was committed');
  });

  test('ended in an earlier batch than its attempt', () => {
    const ended = { ...row, state: 'filled' } as const;
    const { guard } = guardWith([...recordsOf(), { kind: 'order', row: ended }]);
    expect(guard.inspect(written())).toBeUndefined();
    const later = guardWith([...recordsOf(), { kind: 'order', row: ended }]).guard;
    later.noteCommitted([]);
    expect(later.inspect(written())).toContain('was committed');
  });
});

test('an order of an earlier run is known, and its earlier attempts are not sent again', () => {
  const { guard } = guardWith([]);
  guard.noteRestored([row]);
  const again = { ...row, attempts: 2, lastTimestampMs: 9_000 };
  guard.noteCommitted([{ kind: 'order', row: again }, attemptOf(again)]);
  expect(guard.inspect(written(again))).toBeUndefined();
  const { guard: other } = guardWith([]);
  other.noteRestored([row]);
  other.noteCommitted([attemptOf(row)]);
  expect(other.inspect(written())).toContain('no unsent attempt of');
});

describe('the caps also hold for approved and committed orders:', () => {
  const attempt = (order: OrderRow, given = caps) =>
    guardWith(recordsOf(order), given).guard.inspect(written(order));

  test('volume', () => {
    expect(attempt({ ...row, volume: '0.020000', price: '1000' })).toBeUndefined();
    expect(attempt({ ...row, volume: '0.020001', price: '1000' })).toContain(
      'volume 0.020001 is above the egress cap of 0.02',
    );
  });

  test('value', () => {
    expect(attempt({ ...row, price: '1500000' })).toBeUndefined();
    expect(attempt({ ...row, price: '1500001' })).toContain(
      'value 15000.01 is above the egress cap of 15000',
    );
  });

  test('pairs', () => {
    for (const pair of ['XBTEUR', 'toString'])
      expect(attempt({ ...row, pair })).toContain(`pair ${pair} has no egress cap`);
  });

  test('orders per minute', () => {
    const { guard, clock } = guardWith([]);
    const send = (number: number) => {
      const order = { ...row, attempts: number };
      guard.noteCommitted(recordsOf(order));
      return guard.inspect(written(order));
    };
    for (let number = 1; number <= 3; number++) expect(send(number)).toBeUndefined();
    clock.micros = 60_000_000;
    expect(send(4)).toBeUndefined();
    expect(send(5)).toBeUndefined();
    expect(send(6)).toBeUndefined();
    expect(send(7)).toContain('3 orders were sent within a minute, the egress cap is 3');
  });

  test('without caps, the order is still compared with the commit', () => {
    const huge = { ...row, volume: '900.000000' };
    expect(guardWith(recordsOf(huge), 'none').guard.inspect(written(huge))).toBeUndefined();
    const { guard } = guardWith(recordsOf(), 'none');
    expect(guard.inspect(changed((form) => form.set('price', '1')))).toContain('price is "1"');
  });
});

test('after a block, plain cancels and reads are still sent', () => {
  const { guard } = guardWith([]);
  expect(guard.inspect(written())).toContain('was committed');
  const cancel = write('stoporder', { order_id: 'BXABC' });
  if ('refusal' in cancel) throw new Error(cancel.refusal);
  expect(guard.inspect(cancel)).toBeUndefined();
  for (const body of [undefined, '', 'order_id=', 'order_id=A&order_id=B', 'order_id=A&price=1'])
    expect(guard.inspect({ ...cancel, body })).toContain('nothing else');
  expect(guard.inspect({ method: 'GET', path: '/api/1/balance' })).toBeUndefined();
});
