/**
 * Parameters: written as the documents say, read as real clients send them, refused when they are
 * bad.
 */
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/interface/operation.ts';
import { operations } from '../../../src/interface/operations.ts';
import {
  decodeParameters,
  encodeParameters,
  type Pairs,
} from '../../../src/interface/request-parameters.ts';
import { type RealClientSamples, readOperationSamples, readSamples } from './wire-samples.ts';

const pairsOf = (text: string): Pairs => [...new URLSearchParams(text)];
const order = { pair: 'XBTZAR', type: 'BID', volume: '0.1', price: '1000' } as const;
const orderWith = (name: string, text: string) =>
  decodeParameters(operations.postorder, {}, [
    ...Object.entries(order).filter(([key]) => key !== name),
    [name, text],
  ]);

describe('what real clients send', () => {
  const { requests } = readSamples<RealClientSamples>('real-clients');
  test.each(requests)('$operation: $name', ({ operation, path, text, values }) => {
    const decoded = decodeParameters(operations[operation] as Operation, path ?? {}, pairsOf(text));
    expect(decoded).toEqual({ kind: 'valid', values });
  });
});

describe('what our client writes reads back as it was meant', () => {
  const all = readOperationSamples().flatMap(({ operation, requests }) =>
    requests.map((request) => ({ operation, ...request })),
  );
  test.each(all)('$operation: $name', ({ operation, parameters }) => {
    const declared = operations[operation] as Operation;
    const { pairs } = encodeParameters(declared, parameters);
    const path = Object.fromEntries(
      Object.entries<string>(parameters).filter(
        ([name]) => declared.parameters[name]?.in === 'path',
      ),
    );
    expect(decodeParameters(declared, path, pairs)).toEqual({ kind: 'valid', values: parameters });
  });
});

describe('an order is refused', () => {
  const badAmounts = [
    ...['', ' 1', '1e-8', '1E5', '0x10', '0b11', '1_000', '+1', '-0', '-1', '.5', '1.', 'Infinity'],
    ...[
      'NaN',
      '١٢',
      '１２',
      '1,5',
      '9'.repeat(40),
      `0.${'1'.repeat(19)}`,
      '[object Object]',
      'null',
    ],
  ];
  test.each(badAmounts)('for the volume "%s"', (text) => {
    expect(orderWith('volume', text)).toMatchObject({
      kind: 'invalid',
      errorCode: 'ErrInvalidValue',
      fields: ['volume'],
      message: 'Invalid value provided for volume',
    });
  });
  test.each(badAmounts)('for the price "%s"', (text) => {
    expect(orderWith('price', text)).toMatchObject({ errorCode: 'ErrInvalidValue' });
  });
  test.each([
    ['type', 'BUY', 'ErrInvalidOrderSide'],
    ['type', 'bid', 'ErrInvalidOrderSide'],
    ['time_in_force', 'GTD', 'ErrInvalidArguments'],
    ['post_only', 'yes', 'ErrInvalidArguments'],
    ['stop_direction', 'UP', 'ErrInvalidStopDirection'],
    ['stop_price', '1e5', 'ErrInvalidValue'],
    ['ttl', '10001', 'ErrInvalidArguments'],
    ['ttl', '-1', 'ErrInvalidArguments'],
    ['ttl', '1.5', 'ErrInvalidArguments'],
    ['timestamp', 'now', 'ErrInvalidArguments'],
    ['base_account_id', '9223372036854775808', 'ErrInvalidArguments'],
    ['client_order_id', 'a'.repeat(256), 'ErrInvalidClientOrderId'],
    ['client_order_id', 'a b', 'ErrInvalidClientOrderId'],
    ['client_order_id', 'a\r\nX-Evil: 1', 'ErrInvalidClientOrderId'],
    ['client_order_id', 'a\0', 'ErrInvalidClientOrderId'],
    ['client_order_id', '../send', 'ErrInvalidClientOrderId'],
    ['client_order_id', 'оrder', 'ErrInvalidClientOrderId'],
  ])('for %s "%s"', (name, text, errorCode) => {
    expect(orderWith(name, text)).toMatchObject({ kind: 'invalid', errorCode, fields: [name] });
  });
  test('with every field that is missing or wrong', () => {
    const decoded = decodeParameters(operations.postorder, {}, [
      ['pair', 'XBTZAR'],
      ['ttl', 'x'],
    ]);
    expect(decoded).toMatchObject({
      errorCode: 'ErrInvalidArguments',
      fields: ['type', 'volume', 'price', 'ttl'],
    });
  });
  test('but not for an id of exactly 100 characters', () => {
    expect(orderWith('client_order_id', 'a'.repeat(100)).kind).toBe('valid');
  });
});

test.each(['ttl', 'timestamp', 'stop_price', 'base_account_id', 'leverage'])(
  '%s of zero or nothing means not given',
  (name) => {
    for (const text of ['0', ''])
      expect(orderWith(name, text)).toEqual({ kind: 'valid', values: order });
  },
);

describe('our client refuses to write', () => {
  const write = (change: object) => () =>
    encodeParameters(operations.postorder, { ...order, ...change });
  test.each([
    { volume: '1e-8' },
    { volume: 0.1 },
    { volume: null },
    { price: '-1' },
    { type: 'BUY' },
    { ttl: 0 },
    { ttl: 1.5 },
    { client_order_id: '' },
    { client_order_id: 'a'.repeat(101) },
    { base_account_id: '0x1' },
  ])('%j', (change) => expect(write(change)).toThrow());
  test('a parameter that is not declared', () => {
    expect(write({ clientOrderId: 'a' })).toThrow('postorder has no parameter clientOrderId');
  });
  test('an order without its pair', () => {
    expect(write({ pair: undefined })).toThrow('postorder needs pair');
  });
});

test('a path parameter cannot leave its place', () => {
  expect(() =>
    encodeParameters(operations.transactions, { id: '../1', min_row: '1', max_row: '2' }),
  ).toThrow('id cannot be');
});
