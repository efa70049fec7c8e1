/** Our orders and fills in the words of the strategy contract. */

import { parseLots, parseTicks } from '../domain/market.ts';
import { decimalOf, formatDecimal } from '../domain/money.ts';
import { noLots } from '../domain/ticks-and-lots.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { OwnFill } from '../execution/requests/execution-context.ts';
import type { Fill, OwnOrder } from '../strategy/contract.ts';

/** Returns an order as its strategy sees it. */
export function ownOrderOf(order: TrackedOrder): OwnOrder {
  const { key, level, terms, filled, state, cancelling } = order;
  return level === undefined
    ? { key, terms, filled, state, cancelling }
    : { key, level, terms, filled, state, cancelling };
}

/** Whether `own` is the order as its strategy would see it now; `terms` are of one order alone. */
export function isOwnOrderOf(own: OwnOrder, order: TrackedOrder): boolean {
  return (
    own.terms === order.terms &&
    own.state === order.state &&
    own.filled === order.filled &&
    own.cancelling === order.cancelling
  );
}

/** Returns a fill as its strategy sees it. */
export function strategyFillOf(order: TrackedOrder, fill: OwnFill): Fill {
  const { market, terms, key, level } = order;
  const { side } = terms;
  const { booked } = fill;
  const price = parseTicks(fill.price, market) ?? terms.price;
  const volume = parseLots(fill.volume, market) ?? noLots;
  return level === undefined
    ? { key, side, price, volume, booked }
    : { key, level, side, price, volume, booked };
}

/** Returns a fill in words. */
export function describeFill(order: TrackedOrder, fill: OwnFill): string {
  const { base, counter } = order.market;
  const fees = [
    decimalOf(fill.feeBase).isZero() ? '' : `${plain(fill.feeBase)} ${base}`,
    decimalOf(fill.feeCounter).isZero() ? '' : `${plain(fill.feeCounter)} ${counter}`,
  ].filter((fee) => fee !== '');
  const traded = `${order.terms.side} ${plain(fill.volume)} ${base} at ${plain(fill.price)} ${counter}`;
  const role = fill.maker ? 'maker' : 'taker';
  return `${order.strategyId} ${traded} (${[role, ...fees.map((fee) => `fee ${fee}`)].join(', ')})`;
}

function plain(amount: string): string {
  return formatDecimal(decimalOf(amount));
}
