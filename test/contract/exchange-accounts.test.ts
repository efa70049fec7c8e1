/**
 * How an exchange keeps an account, whatever decides the fills: the same cases at the simulator,
 * the replay exchange and the paper exchange, by the requests and the user stream of the engine.
 *
 * Method: `support/account-subjects.ts` puts the three behind one port, without latencies. Amounts
 * are compared as numbers: the simulator writes "1.50", the others "1.5". Three differences are
 * intended and have no case here: only the simulator takes stop orders and leverage, and lets two
 * orders of one account trade with each other.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { movementViewOf } from '../../src/venues/luno/adapter/decode-accounts.ts';
import type { PostorderParameters } from '../../src/venues/luno/api/operations.ts';
import { AccountBench, plain, sumOf } from '../support/account-bench.ts';
import { accountSubjects, subjectAccounts, subjectMarket } from '../support/account-subjects.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const { pair } = subjectMarket;
const startMs = 1_795_176_000_000;

describe.each(accountSubjects)('%s', (_, create) => {
  let bench: AccountBench;
  beforeEach(() => {
    bench = new AccountBench(create);
  });

  const orderOf = (id: string) => bench.body('getOrderV3', { id });
  const rowsOf = (currency: keyof typeof subjectAccounts, asked: object = {}) =>
    bench.body('transactions', {
      ...{ id: subjectAccounts[currency], min_row: '1', max_row: '1000' },
      ...asked,
    }).transactions;

  describe('an order', () => {
    test('sets aside what it may cost, and rests', () => {
      const id = bench.place({ client_order_id: 'mine', post_only: true });
      expect(bench.told()).toEqual(['EUR 2: 100 +0, available 98 -2', 'o1 accepted']);
      expect(orderOf(id)).toMatchObject({
        ...{ order_id: id, client_order_id: 'mine', pair, side: 'BUY', type: 'LIMIT' },
        ...{ status: 'PENDING', time_in_force: 'GTC', limit_price: '1.00', limit_volume: '2.0000' },
        ...{ base_account_id: '1', counter_account_id: '2', creation_timestamp: startMs + 1_000 },
        ...{ completed_timestamp: 0, expiration_timestamp: 0, stop_direction: '', leverage: 0 },
      });
    });

    test('is filled in parts as a maker: the fee comes off the base that a buy receives', () => {
      const id = bench.place({});
      bench.told();
      bench.take('BID', '1.00', '0.5');
      expect(bench.told()).toEqual([
        'o1 0.5, +0.5 for +0.5, fee 0.0001 0',
        'EUR 3: 99.5 -0.5, available 98 +0',
        'XBT 2: 10.4999 +0.4999, available 10.4999 +0.4999',
      ]);
      bench.take('BID', '1.00', '1.5');
      expect(bench.told()).toEqual([
        'o1 2, +1.5 for +1.5, fee 0.0003 0',
        'EUR 4: 98 -1.5, available 98 +0',
        'XBT 3: 11.9996 +1.4997, available 11.9996 +1.4997',
        'o1 ended',
      ]);
      const { fee_base: fee, fee_counter: none, ...order } = orderOf(id);
      expect([order.status, order.base, plain(order.counter)]).toEqual(['COMPLETE', '2.0000', '2']);
      expect([fee, none].map(plain)).toEqual(['0.0004', '0']);
      expect([order.completed_timestamp, order.expiration_timestamp]).toEqual([
        order.creation_timestamp + 2_000,
        0,
      ]);
    });

    test('that sells pays its fee off the counter currency', () => {
      bench.place({ type: 'ASK', price: '1.10' });
      bench.take('ASK', '1.10', '2');
      expect(bench.told()).toEqual([
        'XBT 2: 10 +0, available 8 -2',
        'o1 accepted',
        'o1 2, +2 for +2.2, fee 0 0.00044',
        'XBT 3: 8 -2, available 8 +0',
        'EUR 2: 102.19956 +2.19956, available 102.19956 +2.19956',
        'o1 ended',
      ]);
    });

    test('that takes at a better price gives the rest of its reservation back, level by level', () => {
      bench.rest('ASK', '1.01', '0.5');
      bench.rest('ASK', '1.03', '0.5');
      const id = bench.place({ price: '1.05' });
      expect(bench.told()).toEqual([
        'EUR 2: 100 +0, available 97.9 -2.1',
        'o1 accepted',
        'o1 0.5, +0.5 for +0.505, fee 0.0005 0',
        'EUR 3: 99.495 -0.505, available 97.92 +0.02',
        'XBT 2: 10.4995 +0.4995, available 10.4995 +0.4995',
        'o1 1, +0.5 for +0.515, fee 0.0005 0',
        'EUR 4: 98.98 -0.515, available 97.93 +0.01',
        'XBT 3: 10.999 +0.4995, available 10.999 +0.4995',
      ]);
      expect(orderOf(id)).toMatchObject({ status: 'PENDING', base: '1.0000' });
      // What is left of it is a maker.
      bench.take('BID', '1.05', '1');
      expect(bench.told()).toEqual([
        'o1 2, +1 for +1.05, fee 0.0002 0',
        'EUR 5: 97.93 -1.05, available 97.93 +0',
        'XBT 4: 11.9988 +0.9998, available 11.9988 +0.9998',
        'o1 ended',
      ]);
    });

    test('that is cancelled gives back what it holds, once', () => {
      const id = bench.place({});
      bench.take('BID', '1.00', '0.5');
      bench.told();
      expect(bench.code('stoporder', { order_id: id })).toBe('ok');
      expect(bench.told()).toEqual(['EUR 4: 99.5 +0, available 99.5 +1.5', 'o1 ended']);
      const order = orderOf(id);
      expect(order).toMatchObject({ status: 'COMPLETE', base: '0.5000' });
      expect(order.expiration_timestamp).toBe(order.completed_timestamp);
      for (const orderId of [id, 'BX000000000000000'])
        expect(bench.code('stoporder', { order_id: orderId })).toBe(
          'ErrCannotStopUnknownOrNonPendingOrder',
        );
      expect(bench.told()).toEqual([]);
    });

    const traded = [
      'o1 0.5, +0.5 for +0.505, fee 0.0005 0',
      'EUR 3: 99.495 -0.505, available 97.98 +0',
      'XBT 2: 10.4995 +0.4995, available 10.4995 +0.4995',
      'EUR 4: 99.495 +0, available 99.495 +1.515',
    ];
    const tradedWhole = [
      'o1 0.4, +0.4 for +0.404, fee 0.0004 0',
      'EUR 3: 99.596 -0.404, available 99.596 +0',
      'XBT 2: 10.3996 +0.3996, available 10.3996 +0.3996',
    ];
    test.each([
      ['IOC', '2', 'available 97.98 -2.02', traded],
      ['FOK', '2', 'available 97.98 -2.02', ['EUR 3: 100 +0, available 100 +2.02']],
      ['FOK', '0.4', 'available 99.596 -0.404', tradedWhole],
    ] as const)('%s of %s does not rest where 0.5 is offered', (kind, volume, held, between) => {
      bench.rest('ASK', '1.01', '0.5');
      bench.place({ price: '1.01', volume, time_in_force: kind });
      expect(bench.told()).toEqual([
        `EUR 2: 100 +0, ${held}`,
        'o1 accepted',
        ...between,
        'o1 ended',
      ]);
    });
  });

  describe('an order is refused, and nothing is told,', () => {
    const cases: readonly (readonly [code: string, part: Partial<PostorderParameters>])[] = [
      ['ErrOrderCanceled', { price: '1.20', post_only: true }],
      ['ErrPostOnlyNotAllowed', { post_only: true, time_in_force: 'IOC' }],
      ['ErrPostOnlyNotAllowed', { post_only: true, time_in_force: 'FOK', price: '0.001' }],
      ['ErrInsufficientBalance', { price: '1.01', volume: '99.0100' }],
      ['ErrInsufficientBalance', { type: 'ASK', price: '1.20', volume: '10.0001' }],
      ['ErrPriceDenominationNotAllowed', { price: '1.001' }],
      ['ErrVolumeDenominationNotAllowed', { volume: '0.00011' }],
      ['ErrPriceTooLow', { price: '0.09', volume: '0.0001' }],
      ['ErrPriceTooHigh', { price: '10000.01' }],
      ['ErrPriceTooHigh', { price: '999999999999' }],
      ['ErrVolumeTooLow', { volume: '0.0001' }],
      ['ErrVolumeTooHigh', { volume: '100.0001', price: '0.10' }],
      ['ErrVolumeTooHigh', { volume: '999999999999' }],
      ['ErrMarketUnavailable', { pair: 'NONEUR' }],
      ['ErrAccountNotFound', { base_account_id: '77' }],
      ['ErrInvalidAccountID', { counter_account_id: subjectAccounts.XBT }],
      ['ErrDeadlineExceeded', { timestamp: startMs, ttl: 500 }],
      ['ErrDuplicateClientOrderID', { client_order_id: 'used', price: '1.01', volume: '99.0100' }],
    ];
    test.each(cases)('%s: %o', (code, part) => {
      bench.rest('ASK', '1.20', '1');
      const used = bench.place({ client_order_id: 'used', price: '0.50' });
      bench.body('stoporder', { order_id: used });
      bench.told();
      expect(bench.code('postorder', bench.order(part))).toBe(code);
      expect(bench.told()).toEqual([]);
      expect(bench.body('listOrdersV2', {}).orders).toEqual([]);
    });

    test('but one within its time to live that exactly empties the account is taken', () => {
      const order = bench.order({ volume: '100', timestamp: startMs, ttl: 2_000 });
      expect(bench.code('postorder', order)).toBe('ok');
      expect(bench.told()[0]).toBe('EUR 2: 100 +0, available 0 -100');
    });
  });

  describe('the lists', () => {
    test('an order is found by either id, and by exactly one', () => {
      const id = bench.place({ client_order_id: 'mine' });
      expect(bench.body('getOrderV3', { client_order_id: 'mine' })).toEqual(orderOf(id));
      expect(bench.code('getOrderV3', { id: 'BX000000000000000' })).toBe('ErrOrderNotFound');
      expect(bench.code('getOrderV3', { client_order_id: 'other' })).toBe('ErrOrderNotFound');
      expect(bench.code('getOrderV3', {})).toBe('ErrInvalidArguments');
    });

    test('orders come newest first, open or complete, before a time, at most so many', () => {
      const ids = ['0.90', '0.91', '0.92', '0.93'].map((price) => bench.place({ price }));
      const listed = (parameters: object) =>
        bench.body('listOrdersV2', parameters).orders.map((order) => ids.indexOf(order.order_id));
      bench.body('stoporder', { order_id: ids[2] });
      bench.body('stoporder', { order_id: ids[0] });
      expect(listed({})).toEqual([3, 1]);
      expect(listed({ closed: true })).toEqual([2, 0]);
      expect(listed({ closed: true, limit: 1 })).toEqual([2]);
      const created = orderOf(ids[3] ?? '').creation_timestamp;
      expect(listed({ created_before: created })).toEqual([1]);
      expect(listed({ created_before: created + 1, pair })).toEqual([3, 1]);
      expect(listed({ pair: 'NONEUR' })).toEqual([]);
    });

    test('trades come oldest first unless asked otherwise, between times and sequences', () => {
      bench.place({});
      for (const volume of ['0.1', '0.2', '0.3', '0.4']) bench.take('BID', '1.00', volume);
      const list = (parameters: object) => bench.body('listtrades', { pair, ...parameters }).trades;
      const listed = (parameters: object) => list(parameters).map(({ base }) => plain(base));
      const all = list({});
      expect(all[0]).toMatchObject({ type: 'BID', is_buy: false, price: '1.00', pair });
      expect(plain(all[0]?.fee_base ?? '')).toBe('0.00002');
      expect(listed({})).toEqual(['0.1', '0.2', '0.3', '0.4']);
      expect(listed({ sort_desc: true, limit: 3 })).toEqual(['0.4', '0.3', '0.2']);
      const [, second, third] = all;
      expect(listed({ since: second?.timestamp, limit: 2 })).toEqual(['0.2', '0.3']);
      expect(listed({ before: third?.timestamp })).toEqual(['0.2', '0.1']);
      expect(listed({ after_seq: second?.sequence })).toEqual(['0.2', '0.3', '0.4']);
      expect(listed({ after_seq: second?.sequence, before_seq: third?.sequence })).toEqual(['0.2']);
      expect(bench.code('listtrades', { pair: 'NONEUR' })).toBe('ErrMarketUnavailable');
    });

    test('balances are those that the stream told last', () => {
      bench.place({ type: 'ASK', price: '1.10' });
      bench.take('ASK', '1.10', '0.5');
      const { balance } = bench.body('balance', {});
      expect(
        balance.map((one) => [
          one.account_id,
          one.asset,
          ...[one.balance, one.reserved].map(plain),
        ]),
      ).toEqual([
        ['1', 'XBT', '9.5', '1.5'],
        ['2', 'EUR', '100.54989', '0'],
      ]);
      expect(bench.body('balance', { assets: ['EUR'] }).balance).toHaveLength(1);
    });

    test('ledger rows are numbered without holes and add up', () => {
      const id = bench.place({});
      for (let time = 0; time < 3; time++) bench.take('BID', '1.00', '0.25');
      bench.body('stoporder', { order_id: id });
      const rows = rowsOf('EUR');
      expect(rows.map((row) => row.row_index)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(rows.map(({ kind, description }) => [kind, description])).toEqual([
        ['TRANSFER', expect.any(String)],
        ['EXCHANGE', 'Reserved for an order'],
        ...[1, 2, 3].map(() => ['EXCHANGE', 'Bought 0.2500 XBT']),
        ['EXCHANGE', 'Released from an order'],
      ]);
      expect(rows.slice(1).map(({ reference }) => reference)).toEqual(Array(5).fill(id));
      const traded = bench.body('listtrades', { pair }).trades;
      expect(rows.flatMap((row) => row.detail_fields?.trade_details ?? [])).toEqual(
        traded.map(({ price, sequence, volume }) => ({ pair, price, sequence, volume })),
      );
      for (const [index, row] of rows.entries()) {
        const before = rows[index - 1];
        for (const [sum, delta] of [
          ['balance', 'balance_delta'],
          ['available', 'available_delta'],
        ] as const)
          expect(plain(row[sum])).toBe(sumOf(before?.[sum] ?? '0', row[delta]));
      }
    });

    test('ledger rows are paged by number, also from the newest', () => {
      for (const price of ['0.90', '0.91', '0.92']) bench.place({ price });
      const numbers = (min: number, max: number) =>
        rowsOf('EUR', { min_row: String(min), max_row: String(max) }).map((row) => row.row_index);
      expect(numbers(2, 4)).toEqual([2, 3]);
      expect(numbers(3, 99)).toEqual([3, 4]);
      expect(numbers(-2, 0)).toEqual([3, 4]);
      expect(numbers(-99, -1)).toEqual([1, 2, 3]);
      expect(numbers(9, 99)).toEqual([]);
      const ask = (asked: object) => bench.code('transactions', { id: '2', ...asked });
      expect(ask({ min_row: '1', max_row: '1002' })).toBe('ErrTooManyRowsRequested');
      expect(ask({ id: '77', min_row: '1', max_row: '2' })).toBe('ErrAccountNotFound');
    });

    test('ledger rows are what the stream told, to the last digit', () => {
      bench.rest('ASK', '1.02', '1');
      bench.place({ price: '1.03' });
      bench.take('BID', '1.03', '0.3333');
      const told = bench.reports().flatMap((one) => (one.kind === 'balance' ? [one] : []));
      for (const currency of ['XBT', 'EUR'] as const) {
        const rows = rowsOf(currency, { min_row: '2' });
        const own = told.filter(({ account }) => account === subjectAccounts[currency]);
        expect(rows).toHaveLength(own.length);
        const shown = rows.map((entry) => movementViewOf(entry, subjectAccounts[currency]));
        const reported = own.map(({ kind: _, account: __, ...figures }) => figures);
        expect(shown).toMatchObject(reported);
      }
    });
  });
});

/** What each exchange told and answered in the course of 60 random actions. */
function transcriptsOf(seed: number): readonly string[][] {
  return accountSubjects.map(([, create]) => {
    const random = new SeededRandom(seed);
    const bench = new AccountBench(create);
    // Of one side only: no order of ours meets another, which not all exchanges let trade.
    const side = random.pick(['BID', 'ASK'] as const);
    const lines: string[] = [];
    const amount = (): string => (random.integer(2, 9_999) / 10_000).toFixed(4);
    const ids: string[] = [];
    bench.rest('ASK', '1.20', '100');
    bench.rest('BID', '0.80', '100');
    for (let action = 0; action < 60; action++) {
      const cents = random.integer(-19, 19);
      const price = ((side === 'BID' ? 100 - cents : 100 + cents) / 100).toFixed(2);
      const volume = amount();
      const kind = random.integer(0, 9);
      if (kind < 4) {
        const code = bench.ask('postorder', bench.order({ type: side, price, volume }));
        if (code.kind === 'ok') ids.push((code.body as { order_id: string }).order_id);
        lines.push(code.kind === 'refused' ? code.code : code.kind);
      } else if (kind < 5) {
        const terms = { type: side, price: side === 'BID' ? '1.20' : '0.80', volume };
        const timeInForce = random.pick(['IOC', 'FOK'] as const);
        lines.push(bench.code('postorder', bench.order({ ...terms, time_in_force: timeInForce })));
      } else if (kind < 6 && ids.length > 0)
        lines.push(bench.code('stoporder', { order_id: random.pick(ids) }));
      else {
        const open = bench.body('listOrdersV2', { pair }).orders;
        const best = open
          .filter((order) => order.side === (side === 'BID' ? 'BUY' : 'SELL'))
          .map((order) => order.limit_price)
          .sort((a, b) => (side === 'BID' ? -1 : 1) * a.localeCompare(b))[0];
        if (best !== undefined) bench.take(side, best, volume);
      }
      lines.push(...bench.told());
    }
    const { balance } = bench.body('balance', {});
    lines.push(
      ...balance.map((one) => `${one.asset} ${plain(one.balance)} ${plain(one.reserved)}`),
    );
    return lines;
  });
}

test('all three say the same of the same, whatever happens', () => {
  let fills = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const [first = [], ...others] = transcriptsOf(seed);
    for (const other of others) expect(other, `seed ${seed}`).toEqual(first);
    fills += first.filter((line) => line.includes(', fee ')).length;
  }
  expect(fills).toBeGreaterThan(200);
});
