/** What every adapter says about own trades, ledgers and balances. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf } from '../../../src/domain/amount.ts';
import { readList, type VenueReader } from '../../../src/venue/venue-reader.ts';
import type { MovementView, TradeView } from '../../../src/venue/venue-reply.ts';
import { ask, bid, ordersIn } from './order-behaviours.ts';
import type { Behaviour, VenueWorld } from './venue-world.ts';

type Bounds = { readonly sinceMs?: number; readonly from?: string };

export async function tradesOf(
  { reader, market }: VenueWorld,
  bounds: Bounds = {},
): Promise<readonly TradeView[]> {
  const request = { kind: 'own-trades', pair: market.pair, ...bounds } as const;
  const { rows, end } = await readList(reader, request, { prefix: '' });
  equal(end, 'complete');
  return rows;
}

export async function accountOf(reader: VenueReader, currency: string): Promise<string> {
  const balances = await reader.ask({ kind: 'balances' });
  ok(balances.kind === 'ok');
  const found = balances.value.find((one) => one.currency === currency);
  ok(found !== undefined, `there is no ${currency} account`);
  return found.account;
}

export async function movementsOf(
  reader: VenueReader,
  currency: string,
): Promise<readonly MovementView[]> {
  const account = await accountOf(reader, currency);
  const { rows, end } = await readList(reader, { kind: 'movements', account }, { prefix: '' });
  equal(end, 'complete');
  return rows;
}

/** Buys as a maker and sells as a taker, some time apart. */
function tradeTwice(world: VenueWorld): { readonly bought: string; readonly sold: string } {
  const bought = world.place({ ...bid, clientOrderId: 'maker' });
  world.placeAsOther(ask);
  world.advance(1_000);
  world.placeAsOther(bid);
  const sold = world.place({ ...ask, clientOrderId: 'taker' });
  return { bought, sold };
}

async function twoTrades(world: VenueWorld): Promise<readonly [TradeView, TradeView]> {
  tradeTwice(world);
  const [first, second, ...more] = await tradesOf(world);
  ok(first !== undefined && second !== undefined && more.length === 0, 'there are two trades');
  return [first, second];
}

export const accountBehaviours: readonly Behaviour[] = [
  {
    name: 'without trades the list is empty',
    check: async (world) => deepEqual(await tradesOf(world), []),
  },
  {
    name: 'a trade names its order, by both ids, and its market',
    check: async (world) => {
      const { bought, sold } = tradeTwice(world);
      const named = (await tradesOf(world)).map((one) => [
        one.orderId,
        one.clientOrderId,
        one.pair,
      ]);
      const { pair } = world.market;
      deepEqual(named, [
        [bought, 'maker', pair],
        [sold, 'taker', pair],
      ]);
    },
  },
  {
    name: "side and role are ours, not the taker's",
    check: async (world) => {
      const [first, second] = await twoTrades(world);
      deepEqual([first.side, first.isMaker], ['BID', true]);
      deepEqual([second.side, second.isMaker], ['ASK', false]);
    },
  },
  {
    name: 'price, volume and sums of a trade agree exactly',
    check: async (world) => {
      for (const { price, volume, sums } of await twoTrades(world)) {
        deepEqual([price, volume], [amountOf('900000'), amountOf('0.01')]);
        deepEqual([sums.base, sums.counter], [volume, amountOf('9000')]);
      }
    },
  },
  {
    name: 'the fee is taken in the currency that is received',
    check: async (world) => {
      const [bought, sold] = await twoTrades(world);
      ok(bought.sums.feeBase > 0n && bought.sums.feeCounter === 0n);
      ok(sold.sums.feeCounter > 0n && sold.sums.feeBase === 0n);
    },
  },
  {
    name: 'the sums of an ended order are those of its trades',
    check: async (world) => {
      const id = world.place(bid);
      for (const volume of ['0.003', '0.007']) world.placeAsOther({ ...ask, volume });
      const trades = (await tradesOf(world)).filter(({ orderId }) => orderId === id);
      equal(trades.length, 2);
      const order = (await ordersIn(world.reader, 'ended')).find(({ orderId }) => orderId === id);
      for (const sum of ['base', 'counter', 'feeBase', 'feeCounter'] as const)
        equal(
          order?.sums[sum],
          trades.reduce((total, trade) => total + trade.sums[sum], 0n),
        );
    },
  },
  {
    name: 'sequences rise with time, oldest first',
    check: async (world) => {
      const [first, second] = await twoTrades(world);
      ok(first.sequence !== second.sequence && first.atMs < second.atMs);
      ok(second.atMs <= world.nowMs);
    },
  },
  {
    name: 'trades since a time include that time',
    check: async (world) => {
      const [first, second] = await twoTrades(world);
      equal((await tradesOf(world, { sinceMs: first.atMs })).length, 2);
      deepEqual(await tradesOf(world, { sinceMs: first.atMs + 1 }), [second]);
    },
  },
  {
    name: 'trades from a sequence include it',
    check: async (world) => {
      const [first, second] = await twoTrades(world);
      deepEqual(await tradesOf(world, { from: second.sequence }), [second]);
      equal((await tradesOf(world, { from: first.sequence })).length, 2);
    },
  },
  {
    name: 'a list of trades of many pages is complete, each once after their keys',
    check: async (world) => {
      const count = 1_010;
      for (let index = 0; index < count; index++) {
        world.place({ ...bid, volume: '0.0001' });
        world.placeAsOther({ ...ask, volume: '0.0001' });
        world.advance(500);
      }
      const keys = (await tradesOf(world)).map(({ sequence, orderId }) => `${sequence} ${orderId}`);
      equal(new Set(keys).size, count);
    },
  },
  {
    name: 'a ledger is numbered from 1 without gaps',
    check: async (world) => {
      tradeTwice(world);
      const rows = (await movementsOf(world.reader, world.market.base)).map(({ row }) => row);
      deepEqual(
        rows,
        rows.map((_, index) => index + 1),
      );
      ok(rows.length >= 3);
    },
  },
  {
    name: 'each balance is the one before and the change',
    check: async (world) => {
      tradeTwice(world);
      for (const currency of [world.market.base, world.market.counter]) {
        let [balance, available] = [0n, 0n];
        for (const one of await movementsOf(world.reader, currency)) {
          balance += one.delta;
          available += one.availableDelta;
          deepEqual([one.balance, one.available], [balance, available]);
          equal(one.currency, currency);
        }
      }
    },
  },
  {
    name: 'a trade moves both currencies by its sums and its fee',
    check: async (world) => {
      const [bought] = await twoTrades(world);
      const { base, counter, feeBase, feeCounter } = bought.sums;
      const movedIn = async (currency: string) =>
        (await movementsOf(world.reader, currency))
          .filter(({ trade }) => trade?.sequence === bought.sequence)
          .reduce((sum, { delta }) => sum + delta, 0n);
      equal(await movedIn(world.market.base), base - feeBase);
      equal(await movedIn(world.market.counter), -counter - feeCounter);
    },
  },
  {
    name: 'a row of a trade names its market, others name none',
    check: async (world) => {
      tradeTwice(world);
      const rows = await movementsOf(world.reader, world.market.base);
      const pairs = new Set(rows.map(({ trade }) => trade?.pair));
      deepEqual(pairs, new Set([undefined, world.market.pair]));
    },
  },
  {
    name: 'balances are those of the last rows',
    check: async (world) => {
      tradeTwice(world);
      const balances = await world.reader.ask({ kind: 'balances' });
      ok(balances.kind === 'ok');
      for (const currency of [world.market.base, world.market.counter]) {
        const last = (await movementsOf(world.reader, currency)).at(-1);
        equal(balances.value.find((one) => one.currency === currency)?.balance, last?.balance);
      }
    },
  },
  {
    name: 'an account that is unknown is refused, and has no empty ledger',
    check: async ({ reader }) => {
      const reply = await reader.ask({ kind: 'movements', account: '999999999999999' });
      equal(reply.kind, 'refused');
    },
  },
];
