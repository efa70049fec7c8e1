/**
 * The egress guard, with each comparison broken in turn: one field is changed between what was
 * committed and what would leave.
 */
import { describe, expect, test } from 'vitest';
import { EgressGuard, type LeavingRequest } from '../../../src/client/egress-guard.ts';
import { createRequestWriter } from '../../../src/client/request-writer.ts';
import type { EgressCaps } from '../../../src/domain/bot-settings.ts';
import type { OrderRow, StoreRecord } from '../../../src/domain/records.ts';

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
  pair: 'XBTZAR',
  side: 'BID',
  price: '1000000',
  volume: '0.010000',
  timeInForce: 'GTC',
  postOnly: true,
  baseAccountId: '11',
  counterAccountId: '13',
  clientOrderId: 'b1-virtua22-7-abcdefgh',
  reason: 'test',
  createdMs: 1_000,
  validUntilMs: 11_000,
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
  allow: ['postorder', 'stoporder', 'balance'],
});

/** The request that the executor asks for, as the client finishes it. */
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

/** The request with its form changed. */
function changed(change: (form: URLSearchParams) => void): LeavingRequest {
  const request = written();
  const form = new URLSearchParams(request.body);
  change(form);
  return { ...request, body: form.toString() };
}

test('what was approved and committed leaves, once for each attempt', () => {
  const { guard } = guardWith();
  expect(guard.inspect(written())).toBeUndefined();
  const again = { ...row, attempts: 2, lastTimestampMs: 5_000 };
  guard.noteCommitted([{ kind: 'order', row: again }, attemptOf(again)]);
  expect(guard.inspect(written(again))).toBeUndefined();
  expect(guard.inspect(written(again))).toContain('no attempt of');
});

describe('one field that changes between the commit and the wire is blocked:', () => {
  const fields: readonly (readonly [name: string, value: string | undefined, says: string])[] = [
    [
      'client_order_id',
      'b1-virtua22-8-abcdefgh',
      'no order "b1-virtua22-8-abcdefgh" was committed',
    ],
    ['client_order_id', undefined, 'no order "" was committed'],
    ['pair', 'XBTEUR', 'pair is "XBTEUR", committed was "XBTZAR"'],
    ['type', 'ASK', 'type is "ASK", committed was "BID"'],
    ['price', '1000001', 'price is "1000001", committed was "1000000"'],
    ['price', '10000000', 'price is "10000000", committed was "1000000"'],
    ['volume', '0.100000', 'volume is "0.100000", committed was "0.010000"'],
    ['time_in_force', 'IOC', 'time_in_force is "IOC", committed was "GTC"'],
    ['time_in_force', undefined, 'time_in_force is left out, committed was "GTC"'],
    ['post_only', 'false', 'post_only is "false", committed was "true"'],
    ['post_only', undefined, 'post_only is left out, committed was "true"'],
    ['base_account_id', '12', 'base_account_id is "12", committed was "11"'],
    ['counter_account_id', '14', 'counter_account_id is "14", committed was "13"'],
    ['timestamp', '1002', 'timestamp is "1002", committed was "1001"'],
    ['timestamp', undefined, 'timestamp is left out, committed was "1001"'],
    ['ttl', '10000', 'ttl is "10000", committed was "2000"'],
    ['ttl', undefined, 'ttl is left out, committed was "2000"'],
    ['leverage', '3', 'leverage is "3", committed was left out'],
    ['stop_price', '900000', 'stop_price is "900000", committed was left out'],
  ];
  test.each(fields)('%s = %s', (name, value, says) => {
    const { guard } = guardWith();
    const request = changed((form) =>
      value === undefined ? form.delete(name) : form.set(name, value),
    );
    expect(guard.inspect(request)).toContain(says);
    // Whatever went wrong may go wrong again: nothing leaves any more, not even what is right.
    expect(guard.inspect(written())).toContain(says);
    expect(guard.blocked).toContain(says);
  });

  test('a field that is there twice', () => {
    const request = changed((form) => form.append('price', '2'));
    expect(guardWith().guard.inspect(request)).toContain('a field twice');
  });

  test.each([
    ['POST', '/api/1/marketorder'],
    ['PUT', '/api/1/postorder'],
    ['POST', '/api/1/postorder/'],
    ['POST', '/api/1/postorder?price=2'],
    ['POST', '/api/1/send'],
    ['DELETE', '/api/1/withdrawals/1'],
  ])('the method or the path: %s %s', (method, path) => {
    const { guard } = guardWith();
    expect(guard.inspect({ ...written(), method, path })).toContain('no request that a bot sends');
  });
});

describe('an order is blocked that', () => {
  test('no commit has', () => {
    expect(guardWith([]).guard.inspect(written())).toContain('was committed');
  });

  test('was committed without an approval, or with the approval of another', () => {
    const [order, , attempt] = recordsOf() as [StoreRecord, StoreRecord, StoreRecord];
    const other = approvalOf({ ...row, intentId: 8 });
    for (const records of [
      [order, attempt],
      [order, other, attempt],
    ])
      expect(guardWith(records).guard.inspect(written())).toContain('no approval of');
  });

  test('has no attempt committed', () => {
    const { guard } = guardWith(recordsOf().slice(0, 2));
    expect(guard.inspect(written())).toContain('no attempt of');
  });

  test('was given other terms by a later commit', () => {
    const { guard } = guardWith();
    const dearer = { ...row, price: '1400000' };
    guard.noteCommitted([{ kind: 'order', row: dearer }]);
    expect(guard.inspect(written(dearer))).toContain('committed was "1000000"');
  });

  test('ended in an earlier batch; one that ends in the batch of its attempt still may leave', () => {
    const ended = { ...row, state: 'filled' } as const;
    const { guard } = guardWith([...recordsOf(), { kind: 'order', row: ended }]);
    expect(guard.inspect(written())).toBeUndefined();
    const later = guardWith([...recordsOf(), { kind: 'order', row: ended }]).guard;
    later.noteCommitted([]);
    expect(later.inspect(written())).toContain('was committed');
  });
});

test('an order of an earlier run is known, and its attempts of then do not leave again', () => {
  const { guard } = guardWith([]);
  guard.noteRestored([row]);
  const again = { ...row, attempts: 2, lastTimestampMs: 9_000 };
  guard.noteCommitted([{ kind: 'order', row: again }, attemptOf(again)]);
  expect(guard.inspect(written(again))).toBeUndefined();
  const { guard: other } = guardWith([]);
  other.noteRestored([row]);
  other.noteCommitted([attemptOf(row)]);
  expect(other.inspect(written())).toContain('no attempt of');
});

describe('the caps of the file hold although everything was approved and committed:', () => {
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
    expect(send(7)).toContain('3 orders left within a minute, the egress cap is 3');
  });

  test('no caps leave the comparison with the commit', () => {
    const huge = { ...row, volume: '900.000000' };
    expect(guardWith(recordsOf(huge), 'none').guard.inspect(written(huge))).toBeUndefined();
    const { guard } = guardWith(recordsOf(), 'none');
    expect(guard.inspect(changed((form) => form.set('price', '1')))).toContain('price is "1"');
  });
});

test('a cancel leaves whatever was blocked, if it is nothing but a cancel; reads leave', () => {
  const { guard } = guardWith([]);
  expect(guard.inspect(written())).toContain('was committed');
  const cancel = write('stoporder', { order_id: 'BXABC' });
  if ('refusal' in cancel) throw new Error(cancel.refusal);
  expect(guard.inspect(cancel)).toBeUndefined();
  for (const body of [undefined, '', 'order_id=', 'order_id=A&order_id=B', 'order_id=A&price=1'])
    expect(guard.inspect({ ...cancel, body })).toContain('nothing else');
  expect(guard.inspect({ method: 'GET', path: '/api/1/balance' })).toBeUndefined();
});
