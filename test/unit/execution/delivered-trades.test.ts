/** A request for trades while a call is under way makes another call, as a live bot's does. */
import { expect, test } from 'vitest';
import { Coroutines } from '../../../src/engine/coroutines.ts';
import { TimerQueue } from '../../../src/engine/timer-queue.ts';
import { DeliveredTrades } from '../../../src/execution/fills/delivered-trades.ts';
import type { FillBook } from '../../../src/execution/fills/fill-book.ts';
import { CallBudget } from '../../../src/execution/requests/call-budget.ts';
import { DeliveredReads } from '../../../src/execution/requests/delivered-reads.ts';
import { Demand } from '../../../src/execution/requests/demand.ts';

const roundTripMicros = 400_000;

test.each([true, false])('with a limit of calls: %s', (isLimited) => {
  let nowMicros = 0;
  const timers = new TimerQueue();
  const calls = new CallBudget('unlimited');
  const coroutines = new Coroutines({ timers, nowMicros: () => nowMicros, calls });
  const read: number[] = [];
  const reads = new DeliveredReads({
    calls: {
      get nowMicros() {
        return nowMicros;
      },
      hasRoomForReads: true,
      countOtherCalls: (timesMicros) => read.push(...timesMicros),
    },
    ...{ isLimited, roundTripMicros },
  });
  const booked: [at: number, before: number][] = [];
  const bookDelivered = (_: string, before: number) => booked.push([nowMicros, before]);
  const fills = { collectDelivered: () => {}, bookDelivered } as unknown as FillBook;
  const demand = new Demand();
  coroutines.spawn(new DeliveredTrades({ fills, reads, demand, pair: 'ABCEUR' }).run());
  const at = (micros: number): void => {
    while (timers.nextMicros <= micros) {
      nowMicros = timers.nextMicros;
      timers.runDue(nowMicros);
    }
    nowMicros = micros;
  };

  demand.ask(nowMicros);
  // This request is served by the call that leaves after 100 ms.
  at(99_000);
  demand.ask(nowMicros);
  at(2_000_000);
  expect(booked).toEqual([[500_000, 100_000]]);
  demand.ask(nowMicros);
  // This one comes when the call has left: another one leaves 700 and 100 ms after its answer.
  at(2_200_000);
  demand.ask(nowMicros);
  at(9_000_000);
  expect(booked.slice(1)).toEqual([
    [2_500_000, 2_100_000],
    [3_700_000, 3_300_000],
  ]);
  expect(read).toEqual(isLimited ? [100_000, 2_100_000, 3_300_000] : []);
});
