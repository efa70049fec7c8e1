/** The life of a market order: what is sent, what its record proves, lost answers, a restart. */
import { describe, expect, test } from 'vitest';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { lots, ticks } from '../risk/open-gate.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  market,
  noAnswer,
  notFound,
  ok,
  recordOf,
  rowOf,
  startMs,
  tradeOf,
} from './execution-fixture.ts';

/** Spends 10,000 ZAR: 0.01 XBT at 1,000,000, and counts for 0.0103 at 980,000. */
const buy: Partial<Proposal> = {
  ...{ price: ticks(98_000_000), volume: lots(103), timeInForce: 'IOC', postOnly: false },
  pays: '10000',
};
const sale: Partial<Proposal> = {
  ...{ ...buy, side: 'ASK', price: ticks(102_000_000), volume: lots(100), pays: '0.0100' },
};
const shown = { type: 'MARKET', time_in_force: '', limit_price: '0.00' } as const;

function placed(terms = buy) {
  const harness = new ExecutionFixture();
  const order = harness.place(terms);
  const { parameters } = harness.waiting('marketorder');
  harness.answer('marketorder', ok({ order_id: idOf(order) }));
  return { harness, order, parameters };
}

test('a buy is sent as what it spends, a sale as its volume', () => {
  const bought = placed();
  expect(bought.parameters).toMatchObject({ type: 'BUY', counter_volume: '10000' });
  expect(bought.parameters).not.toHaveProperty('price');
  expect(bought.order.toRow()).toMatchObject({ pays: '10000', price: '980000.00' });
  const sold = placed(sale);
  expect(sold.parameters).toMatchObject({ type: 'SELL', base_volume: '0.0100' });
  const other = new ExecutionFixture().place({ ...buy, pays: '9999.99' });
  const plain = new ExecutionFixture().place({ ...buy, pays: undefined });
  const ids = [bought.order, sold.order, other, plain].map((one) => one.clientOrderId);
  expect(new Set(ids).size).toBe(4);
});

test('a buy is filled when its fills add up to its record, although it bought less than it counts for', () => {
  const { harness, order } = placed();
  book(harness.fills, tradeOf(order, 100, { price: '1000000.00', counter: '10000.00' }));
  expect(harness.exposure.position('mm', 'XBTZAR').highest).toBeGreaterThan(
    harness.exposure.position('mm', 'XBTZAR').base,
  );
  harness.advance(15_000);
  const filled = {
    base: '0.0100',
    counter: '10000.00',
    fee_base: '0.00001',
    status: 'COMPLETE',
  } as const;
  harness.answer(
    'getOrderV3',
    ok(recordOf(order, { ...shown, limit_volume: '0.0000', ...filled })),
  );
  expect([order.state, harness.incidents]).toEqual(['filled', []]);
  const { highest, base } = harness.exposure.position('mm', 'XBTZAR');
  expect(highest).toBe(base);
});

test('a sale that could not be filled whole is cancelled', () => {
  const { harness, order } = placed(sale);
  book(harness.fills, tradeOf(order, 40, { price: '1000000.00', counter: '4000.00' }));
  harness.advance(15_000);
  const part = {
    base: '0.0040',
    counter: '4000.00',
    fee_base: '0.000004',
    status: 'COMPLETE',
  } as const;
  harness.answer('getOrderV3', ok(recordOf(order, { ...shown, ...part })));
  expect([order.state, harness.incidents]).toEqual(['cancelled', []]);
});

test('a buy that got more than it counts for is no overfill, one that spent more is', () => {
  const { harness, order } = placed();
  book(harness.fills, tradeOf(order, 105, { price: '952000.00', counter: '9996.00' }));
  expect(harness.incidents).toEqual([]);
  const next = { price: '50000.00', counter: '5.00', sequence: '101' };
  book(harness.fills, tradeOf(order, 1, next));
  expect(harness.incidents).toEqual(['OVERFILL']);
});

test('a buy that has ended follows a late fill, although it got more than it counts for', () => {
  const { harness, order } = placed();
  book(harness.fills, tradeOf(order, 50, { price: '940000.00', counter: '4700.00' }));
  harness.advance(15_000);
  const part = {
    base: '0.0050',
    counter: '4700.00',
    fee_base: '0.000005',
    status: 'COMPLETE',
  } as const;
  harness.answer('getOrderV3', ok(recordOf(order, { ...shown, ...part })));
  expect(order.state).toBe('filled');
  const late = { sequence: '101', price: '940000.00', counter: '5264.00' };
  book(harness.fills, tradeOf(order, 56, late));
  expect([order.state, harness.incidents]).toEqual(['open', ['ENDED_ORDER_OPEN']]);
});

test.each([
  ['that says it is a limit order', { type: 'LIMIT' }],
  ['of the other side', { ...shown, side: 'SELL' }],
])('a record %s halts the bot', (_name, change) => {
  const { harness, order } = placed();
  harness.advance(15_000);
  harness.answer('getOrderV3', ok(recordOf(order, change as never)));
  expect(harness.incidents).toEqual(['ORDER_DIFFERS']);
});

test('a limit order whose record says it is a market order halts the bot', () => {
  const harness = new ExecutionFixture();
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  harness.advance(15_000);
  harness.answer('getOrderV3', ok(recordOf(order, { type: 'MARKET' })));
  expect(harness.incidents).toEqual(['ORDER_DIFFERS']);
});

test('an unknown outcome is looked up by our id', () => {
  const harness = new ExecutionFixture();
  const order = harness.place(buy);
  harness.answer('marketorder', noAnswer);
  expect(order.state).toBe('unknown');
  harness.advance(10_000);
  harness.answer('getOrderV3', notFound);
  harness.advance(10_000);
  harness.answer('getOrderV3', ok(recordOf(order, { ...shown, status: 'COMPLETE' })));
  expect(order.state).not.toBe('unknown');
});

test('a restart keeps what it pays, and keeps our other side away until it has ended', () => {
  const row = rowOf({ price: '980000.00', volume: '0.0103', timeInForce: 'IOC', pays: '10000' });
  const harness = new ExecutionFixture();
  const order = harness.executor.restore({ ...row, postOnly: false }, market);
  expect(order.terms.pays).toBe('10000');
  expect(order.toRow()).toEqual({ ...row, postOnly: false });
  harness.executor.resume(order);
  expect(harness.exposure.orders.bestOpposite('ASK', 'XBTZAR')).toBe(Infinity);
});

describe('one that waited for the call budget', () => {
  const proofOf = ({ records }: ExecutionFixture) =>
    records.findLast((one) => one.kind === 'evidence')?.proof;

  function waited(terms: Partial<Proposal>, refusals: readonly string[]) {
    const harness = new ExecutionFixture();
    harness.isBudgetFull = true;
    const order = harness.place(terms);
    harness.advance(5_000);
    harness.againRefused = refusals;
    harness.isBudgetFull = false;
    harness.release();
    const sent = harness.calls.map(({ operation }) => operation);
    return [order.state, sent, proofOf(harness)];
  }

  test('is judged again before it leaves, and ends unsent when it is refused', () => {
    expect(waited(buy, [])).toEqual(['sending', ['marketorder'], 'attempt 1']);
    expect(waited(buy, ['COLLAR_MID', 'SLIPPAGE'])).toEqual([
      ...['unsent', [], 'not sent: the gate refuses it by now: COLLAR_MID, SLIPPAGE'],
    ]);
    // The price of a limit order holds it.
    expect(waited({}, ['COLLAR_MID'])).toEqual(['sending', ['postorder'], 'attempt 1']);
  });

  test('is judged again after an attempt that did not leave', () => {
    const harness = new ExecutionFixture();
    const order = harness.place(buy);
    harness.answer('marketorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect(order.state).toBe('waiting');
    harness.againRefused = ['SLIPPAGE'];
    harness.advance(1_000);
    expect([order.state, harness.calls]).toEqual(['unsent', []]);
  });
});

test.each([
  ['sent again under its id', [], 'sending', 2],
  ['not sent again when the gate refuses it by now', ['SLIPPAGE'], 'unknown', 1],
])('one with an unknown outcome is %s', (_name, refusals, state, attempts) => {
  const harness = new ExecutionFixture();
  const order = harness.place(buy);
  harness.answer('marketorder', noAnswer);
  harness.againRefused = refusals;
  while (order.state === 'unknown' && harness.nowMs < startMs + 60_000) {
    harness.advance(250);
    if (order.state === 'unknown')
      for (const call of harness.calls.splice(0)) call.resume(harness.stamped(notFound));
  }
  expect([order.state, order.attempts]).toEqual([state, attempts]);
});
