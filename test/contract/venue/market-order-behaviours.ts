/** What every adapter does with market orders. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import type { OrderView } from '../../../src/venue/venue-reply.ts';
import type { PlaceRequest } from '../../../src/venue/venue-request.ts';
import { ordersIn } from './order-behaviours.ts';
import { checkNothingPlaced, checkRefused, placed, placing } from './trading-behaviours.ts';
import type { Behaviour, PlacedOrder, VenueWorld } from './venue-world.ts';

type Sent = readonly [order: PlacedOrder, part: Pick<PlaceRequest, 'pays'>];

/** Counts as a sale at a price that no bid reaches. */
const sale = (volume: string): Sent => [
  { side: 'ASK', price: '990000', volume, timeInForce: 'IOC' },
  { pays: volume },
];
/** Counts as a purchase of more than it gets. */
const purchase = (pays: string, volume = '0.05'): Sent => [
  { side: 'BID', price: '800000', volume, timeInForce: 'IOC' },
  { pays },
];

async function viewOf(world: VenueWorld, orderId: string): Promise<OrderView> {
  const view = await world.ask({ kind: 'order', orderId });
  ok(view.kind === 'ok');
  return view.value;
}

/** Whether it has ended, and what it has traded. */
async function stateOf(world: VenueWorld, orderId: string): Promise<string> {
  const { isEnded, sums } = await viewOf(world, orderId);
  return `${isEnded ? 'ended' : 'open'} ${formatAmount(sums.base)} ${formatAmount(sums.counter)}`;
}

export const marketOrderBehaviours: readonly Behaviour[] = [
  {
    name: 'a market sale trades at once, at the prices of the book, and has ended',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.004' });
      world.placeAsOther({ side: 'BID', price: '890000', volume: '0.01' });
      equal(await stateOf(world, await placed(world, ...sale('0.01'))), 'ended 0.01 8940');
    },
  },
  {
    name: 'a market buy spends what it pays, but for less than a lot',
    check: async (world) => {
      world.placeAsOther({ side: 'ASK', price: '900000', volume: '0.01' });
      world.placeAsOther({ side: 'ASK', price: '910000', volume: '0.01' });
      const id = await placed(world, ...purchase('13555'));
      const { isEnded, sums } = await viewOf(world, id);
      const left = amountOf('13555') - sums.counter;
      ok(isEnded);
      ok(sums.base > amountOf('0.0149') && left >= 0n && left < amountOf('1'), String(left));
    },
  },
  {
    name: 'the view of a market order says that it is one',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.05' });
      const { type, side } = await viewOf(world, await placed(world, ...sale('0.01')));
      deepEqual([type, side], ['market', 'ASK']);
    },
  },
  {
    name: 'a market order is never among the open orders, and keeps no money',
    check: async (world) => {
      world.placeAsOther({ side: 'ASK', price: '900000', volume: '0.05' });
      await placed(world, ...purchase('10000'));
      deepEqual(await ordersIn(world.reader, 'open'), []);
      const balances = await world.ask({ kind: 'balances' });
      ok(balances.kind === 'ok');
      for (const { balance, available } of balances.value) equal(balance, available);
    },
  },
  {
    name: 'a market order that the book cannot fill is rejected, and nothing is placed',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.004' });
      const [order, part] = sale('0.01');
      await checkNothingPlaced(world, order, 'rejected', part);
    },
  },
  {
    name: 'a market order that would trade too far from the best price is rejected',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.004' });
      world.placeAsOther({ side: 'BID', price: '700000', volume: '0.05' });
      const [order, part] = sale('0.01');
      await checkNothingPlaced(world, order, 'rejected', part);
    },
  },
  {
    name: 'a market order of more than the account has is rejected',
    check: async (world) => {
      world.placeAsOther({ side: 'ASK', price: '900000', volume: '5' });
      world.placeAsOther({ side: 'ASK', price: '900000', volume: '5' });
      const [order, part] = purchase('10000001', '12.6');
      await checkNothingPlaced(world, order, 'rejected', part);
    },
  },
  {
    name: 'an id that a market order had is not accepted again',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.05' });
      await placed(world, ...sale('0.01'));
      checkRefused(await placing(world, ...sale('0.01')), 'exists');
    },
  },
  {
    name: 'a market order after its time to live is refused',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.05' });
      const [order, part] = sale('0.01');
      const late = { ...part, timestampMs: world.nowMs - 20_000 };
      await checkNothingPlaced(world, order, 'expired', late);
    },
  },
  {
    name: 'the fills of a market order and its end are reported',
    check: async (world) => {
      world.placeAsOther({ side: 'BID', price: '900000', volume: '0.05' });
      world.reports();
      const id = await placed(world, ...sale('0.01'));
      const kinds = world
        .reports()
        .flatMap((one) => ('orderId' in one && one.orderId === id ? [one.kind] : []));
      deepEqual(kinds.slice(-2), ['filled', 'ended']);
    },
  },
];
