/** The notices about an order whose state has changed: each says why, where it may be asked. */
import { reachText } from '../domain/limit-order.ts';
import { formatLots, formatTicks } from '../domain/market.ts';
import { marketOrderText } from '../domain/market-order.ts';
import type { Notice } from '../domain/notice.ts';
import type { OrderState } from '../domain/order.ts';
import { type Proof, proofText } from '../execution/orders/proof.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { plain } from './strategy-order.ts';

/** The states worth a notice; an order passes through the others in a moment. */
const announcedStates: ReadonlyMap<OrderState, string> = new Map([
  ['open', 'is open'],
  ['unknown', 'has an unknown outcome and is looked up'],
  ['filled', 'is filled'],
  ['cancelled', 'is cancelled'],
  ['rejected', 'was rejected by the exchange'],
  ['absent', 'never reached the exchange'],
  ['unsent', 'has ended'],
]);

type OrderNotice = Required<Pick<Notice, 'text' | 'detail'>>;

export class OrderNotices {
  /** Orders announced as open because of a fill that came before the answer to their request. */
  readonly #openByFill = new WeakSet<TrackedOrder>();

  /** Returns the notice about the new state of `order`; undefined if none is shown. */
  changed(order: TrackedOrder, proof: Proof): OrderNotice | undefined {
    const { state } = order;
    const what = announcedStates.get(state);
    if (what === undefined || (state === 'open' && this.#openByFill.delete(order)))
      return undefined;
    // An order of a quote that moved while it waited was never announced.
    if (state === 'unsent' && order.cancelRequestedMs !== undefined) return undefined;
    return noticeOf(order, what, whyOf(order, proof));
  }

  /**
   * Returns the notice to show before a fill of `order`, if no notice has said that it is open: the
   * user stream may report a fill before the exchange has answered the request.
   */
  beforeFill(order: TrackedOrder): OrderNotice | undefined {
    const { state } = order;
    const isPending = state === 'sending' || state === 'unknown';
    if (!isPending || this.#openByFill.has(order)) return undefined;
    this.#openByFill.add(order);
    return noticeOf(order, 'is open', whyOpen(order));
  }

  /** Returns the notice about a stop-limit order that has become its limit order. */
  triggered(order: TrackedOrder): OrderNotice {
    return noticeOf(order, 'is triggered', undefined);
  }

  /** Returns the notice about a cancel that the exchange refused. */
  cancelRefused(order: TrackedOrder, why: string): OrderNotice {
    return noticeOf(order, 'is not cancelled yet, as the exchange refused that', why);
  }
}

/** Returns the ids of an order, for the log. */
export function idsOf({ namedId, orderId, clientOrderId }: TrackedOrder): string {
  const exchangeId = namedId ?? orderId;
  return exchangeId === undefined ? clientOrderId : `${exchangeId} ${clientOrderId}`;
}

function noticeOf(order: TrackedOrder, what: string, why: string | undefined): OrderNotice {
  const text = `${order.strategyId} ${termsText(order)} ${what} (order ${order.intentId})`;
  return { text: why === undefined ? text : `${text}: ${why}`, detail: idsOf(order) };
}

function termsText(order: TrackedOrder): string {
  const { terms, market } = order;
  const { side, pays } = terms;
  if (pays !== undefined) return `${side} ${marketOrderText(side, pays, market)}`;
  const volume = plain(formatLots(terms.volume, market));
  const price = formatTicks(terms.price, market);
  return `${side} ${volume} ${market.base} at ${price} ${market.counter}${stopText(order)}`;
}

function stopText({ awaiting, terms, market, stopPriceText }: TrackedOrder): string {
  if (!awaiting || terms.stop === undefined) return '';
  return `, once the last trade is ${reachText(terms.stop.direction)} ${stopPriceText} ${market.counter},`;
}

function whyOf(order: TrackedOrder, proof: Proof): string | undefined {
  switch (order.state) {
    case 'open':
      return whyOpen(order);
    case 'filled':
      return undefined;
    case 'cancelled':
      return whyCancelled(order);
    default:
      return proofText(proof, order);
  }
}

/** The notice about a quote has its reason; an order placed on its own has only this notice. */
function whyOpen({ level, reason }: TrackedOrder): string | undefined {
  return level === undefined ? reason : undefined;
}

function whyCancelled(order: TrackedOrder): string {
  if (order.cancelReason !== undefined) return order.cancelReason;
  if (order.cancelRequestedMs !== undefined) return 'an earlier run requested it';
  switch (order.terms.timeInForce) {
    case 'IOC':
      return 'IOC, and nothing more could be traded at once';
    case 'FOK':
      return 'FOK, and its volume could not be traded at once';
    case 'GTC':
      return 'by the exchange or another user of the account, not by this bot';
  }
}
