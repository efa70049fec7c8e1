/** Converts orders and fills to the types of the strategy contract, and fills to text. */

import { formatAmount } from '../domain/amount.ts';
import { formatLots, formatTicks } from '../domain/market.ts';
import { decimalOf, formatDecimal } from '../domain/money.ts';
import { noLots } from '../domain/ticks-and-lots.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { OwnFill } from '../execution/requests/execution-context.ts';
import { feesOf, tradedOf } from '../strategy/account/traded.ts';
import type { Fill, OwnOrder } from '../strategy/own-views.ts';

/** Returns an order as its strategy sees it. */
export function ownOrderOf(order: TrackedOrder): OwnOrder {
  // Few orders have fills.
  return order.bookedLots === noLots
    ? unbooked(order)
    : { ...unbooked(order), booked: tradedOf(order.booked, order.market) };
}

function unbooked(order: TrackedOrder): OwnOrder {
  const { key, level, terms, filled, state, cancelling, awaiting, expiresMs } = order;
  if (level !== undefined) return { key, level, terms, filled, state, cancelling };
  if (terms.stop === undefined && expiresMs === undefined)
    return { key, terms, filled, state, cancelling };
  return {
    ...{ key, terms, filled, state, cancelling },
    ...(terms.stop === undefined ? {} : { awaiting }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
  };
}

/** Whether `own` is up to date for `order`; no two orders share one `terms` object. */
export function isOwnOrderOf(own: OwnOrder, order: TrackedOrder): boolean {
  return (
    own.terms === order.terms &&
    own.state === order.state &&
    own.filled === order.filled &&
    (own.booked?.volume ?? noLots) === order.bookedLots &&
    own.cancelling === order.cancelling &&
    (own.awaiting ?? false) === order.awaiting
  );
}

/** Returns a fill as its strategy sees it, frozen. */
export function strategyFillOf(
  order: TrackedOrder,
  fill: Pick<OwnFill, 'price' | 'volume' | 'feeBase' | 'feeCounter' | 'atMs' | 'booked'>,
): Fill {
  const { terms, key, level, tag } = order;
  const { side } = terms;
  const { price, volume, atMs, booked } = fill;
  return Object.freeze({
    ...(level === undefined ? { key } : { key, level }),
    ...(tag === undefined ? {} : { tag }),
    ...{ side, price, volume, fees: feesOf(fill), atMs, booked },
  });
}

/** Returns a fill as a text for the operator. */
export function describeFill(order: TrackedOrder, fill: OwnFill): string {
  const { market } = order;
  const { base, counter } = market;
  const fees = [
    fill.feeBase === 0n ? '' : `${formatAmount(fill.feeBase)} ${base}`,
    fill.feeCounter === 0n ? '' : `${formatAmount(fill.feeCounter)} ${counter}`,
  ].filter((fee) => fee !== '');
  const volume = plain(formatLots(fill.volume, market));
  const price = plain(formatTicks(fill.price, market));
  const verb = order.terms.side === 'BID' ? 'bought' : 'sold';
  const traded = `${verb} ${volume} ${base} at ${price} ${counter}`;
  const role = fill.maker ? 'maker' : 'taker';
  return `${order.strategyId} ${traded} (${[role, ...fees.map((fee) => `fee ${fee}`)].join(', ')})`;
}

/** Returns an amount without zeros at its end. */
export function plain(amount: string): string {
  return formatDecimal(decimalOf(amount));
}
