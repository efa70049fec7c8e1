/** Reads in case a message was lost: made, or left out and counted in the call budget. */
import { expect, test } from 'vitest';
import { Coroutines } from '../../../src/engine/coroutines.ts';
import { TimerQueue } from '../../../src/engine/timer-queue.ts';
import { Demand } from '../../../src/execution/requests/demand.ts';
import { Signal } from '../../../src/execution/requests/procedure.ts';
import { ReadPlan, type SafetyRead } from '../../../src/execution/requests/read-plan.ts';
import { AccountListing } from './account-listing.ts';
import { book, idOf, ok, tradeOf } from './execution-fixture.ts';

const read: SafetyRead = { idleMs: 10_000, spacingMs: 5_000, busyMs: 20_000, calls: 2 };

function worldOf({ losesMessages = false, delaysMessages = false, hasRoom = true } = {}) {
  const timers = new TimerQueue();
  const time = { nowMs: 0 };
  const orderCalled = new Signal();
  const countedMs: number[] = [];
  const reads: number[] = [];
  const demand = new Demand();
  const plan = new ReadPlan({
    ...{ losesMessages, delaysMessages, time },
    calls: {
      ...{ orderCalled, isUnlimited: false, hasRoomForReads: () => hasRoom },
      countOtherCalls: (timesMs) => countedMs.push(...timesMs),
    },
  });
  const coroutines = new Coroutines({
    ...{ timers, nowMicros: () => time.nowMs * 1_000 },
    calls: { enqueue: () => {}, withdraw: () => {} },
  });
  const begin = (one: SafetyRead): void =>
    coroutines.spawn(
      (function* () {
        for (;;) {
          yield* plan.next(demand, one);
          reads.push(time.nowMs);
        }
      })(),
    );
  const advanceTo = (ms: number): void => {
    while (timers.nextMicros <= ms * 1_000) {
      const dueMicros = timers.nextMicros;
      time.nowMs = dueMicros / 1_000;
      timers.runDue(dueMicros);
    }
    time.nowMs = ms;
  };
  return { begin, advanceTo, demand, reads, countedMs, useBudget: () => orderCalled.raise() };
}

test.each([{ losesMessages: true }, { delaysMessages: true }])(
  'where messages may be lost, or are late, the read is made, and not counted besides: %o',
  (exchange) => {
    const { begin, advanceTo, useBudget, reads, countedMs } = worldOf(exchange);
    begin(read);
    advanceTo(25_000);
    useBudget();
    expect([reads, countedMs]).toEqual([[10_000, 20_000], []]);
  },
);

test('elsewhere it is made only on request, and counts before an order uses the budget', () => {
  const { begin, advanceTo, useBudget, demand, reads, countedMs } = worldOf();
  begin(read);
  advanceTo(31_000);
  expect(countedMs).toEqual([]);
  useBudget();
  expect(countedMs).toEqual([15_000, 15_000, 30_000, 30_000]);
  useBudget();
  expect(countedMs).toHaveLength(4);
  advanceTo(46_000);
  demand.ask();
  expect(reads).toEqual([46_000]);
  expect(countedMs.slice(4)).toEqual([45_000, 45_000]);
});

test('only the last minute counts, with fewer reads while orders need the calls', () => {
  const { begin, advanceTo, useBudget, countedMs } = worldOf({ hasRoom: false });
  begin(read);
  advanceTo(600_000);
  useBudget();
  expect(countedMs).toEqual([560_000, 560_000, 595_000, 595_000]);
});

test('a read that is needed is made although no message asks for it', () => {
  const { begin, advanceTo, reads } = worldOf();
  begin({ ...read, isNeeded: () => reads.length < 2 });
  advanceTo(60_000);
  expect(reads).toEqual([10_000, 20_000]);
});

test('a replay reads its ledgers again until a fill that was booked is in a balance', () => {
  const listing = new AccountListing({ isReplay: true });
  const { harness, ledger, fills } = listing;
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  const ledgerReads = (): number =>
    listing.asked.filter(({ operation }) => operation === 'transactions').length;
  const wait = (ms: number): void => {
    for (const endMs = harness.nowMs + ms; harness.nowMs < endMs; harness.advance(100))
      listing.answerAll();
  };
  harness.spawn(ledger.run());
  ledger.request();
  wait(120_000);
  expect(ledgerReads()).toBe(2);

  book(fills, tradeOf(order, 40));
  ledger.request();
  wait(30_000);
  expect(ledgerReads()).toBeGreaterThan(4);
});
