/** A market in the status: its ladder, our own orders, and their place in the queue. */
import { beforeEach, expect, test } from 'vitest';
import { marketStateOf } from '../../../../src/bot/status/market-state.ts';
import type { BookSnapshot } from '../../../../src/domain/book-message.ts';
import type { OrderRow } from '../../../../src/domain/records.ts';
import { EngineMarket } from '../../../../src/engine/engine-market.ts';
import { TrackedOrder } from '../../../../src/execution/orders/tracked-order.ts';
import { lots, market } from '../../risk/open-gate.ts';
import { orderRow } from '../../store/store-samples.ts';

const nowMs = 1_700_000_000_000;

const snapshot: BookSnapshot = {
  sequence: '1',
  bids: [
    { id: 'b1', price: '999.00', volume: '1' },
    { id: 'b2', price: '999.00', volume: '0.25' },
    { id: 'BX1', price: '999.00', volume: '0.5' },
    { id: 'b3', price: '999.00', volume: '7' },
    { id: 'BX2', price: '998.00', volume: '0.5' },
  ],
  asks: [{ id: 'a1', price: '1001.00', volume: '2' }],
  status: 'ACTIVE',
  timestamp: nowMs,
};

let engineMarket: EngineMarket;
let sequence = 1;

beforeEach(() => {
  const start = { market, makerFee: '0', takerFee: '0', lastTrade: undefined };
  engineMarket = new EngineMarket(start, nowMs, 5_000);
  sequence = 1;
  engineMarket.apply({ kind: 'snapshot', snapshot }, nowMs * 1000);
});

const own = (id: number, change: Partial<OrderRow>): TrackedOrder =>
  TrackedOrder.restore(orderRow(id, { price: '999.00', volume: '0.5000', ...change }), market);
const state = (...orders: TrackedOrder[]) => marketStateOf(engineMarket, orders, nowMs + 40);

test('an order has the volume and the orders that are ahead of it at its price', () => {
  const { ownOrders, bids } = state(own(1, {}), own(2, { price: '998.00' }));
  expect(ownOrders).toMatchObject([
    { orderId: 'BX1', aheadVolume: '1.2500', aheadOrders: 2 },
    { orderId: 'BX2', aheadVolume: '0.0000', aheadOrders: 0 },
  ]);
  expect(bids).toEqual([
    { price: '999.00', volume: '8.7500', own: '0.5000' },
    { price: '998.00', volume: '0.5000', own: '0.5000' },
  ]);
});

test('the place moves up when an order ahead is filled or leaves, not when one behind does', () => {
  const order = own(1, {});
  const update = (part: object) =>
    engineMarket.apply(
      {
        kind: 'update',
        update: { sequence: String(++sequence), trades: [], timestamp: nowMs, ...part },
      },
      nowMs * 1000,
    );
  const trade = { sequence: '7', base: '0.5', counter: '499.5', takerOrderId: 't' };
  update({ trades: [{ ...trade, makerOrderId: 'b1' }] });
  const seen = state(order);
  expect(seen.ownOrders).toMatchObject([{ aheadVolume: '0.7500', aheadOrders: 2 }]);
  expect(seen.lastTrade).toEqual({ price: '999.00', side: 'ASK', atMs: nowMs });
  update({ delete: { orderId: 'b1' } });
  update({ delete: { orderId: 'b3' } });
  expect(state(order).ownOrders).toMatchObject([{ aheadVolume: '0.2500', aheadOrders: 1 }]);
});

test('an order that the book does not hold has no place, and its price is in the ladder', () => {
  const { ownOrders, bids } = state(own(3, { orderId: 'BX3', price: '990.00' }));
  expect(ownOrders).toMatchObject([{ aheadVolume: null, aheadOrders: null }]);
  expect(bids.at(-1)).toEqual({ price: '990.00', volume: '0.0000', own: '0.5000' });
});

test('in paper trading, the volume ahead is that of the simulated queue', () => {
  const order = own(3, { orderId: 'BX3' });
  const { ownOrders } = marketStateOf(engineMarket, [order], nowMs, (pair, orderId) =>
    pair === 'XBTZAR' && orderId === 'BX3' ? lots(12_500) : undefined,
  );
  expect(ownOrders).toMatchObject([{ aheadVolume: '1.2500', aheadOrders: null }]);
});

test('an order that is not at the exchange counts at no price', () => {
  const { ownOrders, bids } = state(own(1, { state: 'waiting', orderId: undefined }));
  expect(ownOrders).toMatchObject([{ state: 'waiting', orderId: null, aheadVolume: null }]);
  expect(bids[0]).toMatchObject({ own: '0.0000' });
});

test('prices, mid, spread and age are those of the book', () => {
  expect(state()).toMatchObject({
    ...{ pair: 'XBTZAR', isUsable: true, unusableReason: null, bookAgeMs: 40 },
    ...{ bid: '999.00', ask: '1001.00', mid: '1000', spreadBps: 20, lastTrade: null },
  });
});

test('an unusable book says why, and shows no prices and no places', () => {
  engineMarket.noteSilence();
  const seen = state(own(1, {}));
  expect(seen).toMatchObject({
    ...{ isUsable: false, unusableReason: 'its stream is silent' },
    ...{ bid: null, ask: null, mid: null, spreadBps: null, bids: [], asks: [] },
  });
  expect(seen.ownOrders).toMatchObject([{ orderId: 'BX1', aheadVolume: null }]);
});
