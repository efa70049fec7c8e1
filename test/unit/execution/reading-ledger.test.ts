/** Reading the ledger, balances and open orders: pages, refusals, wrong data, and the effects. */
import { describe, expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import type { Ticks } from '../../../src/domain/money.ts';
import type { BalanceReport } from '../../../src/venue/venue-report.ts';
import { AccountListing, placeOpen } from './account-listing.ts';
import { idOf, ok, recordOf, refused, startMs, tradeOf } from './execution-fixture.ts';

const told = (balance: string, row = 1): BalanceReport => ({
  ...{ kind: 'balance', atMs: startMs, account: '11', row },
  ...{ balance: amountOf(balance), delta: amountOf('5') },
  ...{ available: amountOf('5'), availableDelta: amountOf('5') },
});

describe('the ledger', () => {
  test('RD16: 5,000 rows are read a thousand at a time, from row 1', () => {
    const listing = new AccountListing();
    for (let n = 1; n < 5_000; n++) listing.deposit('XBT', '0.0001');
    listing.run(listing.ledger.pass());
    const rows = listing.asked.filter(({ parameters }) => parameters['id'] === '11');
    expect(rows.map(({ parameters }) => [parameters['min_row'], parameters['max_row']])).toEqual([
      ...[1, 1001, 2001, 3001, 4001, 5001].map((from) => [String(from), String(from + 1_000)]),
    ]);
    expect(listing.ledger.ledgers[0]?.nextRow).toBe(5_001);
  });

  test('RD17: rows that arrive while it pages are read by the same pass', () => {
    const listing = new AccountListing();
    for (let n = 1; n < 1_000; n++) listing.deposit('XBT', '0.0001');
    listing.instead = (operation, parameters) => {
      if (
        operation === 'transactions' &&
        parameters['min_row'] === '1' &&
        parameters['id'] === '11'
      )
        listing.deposit('XBT', '1');
      return undefined;
    };
    listing.run(listing.ledger.pass());
    expect(listing.ledger.ledgers[0]?.nextRow).toBe(1_002);
    expect(listing.ledger.ledgers[0]?.balance).toBe(amountOf('6.0999'));
    expect(listing.harness.incidents).toEqual([]);
  });

  test.each([
    ['a gap', (row: object) => ({ ...row, row_index: 4 })],
    ['a repeated row', (row: object) => ({ ...row, row_index: 2 })],
    ['a changed balance', (row: object) => ({ ...row, balance: '5.000000000000000001' })],
  ])('RD18: %s halts the bot, and the row is not stored', (_name, change) => {
    const listing = new AccountListing();
    listing.deposit('XBT', '1');
    listing.deposit('XBT', '1');
    listing.rows.XBT[2] = change(listing.rows.XBT[2] as object) as never;
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual(['LEDGER_BROKEN']);
    expect(listing.harness.tradingStates).toEqual(['bot HALTED']);
    expect(listing.ledger.ledgers[0]?.nextRow).toBe(3);
    expect(listing.fills.positions.entries()).toEqual([]);
  });

  test('RD18: after a resume, the rows after the last valid one are read again', () => {
    const listing = new AccountListing();
    for (let n = 0; n < 3; n++) listing.deposit('XBT', '1');
    const [gone] = listing.rows.XBT.splice(2, 1);
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual(['LEDGER_BROKEN']);
    listing.rows.XBT.splice(2, 0, gone as never);
    listing.run(listing.ledger.pass());
    expect(listing.ledger.ledgers[0]?.nextRow).toBe(3);
    listing.ledger.readAgain();
    listing.run(listing.ledger.pass());
    expect(listing.ledger.ledgers[0]?.nextRow).toBe(listing.rows.XBT.length + 1);
    expect(listing.harness.incidents).toEqual(['LEDGER_BROKEN']);
  });

  test('RD18: rows of another account are ignored', () => {
    const listing = new AccountListing();
    listing.deposit('XBT', '1');
    const own = listing.rows.XBT.map((row) => ({ ...row, account_id: '99' }));
    const kept = listing.rows.XBT.splice(0, listing.rows.XBT.length, ...own);
    listing.run(listing.ledger.pass());
    expect(listing.ledger.trouble).toMatch(/row 1 of account 11: account 99 must be 11/u);
    expect(listing.harness.incidents).toEqual([]);
    listing.rows.XBT.splice(0, own.length, ...kept);
    listing.run(listing.ledger.pass());
    expect(listing.ledger.ledgers[0]?.nextRow).toBe(kept.length + 1);
  });

  test('RD19: without a ledger, fills are compared with order records and the other ledger', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    listing.instead = (operation, parameters) =>
      operation === 'transactions' && parameters['id'] === '11'
        ? refused(400, 'ErrAccountRowLimit')
        : undefined;
    listing.trade(tradeOf(order, 40));
    listing.openOrders = [recordOf(order, { lots: 40 })];
    listing.run(compareOnce(listing));
    listing.harness.advance(120_000);
    listing.harness.calls.length = 0;
    listing.run(compareOnce(listing));
    expect(listing.harness.incidents).toEqual(['LEDGER_NOT_LISTED']);
    expect(listing.harness.tradingStates).toEqual([]);
    expect(listing.fills.proofs.openCount).toBe(0);
    expect(listing.fills.differences()).toEqual([]);
    expect(listing.ledger.completeBeforeMs('XBTZAR')).toBeUndefined();
    // Then the free funds come from the balances.
    expect(listing.harness.exposure.free('XBT')).toBeDefined();
  });

  test('RD12: a trade with ourselves without fees is proven by its four rows', () => {
    const listing = new AccountListing();
    const bid = placeOpen(listing);
    // The gate would refuse an ask at this price, but two of our orders may still trade.
    const ask = listing.harness.place({ side: 'ASK', price: (bid.terms.price + 1) as Ticks });
    listing.harness.answer('postorder', ok({ order_id: idOf(ask) }));
    for (const order of [bid, ask]) listing.trade(tradeOf(order, 10, { fee_base: '0' }));
    listing.run(listing.ledger.pass());
    listing.run(listing.trades.pass());
    expect(listing.fills.proofs.openCount).toBe(0);
    expect(listing.fills.differences()).toEqual([]);
  });

  test('reads no more rows while too many trades lack their fills', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    for (let n = 1; n <= 20_500; n++)
      listing.trade(tradeOf(order, 1, { sequence: String(n) }), {
        isListed: false,
      });
    listing.run(listing.ledger.pass());
    expect(listing.fills.proofs.openCount).toBeLessThan(21_100);
    expect(listing.ledger.ledgers[0]?.nextRow).toBeLessThan(21_100);
  });
});

describe('a balance from the user stream', () => {
  test("U9: does not change the ledger's, and a contradiction for a minute is an incident", () => {
    const listing = new AccountListing();
    listing.run(listing.ledger.pass());
    listing.ledger.noteBalance(told('4'));
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual([]);
    listing.harness.advance(60_000);
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual(['BALANCE_DIFFERS']);
    expect(listing.ledger.ledgers[0]?.balance).toBe(amountOf('5'));
  });

  test('U9: is not compared with a response that a pause delayed', () => {
    const listing = new AccountListing();
    listing.run(listing.ledger.pass());
    listing.ledger.noteBalance(told('6', 2));
    listing.instead = () => {
      listing.harness.advance(70_000);
      return undefined;
    };
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual([]);
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual(['BALANCE_DIFFERS']);
  });

  test('U9: is no incident if the ledger confirms it later', () => {
    const listing = new AccountListing();
    listing.run(listing.ledger.pass());
    listing.ledger.noteBalance(told('6', 2));
    listing.harness.advance(59_000);
    listing.deposit('XBT', '1');
    listing.run(listing.ledger.pass());
    listing.harness.advance(60_000);
    listing.run(listing.ledger.pass());
    expect(listing.harness.incidents).toEqual([]);
  });
});

describe('a comparison with the exchange', () => {
  test('RD7: open orders of one millisecond at the end of a page are all seen', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    const foreign = (n: number, createdMs: number) =>
      recordOf(order, {
        order_id: `BXF${n}`,
        client_order_id: `hand-${n}`,
        creation_timestamp: createdMs,
      });
    listing.openOrders = [recordOf(order, { creation_timestamp: startMs })];
    for (let n = 0; n < 990; n++) listing.openOrders.push(foreign(n, startMs + 10 + n));
    for (let n = 990; n < 1_020; n++) listing.openOrders.push(foreign(n, startMs + 5));
    listing.run(compareOnce(listing));
    expect(listing.reconciler.externalOrders).toBe(1_020);
    expect(order.completionHinted).toBe(false);
    expect(listing.count('listOrdersV2')).toBe(2);
  });

  test('RD8: an order that closes during the list is read by its id', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    listing.openOrders = [];
    listing.instead = (operation) =>
      operation === 'getOrderV3'
        ? ok(recordOf(order, { status: 'COMPLETE', completed_timestamp: startMs }))
        : undefined;
    listing.run(compareOnce(listing));
    listing.answerAll();
    expect(listing.asked.some(({ operation }) => operation === 'getOrderV3')).toBe(true);
    expect(order.state).toBe('cancelled');
  });

  test('U10: orders of others are counted and never touched', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    listing.openOrders = [
      recordOf(order),
      recordOf(order, { order_id: 'BXH', client_order_id: 'by-hand' }),
    ];
    listing.run(compareOnce(listing));
    expect(listing.reconciler.externalOrders).toBe(1);
    expect(listing.harness.incidents).toEqual([]);
    expect(listing.count('stoporder')).toBe(0);
  });

  test('RD21: a balance that lags is not a difference; a lasting one is an incident', () => {
    const listing = new AccountListing();
    listing.harness.spawn(listing.reconciler.run());
    const balanceOf = (xbt: string) => (operation: string) =>
      operation === 'balance'
        ? ok({
            balance: [
              { account_id: '11', asset: 'XBT', balance: xbt, reserved: '0' },
              { account_id: '13', asset: 'ZAR', balance: '1000000', reserved: '0' },
            ],
          })
        : undefined;
    listing.instead = balanceOf('4.9999');
    pass(listing, 50_000);
    expect(listing.harness.incidents).toEqual([]);
    expect(listing.reconciler.isBalanced).toBe(false);
    pass(listing, 20_000);
    expect(listing.harness.incidents).toEqual(['DOES_NOT_BALANCE']);
    // 0.0001 is less than a hundredth of the budget of 0.08.
    expect(listing.harness.tradingStates).toEqual([]);
    listing.instead = balanceOf('4.9');
    pass(listing, 20_000);
    expect(listing.harness.tradingStates.at(-1)).toBe('bot HALTED');
    listing.instead = () => undefined;
    pass(listing, 10_000);
    expect(listing.reconciler.isBalanced).toBe(true);
  });

  test('a position that differs from the ledger halts the bot', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    listing.trade(tradeOf(order, 40));
    listing.openOrders = [recordOf(order, { lots: 40 })];
    listing.harness.spawn(listing.reconciler.run());
    pass(listing, 5_000);
    expect(listing.reconciler.isBalanced).toBe(true);
    // As if a bug counted a fill twice.
    listing.fills.positions.add('mm', 'XBTZAR', 'BID', order.booked);
    pass(listing, 130_000);
    expect(listing.harness.incidents).toEqual(['DOES_NOT_BALANCE']);
    expect(listing.harness.tradingStates.at(-1)).toBe('bot HALTED');
  });
});

function* compareOnce(listing: AccountListing) {
  return yield* listing.reconciler.compare();
}

/** Advances time while the exchange answers. */
function pass(listing: AccountListing, milliseconds: number): void {
  for (let ms = 0; ms < milliseconds; ms += 100) {
    listing.answerAll();
    listing.harness.advance(100);
  }
  listing.answerAll();
}
