/** What every adapter says about orders. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import { formatLots, formatTicks } from '../../../src/domain/market.ts';
import { readList, type VenueReader } from '../../../src/venue/venue-reader.ts';
import type { OrderView } from '../../../src/venue/venue-reply.ts';
import type { OrdersRequest } from '../../../src/venue/venue-request.ts';
import type { Behaviour, VenueWorld } from './venue-world.ts';

const all = { prefix: '' };
export const bid = { side: 'BID', price: '900000', volume: '0.01' } as const;
export const ask = { side: 'ASK', price: '900000', volume: '0.01' } as const;
/** More than a page of any venue. */
const many = 1_010;

export async function ordersIn(
  reader: VenueReader,
  which: OrdersRequest['which'],
): Promise<readonly OrderView[]> {
  const { rows, end } = await readList(reader, { kind: 'orders', which }, all);
  equal(end, 'complete');
  return rows;
}

/** Returns the one view of an order in both lists. */
async function viewOf({ reader }: VenueWorld, orderId: string): Promise<OrderView> {
  const both = [...(await ordersIn(reader, 'open')), ...(await ordersIn(reader, 'ended'))];
  const views = both.filter((one) => one.orderId === orderId);
  equal(views.length, 1, `${views.length} views of ${orderId}`);
  return views[0] as OrderView;
}

/** Places more orders than a page holds; `paceMs` apart. */
async function placeMany(world: VenueWorld, paceMs: (index: number) => number): Promise<string[]> {
  const placed: string[] = [];
  for (let index = 0; index < many; index++) {
    placed.push(world.place({ ...bid, volume: '0.0001' }));
    world.advance(paceMs(index));
  }
  return placed;
}

async function checkPages(world: VenueWorld, placed: readonly string[]): Promise<void> {
  const rows = await ordersIn(world.reader, 'open');
  const ids = [...new Set(rows.map(({ orderId }) => orderId))];
  deepEqual(ids.toSorted(), placed.toSorted());
  const created = rows.map(({ createdMs }) => createdMs);
  deepEqual(
    created,
    created.toSorted((a, b) => b - a),
  );
}

export const orderBehaviours: readonly Behaviour[] = [
  {
    name: 'an account without orders has two empty lists',
    check: async ({ reader }) => {
      deepEqual(await ordersIn(reader, 'open'), []);
      deepEqual(await ordersIn(reader, 'ended'), []);
    },
  },
  {
    name: 'an order has exactly the terms that were placed, and our id',
    check: async (world) => {
      const { market } = world;
      const terms = {
        price: formatTicks(market.priceMin, market),
        volume: formatLots(market.volumeMin, market),
      };
      const id = world.place({ side: 'BID', ...terms, clientOrderId: 'ours-1' });
      const view = await viewOf(world, id);
      equal(view.clientOrderId, 'ours-1');
      deepEqual([view.price, view.volume], [amountOf(terms.price), amountOf(terms.volume)]);
      deepEqual(
        [view.pair, view.side, view.type, view.timeInForce],
        [market.pair, 'BID', 'limit', 'GTC'],
      );
    },
  },
  {
    name: 'an order names the accounts of its currencies',
    check: async (world) => {
      const view = await viewOf(world, world.place(bid));
      const balances = await world.reader.ask({ kind: 'balances' });
      ok(balances.kind === 'ok');
      const currencyOf = (account: string) =>
        balances.value.find((one) => one.account === account)?.currency;
      equal(currencyOf(view.baseAccount), world.market.base);
      equal(currencyOf(view.counterAccount), world.market.counter);
    },
  },
  {
    name: 'an order that was placed without an id has an empty one',
    check: async (world) => equal((await viewOf(world, world.place(bid))).clientOrderId, ''),
  },
  {
    name: 'each side is its own',
    check: async (world) => {
      equal((await viewOf(world, world.place({ ...ask, price: '1100000' }))).side, 'ASK');
      equal((await viewOf(world, world.place(bid))).side, 'BID');
    },
  },
  {
    name: 'an order that rests is open, has no trades and no end',
    check: async (world) => {
      const { isEnded, sums, endedMs } = await viewOf(world, world.place(bid));
      deepEqual([isEnded, sums.base, sums.counter, endedMs], [false, 0n, 0n, undefined]);
    },
  },
  {
    name: 'a cancelled order has ended, at a time after it was created, and stays so',
    check: async (world) => {
      const id = world.place(bid);
      world.advance(10);
      world.cancel(id);
      for (const ms of [0, 60_000]) {
        world.advance(ms);
        const { isEnded, endedMs = 0, createdMs, sums } = await viewOf(world, id);
        deepEqual([isEnded, sums.base], [true, 0n]);
        ok(endedMs >= createdMs && endedMs <= world.nowMs);
      }
    },
  },
  {
    name: 'the filled volume never falls, and ends at the volume',
    check: async (world) => {
      const id = world.place(bid);
      const filled: string[] = [];
      for (const volume of ['0.004', '0.001', '0.005']) {
        world.placeAsOther({ ...ask, volume });
        const { sums, isEnded } = await viewOf(world, id);
        filled.push(`${formatAmount(sums.base)} ${isEnded}`);
      }
      deepEqual(filled, ['0.004 false', '0.005 false', '0.01 true']);
    },
  },
  {
    name: 'the rest of an IOC is not filled later',
    check: async (world) => {
      world.placeAsOther({ ...ask, volume: '0.004' });
      const id = world.place({ ...bid, timeInForce: 'IOC' });
      world.placeAsOther(ask);
      const { isEnded, sums, timeInForce } = await viewOf(world, id);
      deepEqual([isEnded, sums.base, timeInForce], [true, amountOf('0.004'), 'IOC']);
    },
  },
  {
    name: 'a FOK that cannot be filled whole is not filled at all',
    check: async (world) => {
      world.placeAsOther({ ...ask, volume: '0.004' });
      const id = world.place({ ...bid, timeInForce: 'FOK' });
      const { isEnded, sums, timeInForce } = await viewOf(world, id);
      deepEqual([isEnded, sums.base, timeInForce], [true, 0n, 'FOK']);
    },
  },
  {
    name: 'orders of others are not in our lists',
    check: async (world) => {
      world.placeAsOther({ ...ask, clientOrderId: 'theirs' });
      deepEqual(await ordersIn(world.reader, 'open'), []);
    },
  },
  {
    name: 'the creation times are of the clock of the venue',
    check: async (world) => {
      const beforeMs = world.nowMs;
      const { createdMs } = await viewOf(world, world.place(bid));
      ok(createdMs >= beforeMs && createdMs <= world.nowMs);
    },
  },
  {
    name: 'a list of many pages is complete, newest first',
    check: async (world) => checkPages(world, await placeMany(world, () => 250)),
  },
  {
    name: 'a millisecond of several orders at the border of a page loses none',
    check: async (world) =>
      checkPages(world, await placeMany(world, (index) => (index >= 5 && index < 25 ? 0 : 250))),
  },
  {
    name: 'a list since a time has every order since then',
    check: async (world) => {
      const placed = await placeMany(world, () => 250);
      const sinceMs = world.nowMs - 100 * 250;
      const request = { kind: 'orders', which: 'open', sinceMs } as const;
      const { rows, end } = await readList(world.reader, request, all);
      const listed = new Set(rows.map(({ orderId }) => orderId));
      equal(end, 'complete');
      ok(placed.slice(-100).every((id) => listed.has(id)));
    },
  },
  {
    name: 'a list that is read only in part does not say that it is complete',
    check: async (world) => {
      await placeMany(world, () => 250);
      const request = { kind: 'orders', which: 'open' } as const;
      const { end } = await readList(world.reader, request, { ...all, pagesMax: 1 });
      equal(end, 'endless');
    },
  },
];
