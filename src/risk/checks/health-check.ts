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

export const checkHealth: Check = ({ facts, pair, passed }, refuse) => {
  const { reconciled, storeDurable, lockHeld, clockSkewMs, loopDelayMs, unknownOrders } =
    facts.health;
  const tellReconciled = reconciled === true ? passed : refuse;
  tellReconciled?.('NOT_RECONCILED', yesOrNo(reconciled), 'yes', 'reconciled');
  const tellDurable = storeDurable === true ? passed : refuse;
  tellDurable?.('STORE_NOT_DURABLE', yesOrNo(storeDurable), 'yes', 'durable store');
  const tellLock = lockHeld === true ? passed : refuse;
  tellLock?.('LOCK_NOT_HELD', yesOrNo(lockHeld), 'yes', 'lock held');
  const isClockRight = clockSkewMs !== undefined && Math.abs(clockSkewMs) <= clockSkewMsMax;
  const tellSkew = isClockRight ? passed : refuse;
  tellSkew?.('CLOCK_SKEW', textOf(clockSkewMs), String(clockSkewMsMax), 'ms');
  const keepsUp = loopDelayMs !== undefined && loopDelayMs <= loopDelayMsMax;
  const tellDelay = keepsUp ? passed : refuse;
  tellDelay?.('LOOP_DELAY', textOf(loopDelayMs), String(loopDelayMsMax), 'ms');
  const tellUnknown = unknownOrders <= unknownOrdersMax ? passed : refuse;
  tellUnknown?.('UNKNOWN_ORDERS', textOf(unknownOrders), String(unknownOrdersMax), 'orders');
  const isPairKnown = pair !== undefined && pair.unknownOrders <= unknownOrdersPairMax;
  const tellPair = isPairKnown ? passed : refuse;
  const unit = 'orders of the pair';
  tellPair?.('UNKNOWN_ORDERS', textOf(pair?.unknownOrders), String(unknownOrdersPairMax), unit);
};

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
