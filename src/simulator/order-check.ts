/**
 * Whether a new order is accepted, without changing anything. The first check that fails answers:
 *
 *     market known and open → deadline → client_order_id unused → no margin, no stop → post-only
 *     with IOC or FOK → price and volume: decimals, limits → accounts → post-only market → balance
 *     → post-only that would trade
 *
 * A repeated client_order_id is found before the balance, so that repeating a request whose answer
 * was lost gives 409 and not a shortage that the first one caused.
 */
import { type Market, parseLots, parseTicks } from '../domain/market.ts';
import type { ErrorCode } from '../interface/errors.ts';
import { limits } from '../interface/limits.ts';
import type { ParametersOf } from '../interface/operation.ts';
import type { Operations } from '../interface/operations.ts';
import type { Book } from '../market/book.ts';
import { type Account, availableOf } from './account.ts';
import type { User } from './exchange-state.ts';
import type { NewOrder } from './matching.ts';
import { reservationOf, wouldTrade } from './matching.ts';
import { formatUnits } from './units.ts';

export type Refusal = {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: readonly string[];
};

export type OrderParameters = ParametersOf<Operations['postorder']>;

export type OrderContext = {
  readonly user: User;
  readonly market: Market | undefined;
  readonly book: Book | undefined;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly nowMs: number;
};

export function refuse(code: ErrorCode, message: string): Refusal {
  return { kind: 'refused', code, message };
}

/** Returns the order that the parameters describe, or why it is refused. */
export function checkOrder(
  parameters: OrderParameters,
  context: OrderContext,
): { readonly kind: 'valid'; readonly order: NewOrder } | Refusal {
  const { user, market, book } = context;
  if (market === undefined || book === undefined || isClosed(market))
    return refuse('ErrMarketUnavailable', 'Market not available');
  const early = checkRequest(parameters, context);
  if (early !== undefined) return early;
  const terms = checkTerms(parameters, market);
  if (terms.kind === 'refused') return terms;

  const base = accountFor(context, { given: parameters.base_account_id, currency: market.base });
  if (base.kind === 'refused') return base;
  const counter = accountFor(context, {
    given: parameters.counter_account_id,
    currency: market.counter,
  });
  if (counter.kind === 'refused') return counter;

  const order: NewOrder = {
    userId: user.id,
    clientOrderId: parameters.client_order_id ?? '',
    pair: market.pair,
    side: parameters.type,
    price: terms.price,
    volume: terms.volume,
    timeInForce: parameters.time_in_force ?? 'GTC',
    baseAccountId: base.account.id,
    counterAccountId: counter.account.id,
  };
  const isPostOnly = parameters.post_only === true;
  if (market.status !== 'ACTIVE' && !isPostOnly)
    return refuse('ErrPostOnlyMode', 'Market is in post-only mode');
  const payer = order.side === 'BID' ? counter.account : base.account;
  const needed = reservationOf(order, market);
  if (availableOf(payer) < needed)
    return refuse(
      'ErrInsufficientBalance',
      `Insufficient balance: ${formatUnits(needed)} ${payer.currency} needed`,
    );
  if (isPostOnly && wouldTrade(order, book))
    return refuse('ErrOrderCanceled', 'Order canceled: it would have traded at once');
  return { kind: 'valid', order };
}

function isClosed(market: Market): boolean {
  return market.status === 'DISABLED' || market.status === 'UNKNOWN';
}

/** The checks that need no market: deadline, uniqueness, and what this exchange does not offer. */
function checkRequest(parameters: OrderParameters, context: OrderContext): Refusal | undefined {
  const { timestamp, client_order_id: clientOrderId } = parameters;
  const ttlMs = parameters.ttl ?? limits.ttlMsDefault;
  // A timestamp in the future is allowed: the caller's clock may be ahead.
  if (timestamp !== undefined && context.nowMs > timestamp + ttlMs)
    return refuse('ErrDeadlineExceeded', 'Deadline exceeded');
  if (clientOrderId !== undefined && context.user.orderIdByClientOrderId.has(clientOrderId))
    return refuse('ErrDuplicateClientOrderID', 'Duplicate client order id');
  if ((parameters.leverage ?? 0) > 0)
    return refuse('ErrSpotMarginNotEnabled', 'Spot margin is not enabled');
  if (parameters.stop_price !== undefined)
    return refuse('ErrInvalidStopPrice', 'Stop-limit orders are not offered by this exchange');
  if (parameters.stop_direction !== undefined)
    return refuse('ErrInvalidStopDirection', 'stop_direction needs a stop_price');
  const timeInForce = parameters.time_in_force ?? 'GTC';
  if (parameters.post_only === true && timeInForce !== 'GTC')
    return refuse('ErrPostOnlyNotAllowed', `${timeInForce} orders cannot be post-only`);
  return undefined;
}

function checkTerms(
  parameters: OrderParameters,
  market: Market,
): ({ readonly kind: 'valid' } & Pick<NewOrder, 'price' | 'volume'>) | Refusal {
  const price = parseTicks(parameters.price, market);
  if (price === undefined) return refuseNumber('price', parameters.price, market.priceScale);
  const volume = parseLots(parameters.volume, market);
  if (volume === undefined) return refuseNumber('volume', parameters.volume, market.volumeScale);
  if (price < market.priceMin) return refuse('ErrPriceTooLow', 'Price is below the minimum');
  if (price > market.priceMax) return refuse('ErrPriceTooHigh', 'Price is above the maximum');
  if (volume < market.volumeMin) return refuse('ErrVolumeTooLow', 'Volume is below the minimum');
  if (volume > market.volumeMax) return refuse('ErrVolumeTooHigh', 'Volume is above the maximum');
  return { kind: 'valid', price, volume };
}

/** A number that is no multiple of the step has too many decimals, or is beyond 2^53 steps. */
function refuseNumber(name: 'price' | 'volume', text: string, scale: number): Refusal {
  const decimals = (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
  const isPrice = name === 'price';
  if (decimals <= scale)
    return refuse(isPrice ? 'ErrPriceTooHigh' : 'ErrVolumeTooHigh', `${name} is above the maximum`);
  return refuse(
    isPrice ? 'ErrPriceDenominationNotAllowed' : 'ErrVolumeDenominationNotAllowed',
    `${name} may have at most ${scale} decimals`,
  );
}

function accountFor(
  context: OrderContext,
  wanted: { readonly given: string | undefined; readonly currency: string },
): { readonly kind: 'valid'; readonly account: Account } | Refusal {
  const id = wanted.given ?? context.user.accountIds.get(wanted.currency);
  const account = id === undefined ? undefined : context.accounts.get(id);
  if (account === undefined || account.userId !== context.user.id)
    return refuse('ErrAccountNotFound', `Account not found for ${wanted.currency}`);
  if (account.currency !== wanted.currency)
    return refuse('ErrInvalidAccountID', `Account ${account.id} does not hold ${wanted.currency}`);
  return { kind: 'valid', account };
}
