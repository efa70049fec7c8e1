/** Parameters: written as documented, read as real clients send them, refused if they are wrong. */
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../../../src/venues/luno/api/operation.ts';
import { operations } from '../../../../../src/venues/luno/api/operations.ts';
import {
  decodeParameters,
  encodeParameters,
  type Pairs,
} from '../../../../../src/venues/luno/api/request-parameters.ts';
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

describe('what our client writes is read back unchanged', () => {
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
  test('with every missing or wrong field', () => {
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

test.each([
  ['9223372036854775807', 4_102_444_800_000],
  ['-9223372036854775808', 0],
  ['1746473170125', 1_746_473_170_125],
])('a time of any 64-bit integer is read: %s as %d', (text, before) => {
  const decoded = decodeParameters(operations.listMoves, {}, [['before', text]]);
  expect(decoded).toEqual({ kind: 'valid', values: { before } });
});
test.each(['9223372036854775808', '1.5', '1e3', 'x'])('the time %s is refused', (text) => {
  const decoded = decodeParameters(operations.listMoves, {}, [['before', text]]);
  expect(decoded).toMatchObject({ kind: 'invalid', fields: ['before'] });
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
    { post_only: 1 },
    { post_only: 'true' },
    { ttl: '5000' },
  ])('%j', (change) => expect(write(change)).toThrow());
  test.each([
    { stop_price: '0.00' },
    { timestamp: 0 },
    { base_account_id: '0' },
    { counter_account_id: '0' },
  ])('zero where it would silently mean "not given": %j', (change) =>
    expect(write(change)).toThrow('leave the parameter out'),
  );
  test('seconds instead of milliseconds', () => {
    expect(write({ timestamp: 1_746_473_170 })).toThrow('looks like seconds');
    expect(write({ timestamp: 1_746_473_170_125 })).not.toThrow();
    for (const timestamp of [1_746_473_170_125_000, -1])
      expect(write({ timestamp })).toThrow('milliseconds since 1970, and before 2100');
    for (const timestamp of [1.5, Number.NaN]) expect(write({ timestamp })).toThrow('cannot be');
  });
  test('text instead of a list', () => {
    const tickers = (pair: unknown) => () =>
      encodeParameters(operations.tickers, { pair } as never);
    expect(tickers('XBTZAR')).toThrow('write ["XBTZAR"]');
    expect(tickers([])).toThrow(
      'cannot be a list of 0; it must be a list of values, each text of 1 to 20',
    );
    expect(tickers([])).toThrow('leave it out for all values');
    for (const wrong of [null, 5, {}, [undefined], ['']])
      expect(tickers(wrong)).toThrow('tickers: pair cannot be');
    expect(tickers(['XBTZAR', 'ETHZAR'])().pairs).toEqual([
      ['pair', 'XBTZAR'],
      ['pair', 'ETHZAR'],
    ]);
  });
  test('an undeclared parameter', () => {
    expect(write({ clientOrderId: 'a' })).toThrow('postorder has no parameter clientOrderId');
  });
  test('an order without its pair', () => {
    expect(write({ pair: undefined })).toThrow('postorder needs pair');
  });
});

describe('a refusal names the parameter, its value, what is allowed and the fix', () => {
  const cases: readonly (readonly [keyof typeof operations, unknown, string])[] = [
    ['ticker', undefined, 'ticker takes one object of parameters, was undefined; it has pair'],
    ['ticker', ['XBTZAR'], 'ticker takes one object of parameters, was a list of 1; it has pair'],
    [
      'ticker',
      {},
      'ticker needs pair (currency pair, base then counter): text of 1 to 20 characters',
    ],
    ['stoporder', { orderId: 'BX1' }, 'stoporder has no parameter orderId; it has order_id'],
    [
      'stoporder',
      { order_id: null },
      'stoporder: order_id cannot be null; it must be text of 1 to 100',
    ],
    [
      'listMoves',
      { limit: 1001 },
      'listMoves: limit cannot be 1001 (number); it must be a whole number from 1 to 1000',
    ],
    [
      'listMoves',
      { limit: '5' },
      'limit cannot be "5"; it must be a whole number from 1 to 1000: write it',
    ],
    [
      'listMoves',
      { before: new Date(0) },
      'before cannot be a Date; it must be a whole number from 0 to',
    ],
    ['listMoves', { before: new Date(0) }, ': write its getTime()'],
    ['getQuote', { id: 7 }, ': write it as text, "7", because a number can lose digits'],
    [
      'postorder',
      { ...order, price: '1e3' },
      'price cannot be "1e3"; it must be decimal text such as',
    ],
    ['postorder', { ...order, type: 'BUY' }, 'type cannot be "BUY"; it must be one of BID, ASK'],
    ['createFiatWithdrawal', { type: 'ZAR_EFT', amount: '1', fast: 1 }, 'it must be true or false'],
    [
      'createWallet',
      { name: 'x'.repeat(101), currency: 'XBT' },
      '… (103 characters); it must be text',
    ],
    [
      'balance',
      { assets: ['XBT,ETH'] },
      'assets cannot be "XBT,ETH"; it must be a list of values, each text',
    ],
  ];
  test.each(cases)('%s %j: %s', (name, parameters, words) => {
    const declared = operations[name] as Operation;
    expect(() => encodeParameters(declared, parameters as never)).toThrow(words);
  });
});

test('a path parameter cannot change the rest of the path', () => {
  expect(() =>
    encodeParameters(operations.transactions, { id: '../1', min_row: '1', max_row: '2' }),
  ).toThrow('id cannot be');
});
