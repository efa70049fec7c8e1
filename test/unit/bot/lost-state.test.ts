/** Our orders and trades that the database does not know, and how they are taken over. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findLostState } from '../../../src/bot/start/lost-state.ts';
import { recordsTakenOver } from '../../../src/bot/start/taken-over-records.ts';
import { isTakenOver } from '../../../src/domain/records.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite-store.ts';
import type { OrderView } from '../../../src/venue/venue-reply.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../src/venues/luno/api/operations/order-operations.ts';
import { workspace } from '../../support/package-root.ts';
import {
  orderOfWire,
  tradeOfWire,
  wireOrder,
  wireReader,
  wireTrade,
} from '../../support/wire-reader.ts';
import { market } from '../risk/open-gate.ts';
import { noonMs, openOptions, order } from '../store/store-samples.ts';

const place = { config: '/etc/b.yaml', home: '/h', workspace };

const namespace = 'abcdefgh';
const ours = 'q7d2m4xb';
const theirs = 'zzzzzzzz';
const minuteMs = 60_000;

let folder: string;
let store: SqliteStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-lost-'));
  store = openSqliteStore(join(folder, 'bot.sqlite'), { ...openOptions, identity: ours });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const idOf = (number: string, identity = ours): string =>
  `b1-${namespace}-${number}-${identity}-0123456789ab`;

function record(number: string, change: Partial<OrderRecord> = {}): OrderRecord {
  return wireOrder({
    order_id: `BX${number}`,
    client_order_id: idOf(number),
    status: 'COMPLETE',
    creation_timestamp: noonMs,
    completed_timestamp: noonMs + 1,
    ...change,
  });
}

function trade(number: string, change: Partial<UserTrade> = {}): UserTrade {
  return wireTrade({
    order_id: `BX${number}`,
    client_order_id: idOf(number),
    fee_base: '0.00001',
    timestamp: noonMs,
    ...change,
  });
}

type Asked = { readonly [name: string]: unknown };

function exchange(lists: {
  readonly open?: readonly OrderRecord[];
  readonly closed?: readonly OrderRecord[];
  readonly trades?: readonly UserTrade[];
}) {
  const asked: Asked[] = [];
  const venue = wireReader({
    listOrdersV2: async (parameters) => {
      asked.push(parameters);
      return { orders: [...((parameters.closed === true ? lists.closed : lists.open) ?? [])] };
    },
    listtrades: async (parameters) => {
      asked.push(parameters);
      return { trades: [...(lists.trades ?? [])] };
    },
  });
  return { venue, asked };
}

const optionsOf = (pagesMax: number, isPaper = false) =>
  ({ namespace, pairs: ['XBTZAR'], isPaper, store, place, pagesMax }) as const;

const look = (lists: Parameters<typeof exchange>[0], pagesMax = 50) =>
  findLostState(exchange(lists).venue, optionsOf(pagesMax));

describe('S8: an empty database', () => {
  test.each([
    ['an open order', { open: [record('1', { status: 'PENDING', completed_timestamp: 0 })] }],
    ['a closed order', { closed: [record('1')] }],
    ['a trade whose order is listed no more', { trades: [trade('1')] }],
  ])('is halted by %s of its namespace, and nothing but taking over helps', async (_, lists) => {
    const lost = await look(lists);
    expect(lost?.mayResume).toBe(false);
    expect(lost?.found).toContain(`the newest with id ${idOf('1')}`);
    for (const way of [
      'the right database',
      'reconcile /etc/b.yaml --repair',
      '--adopt',
      'namespace',
    ])
      expect(lost?.remedies).toContain(way);
  });

  test('does not suggest reconcile in mode paper, whose orders no exchange knows', async () => {
    const { venue } = exchange({ closed: [record('1')] });
    const lost = await findLostState(venue, optionsOf(50, true));
    expect(`${lost?.found} ${lost?.remedies}`).not.toContain('reconcile');
    expect(lost?.remedies).toContain(
      'to take them over with their fills and position, start with --adopt',
    );
  });

  test('is halted by a market order that traded, not by one that did not', async () => {
    const market = record('1', { type: 'MARKET' });
    expect(await look({ closed: [market] })).toBeUndefined();
    const traded = record('1', { type: 'MARKET', base: '0.01', counter: '10000' });
    expect((await look({ closed: [traded] }))?.mayResume).toBe(false);
  });

  test('is not halted by orders and trades of other bots', async () => {
    const foreign = { client_order_id: 'b1-otherbot-1-abcdefghijkl' };
    const lists = { open: [record('1', foreign)], closed: [record('2', foreign)] };
    expect(await look({ ...lists, trades: [trade('1', foreign)] })).toBeUndefined();
    expect(await look({})).toBeUndefined();
  });

  test('is halted if the lists are longer than the search limit, and may be resumed', async () => {
    const foreign = Array.from({ length: 1000 }, (_, i) =>
      record(`x${i}`, { client_order_id: '', creation_timestamp: noonMs - i }),
    );
    const lost = await look({ closed: foreign }, 1);
    expect(lost).toMatchObject({ mayResume: true, found: expect.stringContaining('1000 closed') });
    const trades = Array.from({ length: 1000 }, (_, i) =>
      trade('1', { client_order_id: '', sequence: String(i + 1) }),
    );
    expect(await look({ trades }, 1)).toMatchObject({ mayResume: true });
  });
});

describe('S9: a database that is older than the exchange', () => {
  const known = order(10, { clientOrderId: idOf('a'), createdMs: noonMs, state: 'cancelled' });

  test('compares whole ids: an equal number does not make an order known', async () => {
    store.commit([known], 1);
    expect(await look({ closed: [record('a')] })).toBeUndefined();
    const other = await look({ closed: [record('a', { client_order_id: idOf('a', theirs) })] });
    expect(other?.found).toContain('another database placed them');
    const later = await look({ closed: [record('b')] });
    expect(later?.found).toContain('this database is an older copy of the one that placed them');
  });

  test.each(['waiting', 'unsent'] as const)(
    'does not know an order that is %s in it',
    async (state) => {
      store.commit([order(10, { clientOrderId: idOf('a'), state })], 1);
      expect(await look({ closed: [record('a')] })).toMatchObject({ mayResume: false });
    },
  );

  test('searches from a minute before its newest order or the last comparison', async () => {
    const lists = exchange({});
    const asking = () => findLostState(lists.venue, optionsOf(50));
    const sinceOf = (): unknown => lists.asked.at(-1)?.['since'];
    await asking();
    expect(sinceOf()).toBeUndefined();
    store.commit([known], 1);
    await asking();
    expect(sinceOf()).toBe(noonMs - minuteMs);
    store.noteCompared(noonMs + 5 * minuteMs);
    await asking();
    expect(sinceOf()).toBe(noonMs + 4 * minuteMs);
    store.noteCompared(1);
    await asking();
    expect(sinceOf()).toBe(noonMs - minuteMs);
  });
});

describe('taking over', () => {
  const strategies = [
    { id: 'first', pairs: ['XBTZAR'] },
    { id: 'second', pairs: ['ETHZAR'] },
  ];
  const taken = ({
    orders = [],
    trades = [],
  }: {
    readonly orders?: readonly OrderRecord[];
    readonly trades?: readonly UserTrade[];
  }) => takenOf(orders.map(orderOfWire), trades);
  const takenOf = (orders: readonly OrderView[], trades: readonly UserTrade[]) =>
    recordsTakenOver(
      {
        orders,
        trades: trades.map(tradeOfWire),
        foreignTrades: [],
        ledgers: new Map(),
        balances: new Map(),
      },
      {
        reports: store.reports,
        strategies,
        accounts: { XBT: '11', ZAR: '13' },
        markets: new Map([['XBTZAR', market]]),
        isUnknown: (clientOrderId) =>
          store.reports.findOrder({ clientOrderId })?.state !== 'cancelled',
        nowMs: noonMs + minuteMs,
      },
    );
  const filled = record('2', {
    base: '0.01',
    counter: '10000',
    fee_base: '0.00001',
    creation_timestamp: noonMs - 5,
  });

  test('assigns unused numbers, oldest order first, and keeps the ids', () => {
    store.commit([order(10, { clientOrderId: idOf('a'), state: 'cancelled' })], 1);
    const open = record('1', { status: 'PENDING', completed_timestamp: 0, pair: 'ETHZAR' });
    const { orders, records, fills } = taken({
      orders: [open, filled, record('a')],
      trades: [trade('2')],
    });
    expect(orders).toMatchObject([
      {
        intentId: 11,
        clientOrderId: idOf('2'),
        state: 'filled',
        strategyId: 'first',
        volume: '0.0100',
      },
      { intentId: 12, clientOrderId: idOf('1'), state: 'open', strategyId: 'second' },
    ]);
    expect(orders.map((row) => row.cancelRequestedMs)).toEqual([undefined, noonMs + minuteMs]);
    expect(orders.every(isTakenOver)).toBe(true);
    expect(fills).toBe(1);
    const other = openSqliteStore(join(folder, 'other.sqlite'), openOptions);
    other.complete(records);
    expect(other.reports.fillTotals()).toMatchObject([{ strategyId: 'first', base: '0.01' }]);
    other.close();
  });

  test('leaves an order that its trades do not explain to the next run', () => {
    expect(taken({ orders: [filled] }).orders).toMatchObject([{ state: 'completing' }]);
    const trades = [trade('2'), trade('2', { sequence: '8' })];
    expect(taken({ orders: [filled], trades }).orders).toMatchObject([{ state: 'completing' }]);
  });

  test('creates an order from trades whose order is no longer listed', () => {
    const half = { volume: '0.004', base: '0.004', counter: '4000', fee_base: '0' };
    const trades = [trade('9', half), trade('9', { ...half, sequence: '8', price: '999999' })];
    expect(taken({ trades }).orders).toMatchObject([
      { state: 'filled', volume: '0.0080', base: '0.008', price: '999999.00', baseAccountId: '11' },
    ]);
  });

  test('makes a market order of its trades', () => {
    const market = record('3', { type: 'MARKET', base: '0.01', counter: '10000' });
    expect(taken({ orders: [market], trades: [trade('3')] })).toMatchObject({
      orders: [{ clientOrderId: idOf('3'), state: 'filled', base: '0.01' }],
      fills: 1,
      unfit: [],
    });
  });

  test('reports an order that no bot placed, and does not take it over', () => {
    const view = { ...orderOfWire(record('3')), type: 'other' } as const;
    expect(takenOf([view], [trade('3')])).toMatchObject({
      orders: [],
      fills: 0,
      unfit: [idOf('3')],
    });
  });

  test('books the missing fill of a stored order, and no fill twice', () => {
    store.commit([order(10, { clientOrderId: idOf('a'), state: 'cancelled' })], 1);
    const first = taken({ orders: [record('a')], trades: [trade('a')] });
    expect([first.orders, first.fills]).toEqual([[], 1]);
    store.commit(first.records, 2);
    expect(taken({ orders: [record('a')], trades: [trade('a')] }).records).toEqual([]);
  });

  test('corrects an order that was never sent according to the database', () => {
    store.commit(
      [order(10, { clientOrderId: idOf('a'), state: 'waiting', orderId: undefined })],
      1,
    );
    const { orders, records } = taken({ orders: [record('a')] });
    expect(orders).toMatchObject([
      { intentId: 10, key: 'k10', state: 'cancelled', orderId: 'BXa' },
    ]);
    store.commit(records, 2);
    expect(store.reports.findOrder({ intentId: 10 })).toMatchObject({ state: 'cancelled' });
  });
});
