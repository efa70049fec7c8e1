/**
 * Checks a new limit or stop-limit order without changing anything. The first failing check
 * determines the answer:
 *
 *     market known and open → deadline → client_order_id: length, unused → prohibitions of the
 *     exchange → post-only with IOC or FOK → price and volume: decimals, limits → stop → accounts
 *     and leverage → post-only market → balance → post-only that would trade
 *
 * A repeated client_order_id is checked before the balance, so that a resend after a lost answer is
 * refused as a duplicate and not for insufficient balance.
 */
import { acceptsTakers } from '../../../../domain/market.ts';
import { reservationOf } from '../../../../exchange-accounts/account-order.ts';
import { failedTimeInForce, isExpired } from '../../../../exchange-accounts/order-checks.ts';
import { meetsBook } from '../../../../exchange-accounts/order-crossing.ts';
import { limits } from '../../api/limits.ts';
import type { PostorderParameters } from '../../api/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import type { NewOrder } from '../core/matching.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { accountsFor, openMarket } from './market-access.ts';
import { checkFunds, parseTerms, refusalOfCheck } from './order-terms.ts';
import { hasActiveQuote } from './quotes.ts';
import { checkStop } from './stop-check.ts';

export type OrderContext = { readonly exchange: Exchange; readonly user: User };

/** Returns the limit or stop-limit order that the parameters describe, or why it is refused. */
export function checkOrder(
  parameters: PostorderParameters,
  context: OrderContext,
): { readonly kind: 'valid'; readonly order: NewOrder } | Refusal {
  const { exchange, user } = context;
  const opened = openMarket(parameters.pair, context);
  if (opened.kind === 'refused') return opened;
  const { market, lastTradePrice } = opened.state;
  const { pair } = market;
  const { time_in_force: timeInForce = 'GTC', post_only: isPostOnly = false } = parameters;
  const early =
    checkRequest(parameters, context) ??
    refusalOfCheck(failedTimeInForce({ timeInForce, postOnly: isPostOnly }));
  if (early !== undefined) return early;
  const priced = parseTerms(parameters, market);
  if (priced.kind === 'refused') return priced;
  const stopped = checkStop(parameters, market, lastTradePrice);
  if (stopped.kind === 'refused') return stopped;
  const leverage = parameters.leverage ?? 0;
  const accounts = accountsFor(parameters, { currencies: market, pair, leverage }, context);
  if (accounts.kind === 'refused') return accounts;
  if (!acceptsTakers(market.status) && !isPostOnly)
    return refuse('ErrPostOnlyMode', 'Market is in post-only mode');
  const { stop } = stopped;
  const order: NewOrder = {
    userId: user.id,
    clientOrderId: parameters.client_order_id ?? '',
    pair,
    side: parameters.type,
    price: priced.price,
    volume: priced.volume,
    timeInForce,
    baseAccountId: accounts.base.id,
    counterAccountId: accounts.counter.id,
    stop,
    isPostOnly,
    leverage,
  };
  const payer = order.side === 'BID' ? accounts.counter : accounts.base;
  const short = checkFunds(payer, reservationOf(order, market));
  if (short !== undefined) return short;
  // A stop order is checked when it enters the book.
  if (isPostOnly && stop === undefined && meetsBook(order, exchange.bookOf(pair).book))
    return refuse('ErrOrderCanceled', 'Order canceled: it would have traded at once');
  return { kind: 'valid', order };
}

/** Makes the checks of any order's creation that do not need its terms. */
export function checkRequest(
  parameters: Pick<PostorderParameters, 'pair' | 'timestamp' | 'ttl' | 'client_order_id'>,
  { exchange, user }: OrderContext,
): Refusal | undefined {
  const { pair, timestamp: timestampMs, ttl: ttlMs = limits.ttlMsDefault } = parameters;
  if (timestampMs !== undefined && isExpired({ timestampMs, ttlMs }, exchange.timeMs))
    return refuse('ErrDeadlineExceeded', 'Deadline exceeded');
  const { client_order_id: clientOrderId } = parameters;
  if (clientOrderId !== undefined) {
    const { clientOrderIdLengthMax: lengthMax } = exchange.state.limits;
    if (clientOrderId.length > lengthMax)
      return refuse('ErrInvalidClientOrderId', `client_order_id is longer than ${lengthMax}`);
    if (user.orderIdByClientOrderId.has(clientOrderId))
      return refuse('ErrDuplicateClientOrderID', 'Duplicate client order id');
  }
  if (hasActiveQuote(exchange, user, pair))
    return refuse('ErrCannotTradeWhileQuoteActive', `A quote for ${pair} is active`);
  return undefined;
}
