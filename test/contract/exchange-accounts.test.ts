/**
 * How an exchange keeps an account, whatever decides the fills: the same cases at the simulator,
 * the replay exchange and the paper exchange, by the requests and the reports of the engine.
 *
 * Method: `support/account-subjects.ts` puts the three behind one port, without latencies. One
 * difference is intended and has no case here: only the simulator lets two orders of one account
 * trade with each other. What each of them lists is tried by `prove -- ports`.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { type Amount, amountOf, formatAmount } from '../../src/domain/amount.ts';
import type { Reason } from '../../src/venue/venue-reply.ts';
import { AccountBench } from '../support/account-bench.ts';
import { accountSubjects, subjectAccounts, subjectMarket } from '../support/account-subjects.ts';
import type { PlacePart } from '../support/replay-market.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const { pair } = subjectMarket;
const startMs = 1_795_176_000_000;

describe.each(accountSubjects)('%s', (_, create) => {
  let bench: AccountBench;
  beforeEach(() => {
    bench = new AccountBench(create);
  });

  describe('an order', () => {
    test('sets aside what it may cost, and rests', () => {
      const orderId = bench.place({ clientOrderId: 'mine', postOnly: true });
      expect(bench.told()).toEqual(['EUR 2: 100 +0, available 98 -2', 'o1 accepted']);
      expect(bench.orderOf(orderId)).toEqual({
        ...{ orderId, clientOrderId: 'mine', pair, side: 'BID', type: 'limit' },
        ...{ price: amountOf('1'), volume: amountOf('2'), timeInForce: 'GTC' },
        ...{ stop: undefined, isAwaiting: false },
        ...{ baseAccount: '1', counterAccount: '2', createdMs: startMs + 1_000 },
        sums: { base: 0n, counter: 0n, feeBase: 0n, feeCounter: 0n },
        ...{ isEnded: false, endedMs: undefined },
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
      const { sums, isEnded, createdMs, endedMs } = bench.orderOf(id);
      expect([isEnded, ...Object.values(sums).map(formatAmount)]).toEqual([
        ...[true, '2', '2', '0.0004', '0'],
      ]);
      expect(endedMs).toBe(createdMs + 2_000);
    });

    test('that sells pays its fee off the counter currency', () => {
      bench.place({ side: 'ASK', price: '1.10' });
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
      expect(bench.orderOf(id)).toMatchObject({ isEnded: false, sums: { base: amountOf('1') } });
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
      expect(bench.cancel(id)).toBe('ok');
      expect(bench.told()).toEqual(['EUR 4: 99.5 +0, available 99.5 +1.5', 'o1 ended']);
      expect(bench.orderOf(id)).toMatchObject({ isEnded: true, sums: { base: amountOf('0.5') } });
      for (const orderId of [id, 'BX000000000000000'])
        expect(bench.cancel(orderId)).toBe('not-open');
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
      bench.place({ price: '1.01', volume, timeInForce: kind });
      expect(bench.told()).toEqual([
        `EUR 2: 100 +0, ${held}`,
        'o1 accepted',
        ...between,
        'o1 ended',
      ]);
    });
  });

  describe('an order is refused, and nothing is told,', () => {
    const cases: readonly (readonly [reason: Reason, part: PlacePart])[] = [
      ['would-take', { price: '1.20', postOnly: true }],
      ['rejected', { postOnly: true, timeInForce: 'IOC' }],
      ['rejected', { postOnly: true, timeInForce: 'FOK', price: '0.01' }],
      ['rejected', { price: '1.01', volume: '99.0100' }],
      ['rejected', { side: 'ASK', price: '1.20', volume: '10.0001' }],
      ['rejected', { price: '0.09', volume: '0.0001' }],
      ['rejected', { price: '10000.01' }],
      ['rejected', { price: '999999999999' }],
      ['rejected', { volume: '0.0001' }],
      ['rejected', { volume: '100.0001', price: '0.10' }],
      ['rejected', { volume: '99999999999' }],
      ['market-closed', { pair: 'NONEUR' }],
      ['rejected', { baseAccountId: '77' }],
      ['rejected', { counterAccountId: subjectAccounts.XBT }],
      ['expired', { timestampMs: startMs, ttlMs: 1_000 }],
      ['exists', { clientOrderId: 'used', price: '1.01', volume: '99.0100' }],
    ];
    test.each(cases)('%s: %o', (reason, part) => {
      bench.rest('ASK', '1.20', '1');
      const used = bench.place({ clientOrderId: 'used', price: '0.50' });
      bench.cancel(used);
      bench.told();
      expect(bench.reason(bench.order(part))).toBe(reason);
      expect(bench.told()).toEqual([]);
      expect(bench.value({ kind: 'orders', which: 'open' }).rows).toEqual([]);
    });

    test('but one within its time to live that exactly empties the account is taken', () => {
      const order = bench.order({ volume: '100', timestampMs: startMs, ttlMs: 2_000 });
      expect(bench.reason(order)).toBe('ok');
      expect(bench.told()[0]).toBe('EUR 2: 100 +0, available 0 -100');
    });
  });

  test('rows of a ledger say what was reserved, traded and released', () => {
    const id = bench.place({});
    for (let time = 0; time < 2; time++) bench.take('BID', '1.00', '0.25');
    bench.cancel(id);
    const { rows } = bench.value({ kind: 'movements', account: subjectAccounts.EUR });
    const trades = bench.value({ kind: 'own-trades', pair }).rows;
    expect(rows.map(({ kind, text, trade }) => [kind, text, trade])).toEqual([
      ['TRANSFER', expect.any(String), undefined],
      ['EXCHANGE', 'Reserved for an order', undefined],
      ...trades.map(({ sequence }) => [
        ...['EXCHANGE', expect.stringContaining('Bought'), { pair, sequence }],
      ]),
      ['EXCHANGE', 'Released from an order', undefined],
    ]);
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
        const reply = bench.ask(bench.order({ side, price, volume }));
        if (reply.kind === 'ok') ids.push(reply.value.orderId);
        lines.push(reply.kind === 'refused' ? reply.reason : reply.kind);
      } else if (kind < 5) {
        const terms = { side, price: side === 'BID' ? '1.20' : '0.80', volume };
        const timeInForce = random.pick(['IOC', 'FOK'] as const);
        lines.push(bench.reason(bench.order({ ...terms, timeInForce })));
      } else if (kind < 6 && ids.length > 0) lines.push(bench.cancel(random.pick(ids)));
      else {
        const open = bench.value({ kind: 'orders', which: 'open' }).rows;
        const best = bestOf(
          open.map((order) => order.price),
          side,
        );
        if (best !== undefined) bench.take(side, formatAmount(best), volume);
      }
      lines.push(...bench.told());
    }
    lines.push(
      ...bench
        .value({ kind: 'balances' })
        .map(
          (one) => `${one.currency} ${formatAmount(one.balance)} ${formatAmount(one.available)}`,
        ),
    );
    return lines;
  });
}

function bestOf(prices: readonly Amount[], side: 'BID' | 'ASK'): Amount | undefined {
  return prices.toSorted((a, b) => ((side === 'BID' ? a > b : a < b) ? -1 : 1))[0];
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
