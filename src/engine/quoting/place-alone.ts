/**
 * Submits the order of a `place` intent, at once or when the order that it replaces has ended. The
 * exchange has no amend, so a replacement is a cancel, then an order of its own.
 *
 * Invariants: while it waits, only the old order can fill; what the old one fills after the intent
 * is taken off the new one's volume.
 */
import { formatLots } from '../../domain/market.ts';
import { expiredRefusal } from '../../domain/refusal-text.ts';
import { subtractLots } from '../../domain/ticks-and-lots.ts';
import type { OrderStates } from '../../execution/orders/order-states.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import { type Procedure, wait } from '../../execution/requests/procedure.ts';
import type { OrderRouter } from '../order-router.ts';
import type { PlaceIntent, QuoteTarget } from './quote-target.ts';

type Parts = { readonly orders: OrderStates; readonly router: OrderRouter };

/** Submits the order of a new key, or begins to replace another one. */
export function placeAlone({ orders, router }: Parts, target: QuoteTarget, intent: PlaceIntent) {
  const { key, replaces, reason, expiresMs, createdMs } = intent;
  if (expiresMs !== undefined && expiresMs <= createdMs) {
    router.refuseUnjudged(target, key, expiredRefusal(expiresMs, createdMs));
    return;
  }
  const old = replaces === undefined ? undefined : liveOrder(orders, target, replaces);
  if (old === undefined) {
    router.submit(target, { ...intent, level: undefined });
    return;
  }
  target.replacing.set(key, intent);
  orders.cancel(old, `${key} replaces it: ${reason}`);
  orders.context.spawn(placeAfter(router, target, key, old));
}

function liveOrder({ tracker }: OrderStates, target: QuoteTarget, key: string) {
  const { strategyId, pair } = target;
  return tracker.live.find(
    (order) => order.key === key && order.strategyId === strategyId && order.pair === pair,
  );
}

/** Waits for the end of the old order; the next plan submits the new one. */
function* placeAfter(
  router: OrderRouter,
  target: QuoteTarget,
  key: string,
  old: TrackedOrder,
): Procedure {
  const filledBefore = old.filled;
  while (!old.isFinal) yield* wait(Number.POSITIVE_INFINITY, old.changed);
  const intent = target.replacing.get(key);
  // It was cancelled meanwhile, or its strategy has ended.
  if (intent === undefined) return;
  target.replacing.delete(key);
  const { market } = old;
  const filled = subtractLots(old.filled, filledBefore);
  const volume = subtractLots(intent.terms.volume, filled);
  if (filled > 0 && volume < market.volumeMin) {
    const observed = formatLots(filled, market);
    const limit = formatLots(intent.terms.volume, market);
    router.refuseUnjudged(target, key, {
      code: 'REPLACED_FILLED',
      observed,
      limit,
      unit: market.base,
    });
    return;
  }
  target.places.push({ ...intent, terms: { ...intent.terms, volume } });
  target.isDirty = true;
}
