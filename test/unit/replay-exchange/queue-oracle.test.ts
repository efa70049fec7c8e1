/**
 * Queue places and fills of our orders equal those of a simple list that contains our orders, over
 * random first-in-first-out history. SEED reruns one seed.
 */
import { expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { RandomOrderFlow } from '../../support/random-order-flow.ts';
import { createQueueModel, request } from '../../support/replay-market.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { SlowQueueModel } from '../../support/slow-queue-model.ts';

function applySlowly(slow: SlowQueueModel, row: OrderFlowRow): void {
  if (row.kind === 'create') {
    slow.createHistory(row.id, row.side, row.price, row.volume);
  } else if (row.kind === 'delete') {
    slow.remove(row.id);
  } else if (row.kind === 'trade') {
    slow.trade(row.makerId, row.volume);
  } else {
    slow.shrink(row.id, row.volume);
  }
}

function run(seed: number): { fills: number; fillsOutOfQueue: number } {
  const random = new SeededRandom(seed);
  const flow = new RandomOrderFlow(random);
  const slow = new SlowQueueModel();
  const { model: fast, events, history } = createQueueModel();
  for (let step = 0; step < 300; step++) {
    for (const row of flow.next()) {
      history.apply(row);
      applySlowly(slow, row);
    }
    if (random.fraction() < 0.3) {
      const side: Side = random.fraction() < 0.5 ? 'BID' : 'ASK';
      const price = random.integer(95, 105) as Ticks;
      const volume = random.integer(1, 30) as Lots;
      const recorded = events.length;
      fast.place(request(side, price, volume, { postOnly: true }), step);
      const answer = events[recorded];
      if (answer?.kind === 'accepted') slow.placeOurs(answer.order.orderId, side, price, volume);
    } else if (fast.openOrders.length > 0 && random.fraction() < 0.1) {
      const order = random.pick(fast.openOrders);
      fast.cancel(order, step);
      slow.remove(order.orderId);
    }
    const ours = new Map(
      fast.openOrders.map((order) => [
        order.orderId,
        { left: order.remaining, ahead: fast.aheadOf(order) },
      ]),
    );
    expect(ours, `seed ${seed} step ${step}`).toEqual(slow.ours());
  }
  const fills = events.filter((event) => event.kind === 'filled');
  expect(
    fills.map(({ order, price, base }) => ({ id: order.orderId, price, volume: base })),
    `seed ${seed}`,
  ).toEqual(slow.fills);
  expect(
    fills.map(({ volumeAhead }) => volumeAhead),
    `seed ${seed}`,
  ).toEqual(fills.map(() => 0));
  return { fills: fills.length, fillsOutOfQueue: fast.counts.fillsOutOfQueue };
}

test('queue places and fills equal those of a simple list, and nothing is ahead at a fill', () => {
  const given = process.env['SEED'];
  const seeds = given ? [Number.parseInt(given, 10)] : Array.from({ length: 60 }, (_, i) => i + 1);
  let fills = 0;
  for (const seed of seeds) {
    const result = run(seed);
    fills += result.fills;
    expect(result.fillsOutOfQueue).toBe(0);
  }
  // A run without fills would prove nothing.
  expect(fills).toBeGreaterThan(seeds.length);
});
