/** A single order in the place of another: when it is submitted, and with how much volume. */
import { expect, test } from 'vitest';
import type { DesiredOrder, OrderRouter } from '../../../src/engine/order-router.ts';
import { placeAlone } from '../../../src/engine/quoting/place-alone.ts';
import { emptyTarget, forgetPlaces } from '../../../src/engine/quoting/quote-target.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  market,
  noAnswer,
  ok,
  recordOf,
  startMs,
  tradeOf,
} from '../execution/execution-fixture.ts';
import { lots, ticks } from '../risk/open-gate.ts';

const terms = { side: 'BID', price: ticks(99_000_000), volume: lots(100) } as const;

/** An open order `k1` of 100 lots, and one of 100 lots that replaces it. */
function replacing(filledBefore = 0) {
  const harness = new ExecutionFixture();
  const old = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(old) }));
  if (filledBefore > 0) {
    book(harness.fills, tradeOf(old, filledBefore));
    harness.answer('getOrderV3', ok(recordOf(old, { lots: filledBefore })));
  }
  const refused: string[] = [];
  const submitted: DesiredOrder[] = [];
  const router = {
    submit: (_target: unknown, desired: DesiredOrder) => submitted.push(desired) > 0,
    refuseUnjudged: (_target: unknown, key: string, { code }: { code: string }) =>
      refused.push(`${key} ${code}`),
  } as unknown as OrderRouter;
  const target = emptyTarget('mm', market.pair);
  const place = (replaces: string) =>
    placeAlone({ orders: harness.orders, router }, target, {
      ...{ kind: 'place', pair: market.pair, key: 'new', terms, replaces, reason: 'moves' },
      createdMs: startMs,
    });
  const end = (lotsFilled: number) => {
    harness.answer('stoporder', ok({ success: true }));
    if (lotsFilled > filledBefore)
      book(harness.fills, tradeOf(old, lotsFilled - filledBefore, { sequence: '101' }));
    const status = { status: 'COMPLETE', lots: lotsFilled } as const;
    harness.answer('getOrderV3', ok(recordOf(old, status)));
    harness.advance(20_000);
  };
  return { harness, old, target, place, end, refused, submitted };
}

test('it waits until the old order has ended, and is submitted by the next plan', () => {
  const { old, target, place, end, submitted } = replacing();
  place('k1');
  expect([old.cancelling, old.cancelReason]).toEqual([true, 'new replaces it: moves']);
  expect([target.places, submitted]).toEqual([[], []]);
  end(0);
  expect([old.state, target.isDirty, target.replacing.size]).toEqual(['cancelled', true, 0]);
  expect(target.places).toMatchObject([{ key: 'new', terms, createdMs: startMs }]);
});

test('it waits as long as the outcome of the cancel is unknown', () => {
  const { harness, old, target, place } = replacing();
  place('k1');
  harness.answer('stoporder', noAnswer);
  harness.answer('getOrderV3', ok(recordOf(old)));
  harness.advance(1_900);
  expect([old.state, target.places]).toEqual(['open', []]);
});

test('what the old order fills meanwhile is taken off, what it had filled before is not', () => {
  const { target, place, end } = replacing(10);
  place('k1');
  end(40);
  expect(target.places).toMatchObject([{ terms: { volume: 70 } }]);
});

test('nothing is placed if less than the smallest order is left', () => {
  const { target, place, end, refused } = replacing();
  place('k1');
  end(97);
  expect([target.places, refused]).toEqual([[], ['new REPLACED_FILLED']]);
});

test('it is submitted at once without a live order of that key', () => {
  const { old, place, submitted } = replacing();
  place('another');
  expect([old.cancelling, submitted]).toMatchObject([false, [{ key: 'new', level: undefined }]]);
});

test('it is dropped when it is cancelled while it waits', () => {
  const { target, place, end } = replacing();
  place('k1');
  forgetPlaces(target, ({ key }) => key === 'new');
  end(0);
  expect([target.places, target.isDirty]).toEqual([[], false]);
});
