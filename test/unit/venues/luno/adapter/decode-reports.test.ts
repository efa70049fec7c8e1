/** What a message of the user stream reports, and which messages cannot be true. */
import { expect, test } from 'vitest';
import { amountOf } from '../../../../../src/domain/amount.ts';
import { DecodeError } from '../../../../../src/domain/errors.ts';
import { reportIn } from '../../../../support/user-frames.ts';

const timestamp = 1_795_176_000_000;
const ids = { order_id: 'BX1', client_order_id: 'a1', market_id: 'XBTZAR' };
const named = { orderId: 'BX1', clientOrderId: 'a1', pair: 'XBTZAR', atMs: timestamp };

const frames = {
  order_status: (change: object) => ({ order_status_update: { ...ids, status: 'X', ...change } }),
  order_fill: (change: object) => ({
    order_fill_update: {
      ...{ ...ids, base_fill: '0.3', counter_fill: '300', base_delta: '0.1', counter_delta: '100' },
      ...{ base_fee: '0', counter_fee: '0', base_fee_delta: '-0.000001', counter_fee_delta: '0' },
      ...change,
    },
  }),
  balance_update: (change: object) => ({
    balance_update: {
      ...{ account_id: '11', row_index: 3, balance: '5', balance_delta: '-1' },
      ...{ available: '-0.5', available_delta: '-1', ...change },
    },
  }),
};

const read = (type: keyof typeof frames, change: object) =>
  reportIn(JSON.stringify({ type, timestamp, ...frames[type](change) }));

test.each([
  ['COMPLETE', 'ended'],
  ['PENDING', 'accepted'],
])('an order that is %s is reported as %s', (status, kind) => {
  expect(read('order_status', { status })).toEqual({ kind, ...named });
});

test('an order in a status that is not known is accepted, and nothing is said of its stop', () => {
  const kind = 'accepted';
  expect(read('order_status', { status: 'NEW_WORD' })).toEqual({
    ...{ kind, ...named, isStatusNew: true },
  });
});

test('an order that waits for its stop price is reported so', () => {
  const kind = 'accepted';
  expect(read('order_status', { status: 'AWAITING' })).toEqual({
    kind,
    ...named,
    isAwaiting: true,
  });
});

test('a fill has the filled volume of its order, and its own sums', () => {
  const sums = { base: amountOf('0.1'), counter: amountOf('100') };
  expect(read('order_fill', {})).toEqual({
    ...{ kind: 'filled', ...named, filled: amountOf('0.3') },
    sums: { ...sums, feeBase: amountOf('-0.000001'), feeCounter: 0n },
  });
});

test('a balance has its row; it may be negative', () => {
  expect(read('balance_update', {})).toEqual({
    ...{ kind: 'balance', atMs: timestamp, account: '11', row: 3 },
    ...{ balance: amountOf('5'), delta: amountOf('-1') },
    ...{ available: amountOf('-0.5'), availableDelta: amountOf('-1') },
  });
});

test('what has been added later is unknown', () => {
  const frame = JSON.stringify({ type: 'margin_call', timestamp });
  expect(reportIn(frame)).toEqual({ kind: 'unknown', what: 'margin_call' });
});

const tooExact = `0.${'1'.repeat(19)}`;

test.each([
  ['order_status', { market_id: '' }, 'status of order BX1: pair "" must not be empty'],
  ['order_fill', { market_id: '' }, 'fill of order BX1: pair "" must not be empty'],
  ['order_fill', { base_fill: '-5' }, 'fill of order BX1: filled volume -5 must not be negative'],
  ['order_fill', { base_delta: '-0.1' }, 'fill of order BX1: base -0.1 must not be negative'],
  ['order_fill', { counter_delta: '-1' }, 'fill of order BX1: counter -1 must not be negative'],
  [
    'order_fill',
    { base_fee_delta: tooExact },
    `fill of order BX1: base_fee_delta ${tooExact} must have at most 18 decimals`,
  ],
  ['balance_update', { row_index: 0 }, 'balance of account 11: row 0 must be 1 or more'],
  [
    'balance_update',
    { balance: tooExact },
    `balance of account 11: balance ${tooExact} must have at most 18 decimals`,
  ],
] as const)('an impossible value is refused by its name: %s %o', (type, change, problem) => {
  expect(() => read(type, change)).toThrow(DecodeError);
  expect(() => read(type, change)).toThrow(problem);
});
