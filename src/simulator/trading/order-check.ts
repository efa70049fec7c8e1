/**
 * Whether a new limit or stop-limit order is accepted, without changing anything. The first check
 * that fails answers:
 *
 *     market known, open, allowed → deadline → client_order_id: length, unused → no quote active →
 *     post-only with IOC or FOK → price and volume: decimals, limits → stop → accounts and leverage
 *     → post-only market → balance → post-only that would trade
 *
 * A repeated client_order_id is found before the balance, so that repeating a request whose answer
 * was lost gives 409 and not a shortage that the first one caused.
 */
import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { reservationOf } from '../../exchange-accounts/account-order.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import { limits } from '../../exchange-api/limits.ts';
import type { ParametersOf } from '../../exchange-api/operation.ts';
import type { Operations } from '../../exchange-api/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { checkFunds, checkLeverage, openMarket, tradingAccounts } from './market-access.ts';
import type { NewOrder } from './matching.ts';
import { hasActiveQuote } from './quotes.ts';
import { checkStop } from './stop-check.ts';

export { type Refusal, refuse } from '../core/refusal.ts';

export type OrderParameters = ParametersOf<Operations['postorder']>;

export type OrderContext = { readonly exchange: Exchange; readonly user: User };

/** Returns the order that the parameters describe, or why it is refused. */
export function checkOrder(
  parameters: OrderParameters,
  context: OrderContext,
): { readonly kind: 'valid'; readonly order: NewOrder } | Refusal {
  const { exchange, user } = context;
  const opened = openMarket(parameters.pair, context);
  if (opened.kind === 'refused') return opened;
  const { market, lastTradePrice } = opened.state;
  const early = checkRequest(parameters, context) ?? checkPostOnly(parameters);
  if (early !== undefined) return early;
  const terms = checkTerms(parameters, market);
  if (terms.kind === 'refused') return terms;
  const stop = checkStop(parameters, market, lastTradePrice);
  if (stop.kind === 'refused') return stop;
  const accounts = tradingAccounts(parameters, market, context);
  if (accounts.kind === 'refused') return accounts;
  const leverage = parameters.leverage ?? 0;
  const { pair } = market;
  const lent = checkLeverage(leverage, { ...context, pair, account: accounts.base });
  if (lent !== undefined) return lent;

  const isPostOnly = parameters.post_only === true;
  const order: NewOrder = {
    userId: user.id,
    clientOrderId: parameters.client_order_id ?? '',
    pair,
    side: parameters.type,
    price: terms.price,
    volume: terms.volume,
    timeInForce: parameters.time_in_force ?? 'GTC',
    baseAccountId: accounts.base.id,
    counterAccountId: accounts.counter.id,
    stop: stop.condition,
    isPostOnly,
    leverage,
  };
  if (market.status !== 'ACTIVE' && !isPostOnly)
    return refuse('ErrPostOnlyMode', 'Market is in post-only mode');
  const payer = order.side === 'BID' ? accounts.counter : accounts.base;
  const short = checkFunds(payer, reservationOf(order, market));
  if (short !== undefined) return short;
  // A stop order is judged when it enters the book.
  if (isPostOnly && order.stop === undefined && meetsBook(order, exchange.bookOf(pair).book))
    return refuse('ErrOrderCanceled', 'Order canceled: it would have traded at once');
  return { kind: 'valid', order };
}

/** The parameters that every order creation has besides its terms. */
export type RequestParameters = Pick<
  OrderParameters,
  'pair' | 'timestamp' | 'ttl' | 'client_order_id'
>;

/** The checks of any order creation that need no terms: deadline, uniqueness, active quotes. */
export function checkRequest(
  parameters: RequestParameters,
  { exchange, user }: OrderContext,
): Refusal | undefined {
  const { pair, timestamp, client_order_id: clientOrderId } = parameters;
  const ttlMs = parameters.ttl ?? limits.ttlMsDefault;
  // A timestamp in the future is allowed: the caller's clock may be ahead.
  if (timestamp !== undefined && exchange.timeMs > timestamp + ttlMs)
    return refuse('ErrDeadlineExceeded', 'Deadline exceeded');
  if (clientOrderId !== undefined) {
    const lengthMax = exchange.state.limits.clientOrderIdLengthMax;
    if (clientOrderId.length > lengthMax)
      return refuse('ErrInvalidClientOrderId', `client_order_id is longer than ${lengthMax}`);
    if (user.orderIdByClientOrderId.has(clientOrderId))
      return refuse('ErrDuplicateClientOrderID', 'Duplicate client order id');
  }
  if (hasActiveQuote(exchange, user, pair))
    return refuse('ErrCannotTradeWhileQuoteActive', `A quote for ${pair} is active`);
  return undefined;
}

function checkPostOnly(parameters: OrderParameters): Refusal | undefined {
  const timeInForce = parameters.time_in_force ?? 'GTC';
  if (parameters.post_only !== true || timeInForce === 'GTC') return undefined;
  return refuse('ErrPostOnlyNotAllowed', `${timeInForce} orders cannot be post-only`);
}

function checkTerms(
  parameters: OrderParameters,
  market: Market,
): ({ readonly kind: 'valid' } & Pick<NewOrder, 'price' | 'volume'>) | Refusal {
  const price = parseTicks(parameters.price, market);
  if (price === undefined) return refuseNumber('price', parameters.price, market.priceScale);
  const volume = parseLots(parameters.volume, market);
  if (volume === undefined) return refuseNumber('volume', parameters.volume, market.volumeScale);
  if (price === 0) return refuse('ErrInvalidPrice', 'Price must be above zero');
  if (volume === 0) return refuse('ErrInvalidVolume', 'Volume must be above zero');
  if (price < market.priceMin) return refuse('ErrPriceTooLow', 'Price is below the minimum');
  if (price > market.priceMax) return refuse('ErrPriceTooHigh', 'Price is above the maximum');
  return checkVolume(volume, market) ?? { kind: 'valid', price, volume };
}

/** Returns the refusal if the volume is outside the market's limits. */
export function checkVolume(volume: NewOrder['volume'], market: Market): Refusal | undefined {
  if (volume < market.volumeMin) return refuse('ErrVolumeTooLow', 'Volume is below the minimum');
  if (volume > market.volumeMax) return refuse('ErrVolumeTooHigh', 'Volume is above the maximum');
  return undefined;
}

/** A number that is no multiple of the step has too many decimals, or is beyond 2^53 steps. */
export function refuseNumber(name: 'price' | 'volume', text: string, scale: number): Refusal {
  const decimals = (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
  const isPrice = name === 'price';
  if (decimals <= scale)
    return refuse(isPrice ? 'ErrPriceTooHigh' : 'ErrVolumeTooHigh', `${name} is above the maximum`);
  return refuse(
    isPrice ? 'ErrPriceDenominationNotAllowed' : 'ErrVolumeDenominationNotAllowed',
    `${name} may have at most ${scale} decimals`,
  );
}
