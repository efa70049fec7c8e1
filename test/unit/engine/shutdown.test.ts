/** A shutdown ends when the exchange's list of open orders shows none of ours. */
import { expect, test } from 'vitest';
import { stopOrders } from '../../../src/engine/shutdown.ts';
import { EndChecks } from '../../../src/execution/reconcile/end-checks.ts';
import type { Reconciler } from '../../../src/execution/reconcile/reconciler.ts';
import type { OrderRecord } from '../../../src/venues/luno/api/operations/order-operations.ts';
import { wireOrder } from '../../support/wire-reader.ts';
import { ExecutionFixture, namespace, noAnswer, ok } from '../execution/execution-fixture.ts';

type Answer = (before: number | undefined) => ReturnType<typeof ok> | typeof noAnswer;

/** Stops a bot without orders; returns how many are open at the end, and how long it took. */
function stopWith(answer: Answer): { readonly open: number | undefined; readonly tookMs: number } {
  const fixture = new ExecutionFixture();
  const { orders, fills } = fixture;
  const startedMs = fixture.nowMs;
  let open: number | undefined;
  fixture.spawn(
    (function* () {
      const reconciler = {} as Reconciler;
      const endChecks = new EndChecks(orders, () => true);
      const readers = { fills, reconciler, endChecks };
      const leaves = new Set<string>();
      open = yield* stopOrders({ orders, ...readers, namespace, leaves, provesFills: false });
    })(),
  );
  while (open === undefined) {
    const [call] = fixture.calls;
    if (call === undefined) fixture.advance(50);
    else
      fixture.answer(
        'listOrdersV2',
        answer(call.parameters['created_before'] as number | undefined),
      );
  }
  return { open, tookMs: fixture.nowMs - startedMs };
}

const foreign = (count: number, createdMs: (index: number) => number) =>
  Array.from({ length: count }, (_, index) =>
    wireOrder({
      order_id: `BXF${index}`,
      client_order_id: `by-hand-${index}`,
      creation_timestamp: createdMs(index),
    }),
  );
const ours = wireOrder({ client_order_id: `b1-${namespace}-1-0123456789ab` });
const pageOf = (orders: readonly OrderRecord[], before = Infinity) =>
  ok({ orders: orders.filter((one) => one.creation_timestamp < before).slice(0, 1000) });

test('ends when the list shows no order of ours', () => {
  expect(
    stopWith((before) =>
      pageOf(
        foreign(3, () => 5),
        before,
      ),
    ),
  ).toEqual({ open: 0, tookMs: 0 });
});

test('counts an order of ours that is listed after a full page of others', () => {
  const listed = [...foreign(1000, (index) => 9_000 - index), ours];
  expect(stopWith((before) => pageOf(listed, before)).open).toBe(1);
});

test('counts one order if a full page from one millisecond may hide one of ours', () => {
  const listed = foreign(1000, () => 9_000);
  const { open, tookMs } = stopWith((before) => pageOf(listed, before));
  expect(open).toBe(1);
  expect(tookMs).toBeGreaterThanOrEqual(20_000);
});

test('counts one order if the list cannot be read', () => {
  expect(stopWith(() => noAnswer).open).toBe(1);
});
