/** Orders of ours that the database never gave a number to: which they are, and whose. */
import { describe, expect, test } from 'vitest';
import { findLostOrders, type LostOrderOptions } from '../../../src/bot/start/orphan-orders.ts';
import { nothingRestored } from '../../../src/domain/records.ts';
import type { OrderRecord } from '../../../src/exchange-api/operations/order-operations.ts';

const namespace = 'abcdefgh';
const strategies = [
  { id: 'first', pairs: ['XBTZAR'] },
  { id: 'second', pairs: ['ETHZAR'] },
] as unknown as LostOrderOptions['strategies'];
const options: LostOrderOptions = {
  namespace,
  venue: 'simulator',
  strategies,
  restored: { ...nothingRestored, intentIdNext: 11 },
  nowMs: 1_700_000_000_000,
  isLive: false,
  isAdopting: false,
};

/** Number 10 is the last that the database gave: `a` in its ids. */
function record(number: string, change: Partial<OrderRecord> = {}): OrderRecord {
  return {
    order_id: `BX${number}`,
    client_order_id: `b1-${namespace}-${number}-0123456789ab`,
    pair: 'XBTZAR',
    side: 'BUY',
    type: 'LIMIT',
    status: 'PENDING',
    time_in_force: 'GTC',
    limit_price: '1000000',
    limit_volume: '0.01',
    base: '0',
    counter: '0',
    fee_base: '0',
    fee_counter: '0',
    base_account_id: '11',
    counter_account_id: '13',
    creation_timestamp: 1_699_999_990_000,
    completed_timestamp: 0,
    ...change,
  } as OrderRecord;
}

function clientWith(open: readonly OrderRecord[], closed: readonly OrderRecord[] = []) {
  return {
    listOrdersV2: async (asked: { readonly closed?: boolean | undefined }) => ({
      orders: [...(asked.closed === true ? closed : open)],
    }),
  } as unknown as Parameters<typeof findLostOrders>[0];
}

describe('S9: of an old copy of the database', () => {
  test('lost are those with a number that it never gave, and no others', async () => {
    const foreign = record('b', { order_id: 'BXH', client_order_id: 'by-hand' });
    const lost = await findLostOrders(clientWith([record('a'), record('b'), foreign]), options);
    expect(lost?.orders.map(({ orderId }) => orderId)).toEqual(['BXb']);
    expect(lost?.orders[0]).toMatchObject({ intentId: 11, state: 'open', strategyId: 'first' });
    expect(lost?.haltReason).toContain('1 orders of namespace abcdefgh');
    expect(await findLostOrders(clientWith([record('a'), foreign]), options)).toBeUndefined();
  });

  test('one that is complete is lost too, for its fills', async () => {
    const closed = record('c', { status: 'COMPLETE', completed_timestamp: 5, base: '0.01' });
    const lost = await findLostOrders(clientWith([], [closed]), options);
    expect(lost?.orders).toEqual([expect.objectContaining({ state: 'completing', base: '0.01' })]);
  });

  test('one on a pair that nobody trades any more is lost all the same', async () => {
    const lost = await findLostOrders(clientWith([record('b', { pair: 'LTCZAR' })]), options);
    expect(lost?.orders).toEqual([
      expect.objectContaining({
        pair: 'LTCZAR',
        strategyId: 'first',
        cancelRequestedMs: options.nowMs,
      }),
    ]);
  });
});

describe('S8: of a database that is new', () => {
  const fresh = { ...options, restored: nothingRestored };

  test('open orders of its namespace halt it, refuse it live, or are taken over', async () => {
    const client = clientWith([record('1')]);
    expect(await findLostOrders(client, fresh)).toMatchObject({
      orders: [],
      haltReason: expect.stringContaining('--adopt'),
    });
    await expect(findLostOrders(client, { ...fresh, isLive: true })).rejects.toMatchObject({
      code: 'MR_SAFETY',
    });
    const adopted = await findLostOrders(client, { ...fresh, isLive: true, isAdopting: true });
    expect(adopted?.orders).toHaveLength(1);
    expect(adopted?.haltReason).toBeUndefined();
  });

  test('orders that are done are history', async () => {
    const done = record('1', { status: 'COMPLETE', completed_timestamp: 5 });
    expect(await findLostOrders(clientWith([], [done]), fresh)).toBeUndefined();
  });
});
