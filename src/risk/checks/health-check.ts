/**
 * The bot can trust what it knows: reconciled, durable, alone, on time, keeping up, and with few
 * unknown orders.
 */
import { type Check, textOf } from '../check.ts';

/** More unknown orders than these mean that something is wrong with the line or the exchange. */
const unknownOrdersPairMax = 2;
const unknownOrdersMax = 5;
/** How far the exchange's clock and ours may differ. */
export const clockSkewMsMax = 2_000;
/** What waited longer may be out of date. */
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
