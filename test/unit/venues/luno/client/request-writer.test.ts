/** Forms and queries are written as `URLSearchParams` writes them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OperationName, operations } from '../../../../../src/venues/luno/api/operations.ts';
import { createRequestWriter } from '../../../../../src/venues/luno/client/request-writer.ts';

const names = Object.keys(operations) as OperationName[];
const write = createRequestWriter({
  authorization: () => 'Basic a2V5',
  wallet: undefined,
  paths: {},
  allow: names,
});

test('texts of a body are escaped', () => {
  const plain = fc.stringMatching(/^[\w.*-]{1,100}$/u);
  const wild = fc.string({ minLength: 1, maxLength: 50, unit: 'binary' });
  fc.assert(
    fc.property(fc.oneof(plain, wild), (id) => {
      const written = write('stoporder', { order_id: id });
      expect(written).toMatchObject({ body: `${new URLSearchParams({ order_id: id })}` });
    }),
  );
});

test('several texts of a query are escaped, one by one', () => {
  const pair = 'A B&C';
  expect(write('listOrdersV2', { pair, closed: true, limit: 5 })).toMatchObject({
    path: `/api/exchange/2/listorders?${new URLSearchParams({ pair, closed: 'true', limit: '5' })}`,
  });
  expect(write('listOrdersV2', { pair: 'XBTZAR', closed: true, limit: 5 })).toMatchObject({
    path: '/api/exchange/2/listorders?pair=XBTZAR&closed=true&limit=5',
  });
});

test.each(names)('no parameter name of %s needs an escape', (name) => {
  for (const parameter of Object.keys(operations[name].parameters))
    expect(parameter).toMatch(/^\w+$/u);
});
