/** What every adapter does with stop-limit orders. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import type { OrderView } from '../../../src/venue/venue-reply.ts';
import { ordersIn } from './order-behaviours.ts';
import { checkNothingPlaced, placed, stopAt } from './trading-behaviours.ts';
import type { Behaviour, VenueWorld } from './venue-world.ts';

/** Sells as low as this, once the last trade is at 880000 or below. */
const sale = { side: 'ASK', price: '870000', volume: '0.01' } as const;
/** Buys as high as this, once the last trade is at 920000 or above. */
const purchase = { side: 'BID', price: '930000', volume: '0.01' } as const;

const placeSale = (world: VenueWorld) => placed(world, sale, stopAt(world, 'BELOW', '880000'));

async function viewOf(world: VenueWorld, orderId: string): Promise<OrderView> {
  const view = await world.ask({ kind: 'order', orderId });
  ok(view.kind === 'ok');
  return view.value;
}

/** Whether it waits, has ended, and what it has traded. */
async function stateOf(world: VenueWorld, orderId: string): Promise<string> {
  const { isAwaiting, isEnded, sums } = await viewOf(world, orderId);
  const state = isEnded ? 'ended' : isAwaiting === true ? 'awaiting' : 'open';
  return `${state} ${formatAmount(sums.base)} ${formatAmount(sums.counter)}`;
}

export const stopBehaviours: readonly Behaviour[] = [
  {
    name: 'a stop order has exactly the stop that was placed, and waits',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const view = await viewOf(world, await placeSale(world));
      deepEqual([view.type, view.price], ['stop-limit', amountOf('870000')]);
      deepEqual(view.stop, { direction: 'BELOW', price: amountOf('880000') });
      deepEqual([view.isAwaiting, view.isEnded], [true, false]);
    },
  },
  {
    name: 'a limit order has no stop, and does not wait',
    check: async (world) => {
      const { stop, isAwaiting } = await viewOf(world, await placed(world, sale));
      deepEqual([stop, isAwaiting === true], [undefined, false]);
    },
  },
  {
    name: 'a stop order that waits is in the list of open orders, and its money is not available',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const id = await placeSale(world);
      deepEqual(
        (await ordersIn(world.reader, 'open')).map(({ orderId }) => orderId),
        [id],
      );
      const balances = await world.ask({ kind: 'balances' });
      ok(balances.kind === 'ok');
      const base = balances.value.find(({ currency }) => currency === world.market.base);
      equal(base && base.balance - base.available, amountOf('0.01'));
    },
  },
  {
    name: 'a stop order that waits does not trade, whatever its limit price meets',
    check: async (world) => {
      world.tradeOfOthers('900000');
      world.placeAsOther({ side: 'BID', price: '875000', volume: '0.02' });
      equal(await stateOf(world, await placeSale(world)), 'awaiting 0 0');
    },
  },
  {
    name: 'a trade short of the stop price does not trigger it',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const id = await placeSale(world);
      world.tradeOfOthers('880001');
      world.tradeOfOthers('950000');
      equal(await stateOf(world, id), 'awaiting 0 0');
    },
  },
  {
    name: 'a trade at the stop price makes it a limit order, which takes',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const id = await placeSale(world);
      world.placeAsOther({ side: 'BID', price: '875000', volume: '0.004' });
      world.tradeOfOthers('880000');
      equal(await stateOf(world, id), 'open 0.004 3500');
      equal((await viewOf(world, id)).stop?.price, amountOf('880000'));
    },
  },
  {
    name: 'a trade beyond the stop price of a purchase makes it a limit order, which rests',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const id = await placed(world, purchase, stopAt(world, 'ABOVE', '920000'));
      world.tradeOfOthers('925000');
      equal(await stateOf(world, id), 'open 0 0');
      world.placeAsOther({ side: 'ASK', price: '930000', volume: '0.01' });
      equal(await stateOf(world, id), 'ended 0.01 9300');
    },
  },
  {
    name: 'a stop whose price the last trade has reached is a limit order at once',
    check: async (world) => {
      world.tradeOfOthers('880000');
      equal(await stateOf(world, await placeSale(world)), 'open 0 0');
    },
  },
  {
    name: 'one trade triggers several stop orders',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const ids = [];
      for (const clientOrderId of ['one', 'two'])
        ids.push(await placed(world, { ...sale, clientOrderId }, stopAt(world, 'BELOW', '880000')));
      world.tradeOfOthers('879000');
      for (const id of ids) equal(await stateOf(world, id), 'open 0 0');
    },
  },
  {
    name: 'a post-only stop order that would take when it is triggered ends without a trade',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const part = { ...stopAt(world, 'BELOW', '880000'), postOnly: true };
      const id = await placed(world, sale, part);
      world.placeAsOther({ side: 'BID', price: '875000', volume: '0.02' });
      world.tradeOfOthers('880000');
      equal(await stateOf(world, id), 'ended 0 0');
    },
  },
  {
    name: 'a stop order that waits can be cancelled, and frees its money',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const orderId = await placeSale(world);
      equal((await world.ask({ kind: 'cancel', orderId })).kind, 'ok');
      equal(await stateOf(world, orderId), 'ended 0 0');
      world.tradeOfOthers('870000');
      equal(await stateOf(world, orderId), 'ended 0 0');
    },
  },
  {
    name: 'the wait of a stop order and its trigger are reported',
    check: async (world) => {
      world.tradeOfOthers('900000');
      const id = await placeSale(world);
      const seen = (): unknown[] =>
        world
          .reports()
          .flatMap((one) =>
            one.kind === 'accepted' && one.orderId === id ? [one.isAwaiting === true] : [],
          );
      deepEqual(seen(), [true]);
      world.tradeOfOthers('880000');
      deepEqual(seen(), [false]);
    },
  },
  {
    name: 'a stop price outside the limits of the market is rejected, and nothing is placed',
    check: async (world) => {
      world.tradeOfOthers('900000');
      await checkNothingPlaced(world, sale, 'rejected', stopAt(world, 'BELOW', '1'));
    },
  },
];
