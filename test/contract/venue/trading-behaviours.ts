/** What every adapter answers to orders and cancels. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf } from '../../../src/domain/amount.ts';
import type { StopCondition } from '../../../src/domain/limit-order.ts';
import { parseLots, parseTicks } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { Reason, VenueReply } from '../../../src/venue/venue-reply.ts';
import type { PlaceRequest } from '../../../src/venue/venue-request.ts';
import { accountOf } from './account-behaviours.ts';
import { ask, bid, ordersIn } from './order-behaviours.ts';
import type { Behaviour, PlacedOrder, VenueWorld } from './venue-world.ts';

const ttlMs = 10_000;

/** What of an order is not said by its terms. */
type PlacePart = Partial<
  Pick<PlaceRequest, 'postOnly' | 'timestampMs' | 'ttlMs' | 'baseAccountId' | 'stop' | 'pays'>
>;

/** Places an order as a bot does. */
export async function placing(
  world: VenueWorld,
  order: PlacedOrder,
  part: PlacePart = {},
): Promise<VenueReply<'place'>> {
  const { market, reader, nowMs } = world;
  const { side, price, volume, clientOrderId = 'mine', timeInForce = 'GTC' } = order;
  return world.ask({
    ...{ kind: 'place', pair: market.pair, side, clientOrderId, timeInForce },
    price: parseTicks(price, market) as Ticks,
    volume: parseLots(volume, market) as Lots,
    ...{ postOnly: false, timestampMs: nowMs, ttlMs },
    baseAccountId: await accountOf(reader, market.base),
    counterAccountId: await accountOf(reader, market.counter),
    ...part,
  });
}

/** What makes an order a stop-limit order. */
export function stopAt(
  { market }: VenueWorld,
  direction: StopCondition['direction'],
  price: string,
): Pick<PlaceRequest, 'stop'> {
  return { stop: { direction, price: parseTicks(price, market) as Ticks } };
}

export async function placed(
  world: VenueWorld,
  order: PlacedOrder,
  part: PlacePart = {},
): Promise<string> {
  const reply = await placing(world, order, part);
  ok(reply.kind === 'ok', `the order is ${JSON.stringify(reply)}`);
  return reply.value.orderId;
}

export function checkRefused(reply: VenueReply, reason: Reason): void {
  ok(reply.kind === 'refused', `it is ${reply.kind}`);
  equal(reply.reason, reason);
  ok(reply.code !== '' && reply.text !== '');
}

/** How many orders there are, open or ended. */
async function countOf({ reader }: VenueWorld): Promise<number> {
  return (await ordersIn(reader, 'open')).length + (await ordersIn(reader, 'ended')).length;
}

export async function checkNothingPlaced(
  world: VenueWorld,
  order: PlacedOrder,
  reason: Reason,
  part: PlacePart = {},
): Promise<void> {
  const before = await countOf(world);
  checkRefused(await placing(world, { clientOrderId: 'refused', ...order }, part), reason);
  equal(await countOf(world), before);
}

export const tradingBehaviours: readonly Behaviour[] = [
  {
    name: 'an order is answered with the id under which it is listed',
    check: async (world) => {
      const id = await placed(world, bid);
      deepEqual(
        (await ordersIn(world.reader, 'open')).map(({ orderId }) => orderId),
        [id],
      );
    },
  },
  {
    name: 'an order is found by either id, and is the same',
    check: async (world) => {
      const id = await placed(world, bid);
      const byTheirs = await world.ask({ kind: 'order', orderId: id });
      const byOurs = await world.ask({ kind: 'order', clientOrderId: 'mine' });
      ok(byTheirs.kind === 'ok' && byOurs.kind === 'ok');
      deepEqual(byTheirs.value, byOurs.value);
      equal(byOurs.value.clientOrderId, 'mine');
    },
  },
  {
    name: 'an order that does not exist is not found, by neither id',
    check: async (world) => {
      await placed(world, bid);
      checkRefused(await world.ask({ kind: 'order', clientOrderId: 'other' }), 'not-found');
      checkRefused(await world.ask({ kind: 'order', orderId: 'BX000000000000' }), 'not-found');
    },
  },
  {
    name: 'a view of an order does not change afterwards',
    check: async (world) => {
      await placed(world, bid);
      const view = await world.ask({ kind: 'order', clientOrderId: 'mine' });
      world.placeAsOther({ ...ask, volume: '0.004' });
      ok(view.kind === 'ok');
      equal(view.value.sums.base, 0n);
    },
  },
  {
    name: 'a second order with the same id exists already, and is not placed',
    check: async (world) => {
      await placed(world, bid);
      await checkNothingPlaced(world, { ...bid, clientOrderId: 'mine' }, 'exists');
    },
  },
  {
    name: 'an id stays taken when its order has ended',
    check: async (world) => {
      await world.ask({ kind: 'cancel', orderId: await placed(world, bid) });
      await checkNothingPlaced(world, { ...bid, clientOrderId: 'mine' }, 'exists');
    },
  },
  {
    name: 'that an id exists is said before the funds are looked at',
    check: async (world) => {
      await placed(world, bid);
      const dear = { ...bid, volume: '90', clientOrderId: 'mine' };
      await checkNothingPlaced(world, dear, 'exists');
    },
  },
  {
    name: 'an order that comes after its time to live has expired, and is not placed',
    check: async (world) => {
      const timestampMs = world.nowMs - ttlMs - 1_000;
      await checkNothingPlaced(world, bid, 'expired', { timestampMs });
    },
  },
  {
    name: 'the shortest and the longest time to live that it declares is taken',
    check: async (world) => {
      const bounds = world.reader.properties.placing.ttlMs;
      if (bounds === 'none') return;
      const { min, max } = bounds;
      for (const one of [min, max]) {
        const timestampMs = world.nowMs + 60_000;
        await placed(world, { ...bid, clientOrderId: `ttl-${one}` }, { timestampMs, ttlMs: one });
      }
    },
  },
  {
    name: 'the longest id that it declares is taken, and is the id of the order',
    check: async (world) => {
      const { idLengthMax } = world.reader.properties.placing;
      const clientOrderId = 'i'.repeat(idLengthMax);
      const orderId = await placed(world, { ...bid, clientOrderId });
      const view = await world.ask({ kind: 'order', orderId });
      ok(view.kind === 'ok');
      equal(view.value.clientOrderId, clientOrderId);
    },
  },
  {
    name: 'each order type that it declares is taken',
    check: async (world) => {
      const { types, timesInForce, postOnly } = world.reader.properties.orders;
      for (const timeInForce of timesInForce)
        await placed(world, { ...bid, timeInForce, clientOrderId: timeInForce });
      if (postOnly) await placed(world, { ...bid, clientOrderId: 'made' }, { postOnly });
      if (types.includes('stop-limit')) await placed(world, bid, stopAt(world, 'ABOVE', '890000'));
    },
  },
  {
    name: 'an order is shown, and then its end, within the lags that it declares',
    check: async (world) => {
      const { lagMs, endLagMs } = world.reader.properties.reads;
      const orderId = await placed(world, bid);
      world.advance(lagMs.min);
      const isOpen = async () =>
        (await ordersIn(world.reader, 'open')).some((order) => order.orderId === orderId);
      ok(await isOpen());
      await world.ask({ kind: 'cancel', orderId });
      world.advance(endLagMs);
      ok(!(await isOpen()));
    },
  },
  {
    name: 'an order of a clock that is ahead is taken',
    check: async (world) => {
      await placed(world, bid, { timestampMs: world.nowMs + 60_000 });
    },
  },
  {
    name: 'an order for more than there is is rejected, and is not placed',
    check: async (world) => {
      await checkNothingPlaced(world, { ...bid, volume: '90' }, 'rejected');
      await checkNothingPlaced(world, { ...ask, volume: '90' }, 'rejected');
    },
  },
  {
    name: 'an order with a price or volume outside the limits is rejected, and is not placed',
    check: async (world) => {
      await checkNothingPlaced(world, { ...bid, volume: '0.000001' }, 'rejected');
      await checkNothingPlaced(world, { ...bid, price: '1' }, 'rejected');
    },
  },
  {
    name: 'an order on an account of another currency is rejected, and is not placed',
    check: async (world) => {
      const baseAccountId = await accountOf(world.reader, world.market.counter);
      await checkNothingPlaced(world, bid, 'rejected', { baseAccountId });
    },
  },
  {
    name: 'a post-only order that would take says so, and leaves nothing open',
    check: async (world) => {
      world.placeAsOther(ask);
      checkRefused(await placing(world, bid, { postOnly: true }), 'would-take');
      deepEqual(await ordersIn(world.reader, 'open'), []);
    },
  },
  {
    name: 'a post-only order that would not take rests',
    check: async (world) => {
      world.placeAsOther({ ...ask, price: '950000' });
      await placed(world, bid, { postOnly: true });
      equal((await ordersIn(world.reader, 'open')).length, 1);
    },
  },
  {
    name: 'a post-only order that must not rest is rejected, and is not placed',
    check: async (world) => {
      const order = { ...bid, timeInForce: 'IOC' } as const;
      await checkNothingPlaced(world, order, 'rejected', { postOnly: true });
    },
  },
  {
    name: 'a market that is closed says so, and nothing rests',
    check: async (world) => {
      world.setStatus('DISABLED');
      await checkNothingPlaced(world, bid, 'market-closed', { postOnly: true });
    },
  },
  {
    name: 'a market for post-only orders is closed for others',
    check: async (world) => {
      world.setStatus('POST_ONLY');
      await checkNothingPlaced(world, bid, 'market-closed');
      await placed(world, bid, { postOnly: true });
    },
  },
  {
    name: 'a cancel that was taken is followed by the end',
    check: async (world) => {
      const orderId = await placed(world, bid);
      const reply = await world.ask({ kind: 'cancel', orderId });
      ok(reply.kind === 'ok' && reply.value === 'taken');
      const view = await world.ask({ kind: 'order', orderId });
      ok(view.kind === 'ok' && view.value.isEnded);
    },
  },
  {
    name: 'an order that has ended, or does not exist, is not open to a cancel',
    check: async (world) => {
      const orderId = await placed(world, bid);
      await world.ask({ kind: 'cancel', orderId });
      checkRefused(await world.ask({ kind: 'cancel', orderId }), 'not-open');
      checkRefused(await world.ask({ kind: 'cancel', orderId: 'BX000000000000' }), 'not-open');
    },
  },
  {
    name: 'a market that is closed lets orders be cancelled',
    check: async (world) => {
      const orderId = await placed(world, bid);
      world.setStatus('DISABLED');
      equal((await world.ask({ kind: 'cancel', orderId })).kind, 'ok');
    },
  },
  {
    name: 'what an order may cost is not available until it has ended',
    check: async (world) => {
      const reserved = async (): Promise<bigint> => {
        const balances = await world.ask({ kind: 'balances' });
        ok(balances.kind === 'ok');
        const one = balances.value.find(({ currency }) => currency === world.market.counter);
        ok(one !== undefined);
        return one.balance - one.available;
      };
      equal(await reserved(), 0n);
      const orderId = await placed(world, bid);
      equal(await reserved(), amountOf('9000'));
      await world.ask({ kind: 'cancel', orderId });
      equal(await reserved(), 0n);
    },
  },
];
