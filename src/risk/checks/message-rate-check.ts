/**
 * Limits messages: orders per second and per minute, of the account and of the strategy, and the
 * strategy's cancels per order and orders per fill of the last hour. Every approved order counts,
 * whether or not it reached the exchange.
 */
import { type Check, textOf } from '../check.ts';
import type { GateLimits } from '../gate-limits.ts';
import { isWithinShare } from '../share.ts';
import type { TimeWindow } from '../time-window.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** With fewer orders than these the ratios mean nothing. */
export const ordersForRatios = 100;

/**
 * Returns the earliest time at which a strategy may replace an order, in milliseconds; a past time
 * means now. Replacements use at most four fifths of a minute's orders, so that an order that is
 * missing after a fill can be placed.
 */
export function replacesAtMs(
  { orders: all }: { readonly orders: TimeWindow },
  { orders: own }: { readonly orders: TimeWindow },
  limits: Pick<GateLimits, 'ordersPerSecondMax' | 'ordersPerMinuteMax' | 'each'>,
): number {
  const { each } = limits;
  return Math.max(
    fewerAtMs(all, limits.ordersPerSecondMax, secondMs),
    fewerAtMs(own, each.ordersPerSecondMax, secondMs),
    fewerAtMs(all, shareForMoves(limits.ordersPerMinuteMax), minuteMs),
    fewerAtMs(own, shareForMoves(each.ordersPerMinuteMax), minuteMs),
  );
}

function shareForMoves(max: number | undefined): number | undefined {
  return max === undefined ? undefined : Math.ceil((max * 4) / 5);
}

/** A missing limit, or one of 0, refuses every order, which the gate then says. */
function fewerAtMs(window: TimeWindow, max: number | undefined, withinMs: number): number {
  return max === undefined || max <= 0
    ? Number.NEGATIVE_INFINITY
    : window.fewerThanAtMs(max, withinMs);
}

export const checkMessageRate: Check = ({ facts, limits, context, passed }, refuse) => {
  const { nowMs } = facts;
  const { each } = limits;
  const all = facts.exposure.activity.orders;
  const own = context.activity.orders;
  const tellRate = (code: string, window: TimeWindow, max: number | undefined, spanMs: number) => {
    const tell = isBelow(max, window, nowMs, spanMs) ? passed : refuse;
    tell?.(code, String(window.count(nowMs, spanMs) + 1), textOf(max), 'orders');
  };
  tellRate('ORDERS_PER_SECOND', all, limits.ordersPerSecondMax, secondMs);
  tellRate('ORDERS_PER_MINUTE', all, limits.ordersPerMinuteMax, minuteMs);
  tellRate('STRATEGY_PER_SECOND', own, each.ordersPerSecondMax, secondMs);
  tellRate('STRATEGY_PER_MINUTE', own, each.ordersPerMinuteMax, minuteMs);

  const { cancelShareMax, ordersPerFillMax } = each;
  if (cancelShareMax.part === undefined)
    refuse('CANCEL_SHARE', 'missing', 'missing', 'cancels for each order');
  if (ordersPerFillMax === undefined)
    refuse('ORDERS_PER_FILL', 'missing', 'missing', 'orders for each fill');
  if (!own.hasAtLeast(ordersForRatios, nowMs, hourMs)) return;
  const orders = own.count(nowMs, hourMs) + 1;
  const cancels = context.activity.cancels.count(nowMs, hourMs);
  const tellShare = isWithinShare(cancels, orders, cancelShareMax) ? passed : refuse;
  const unit = 'cancels for each order';
  tellShare?.('CANCEL_SHARE', `${cancels}/${orders}`, cancelShareMax.text, unit);
  const fills = Math.max(1, context.activity.fills.count(nowMs, hourMs));
  if (ordersPerFillMax === undefined) return;
  const tellFills = orders > ordersPerFillMax * fills ? refuse : passed;
  const max = String(ordersPerFillMax);
  tellFills?.('ORDERS_PER_FILL', `${orders}/${fills}`, max, 'orders for each fill');
};

function isBelow(
  max: number | undefined,
  window: TimeWindow,
  nowMs: number,
  withinMs: number,
): boolean {
  const isKnown = max !== undefined && Number.isFinite(nowMs);
  return isKnown && max > 0 && !window.hasAtLeast(max, nowMs, withinMs);
}
