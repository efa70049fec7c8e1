/**
 * The bot can rely on its state: it is reconciled with the exchange, the store is durable and
 * locked by this process alone, the clock is right, the event loop keeps up, and few orders have an
 * unknown outcome.
 */
import { type Check, textOf } from '../check.ts';

/** More unknown orders than these mean that the connection or the exchange has a problem. */
const unknownOrdersPairMax = 2;
const unknownOrdersMax = 5;
/** How far the exchange's clock and ours may differ, in milliseconds. */
export const clockSkewMsMax = 2_000;
/** Events that waited longer than this may be out of date. */
const loopDelayMsMax = 500;

export const checkHealth: Check = ({ facts, pair }, refuse) => {
  const { reconciled, storeDurable, lockHeld, clockSkewMs, loopDelayMs, unknownOrders } =
    facts.health;
  if (reconciled !== true) refuse('NOT_RECONCILED', 'no', 'yes', 'reconciled');
  if (storeDurable !== true) refuse('STORE_NOT_DURABLE', 'no', 'yes', 'durable store');
  if (lockHeld !== true) refuse('LOCK_NOT_HELD', 'no', 'yes', 'lock held');
  if (clockSkewMs === undefined || !(Math.abs(clockSkewMs) <= clockSkewMsMax)) {
    refuse('CLOCK_SKEW', textOf(clockSkewMs), String(clockSkewMsMax), 'ms');
  }
  if (loopDelayMs === undefined || !(loopDelayMs <= loopDelayMsMax)) {
    refuse('LOOP_DELAY', textOf(loopDelayMs), String(loopDelayMsMax), 'ms');
  }
  if (!(unknownOrders <= unknownOrdersMax)) {
    refuse('UNKNOWN_ORDERS', textOf(unknownOrders), String(unknownOrdersMax), 'orders');
  }
  if (pair === undefined || !(pair.unknownOrders <= unknownOrdersPairMax)) {
    const unit = 'orders of the pair';
    refuse('UNKNOWN_ORDERS', textOf(pair?.unknownOrders), String(unknownOrdersPairMax), unit);
  }
};
