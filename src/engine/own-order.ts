/** Our orders and fills in the words of the strategy contract. */
import { parseLots, parseTicks } from '../domain/market.ts';
import { decimalOf, formatDecimal, type Lots } from '../domain/money.ts';
import type { OwnFill } from '../execution/desk.ts';
import type { TrackedOrder } from '../execution/tracked-order.ts';
import type { Fill, OwnOrder } from '../strategy/contract.ts';

/** Returns an order as its strategy sees it. */
export function ownOrderOf(order: TrackedOrder): OwnOrder {
  const filled = Math.min(order.filledLots, order.terms.volume) as Lots;
  return {
    key: order.key,
    ...(order.level === undefined ? {} : { level: order.level }),
    terms: order.terms,
    filled,
    state: order.state,
    cancelling: order.cancelRequestedMs !== undefined && !order.isFinal,
  };
}

/** Returns a fill as its strategy sees it. */
export function strategyFillOf(order: TrackedOrder, fill: OwnFill): Fill {
  const { market, terms } = order;
  return {
    key: order.key,
    ...(order.level === undefined ? {} : { level: order.level }),
    side: terms.side,
    price: parseTicks(fill.price, market) ?? terms.price,
    volume: parseLots(fill.volume, market) ?? (0 as Lots),
    booked: fill.booked,
  };
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
