/**
 * What the replay exchange checks in a new order. The first failing check determines the answer:
 *
 *     market open → kind of order → deadline → client order id unused → post-only with IOC or FOK →
 *     price and volume: limits → stop price: limits → accounts → post-only market → balance →
 *     liquidity of a market order
 *
 * A repeated client order id is checked before the balance, so that a resend after a lost answer is
 * refused as a duplicate and not for insufficient balance. The fill model decides whether a
 * post-only order would trade.
 */
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import { orderTypeOf } from '../../domain/limit-order.ts';
import {
  acceptsMakers,
  acceptsTakers,
  type Market,
  type MarketStatus,
} from '../../domain/market.ts';
import { type OrderTerms, reservationOf } from '../../exchange-accounts/account-order.ts';
import type { LedgerAccount } from '../../exchange-accounts/ledger.ts';
import {
  canSpend,
  type FailedCheck,
  failedLimit,
  failedTimeInForce,
  isExpired,
} from '../../exchange-accounts/order-checks.ts';
import type { PlaceRequest } from '../../venue/venue-request.ts';

/** Why the replay exchange refuses an order. */
export type FailedOrderCheck =
  | FailedCheck
  | 'market-closed'
  /** The profile of the exchange has no orders of this type, time in force or choice. */
  | 'kind-not-taken'
  | 'stop-price-outside'
  | 'expired'
  | 'ttl-outside'
  | 'id-used'
  | 'id-too-long'
  | 'account-unknown'
  | 'account-currency'
  | 'market-post-only'
  | 'insufficient-funds'
  /** The book cannot fill a market order, or only too far from its best price. */
  | 'too-little-liquidity'
  /** A post-only order would have traded. */
  | 'would-take';

export type ReplayOrderRules = {
  readonly market: Market;
  /** By currency. */
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  /** The rules of the exchange. */
  readonly profile: Pick<ExchangeProfile, 'orders' | 'placing'>;
  /** Returns whether an order has this id, or had it where ids last, in any market. */
  readonly isUsed: (clientOrderId: string) => boolean;
};

/** Returns the check that a new order in the market fails at `nowMs`, if any. */
export function failedOrderCheck(
  order: PlaceRequest & Pick<OrderTerms, 'spend'>,
  { market, accounts, profile, isUsed }: ReplayOrderRules,
  { status, nowMs }: { readonly status: MarketStatus; readonly nowMs: number },
): FailedOrderCheck | undefined {
  if (!acceptsMakers(status)) return 'market-closed';
  const { orders, placing } = profile;
  if (!isTaken(order, orders)) return 'kind-not-taken';
  const { ttlMs, clientOrderId } = order;
  if (placing.ttlMs !== 'none') {
    if (ttlMs < placing.ttlMs.min || ttlMs > placing.ttlMs.max) return 'ttl-outside';
    if (isExpired(order, nowMs)) return 'expired';
  }
  if (clientOrderId.length > placing.idLengthMax) return 'id-too-long';
  if (clientOrderId !== '' && isUsed(clientOrderId)) return 'id-used';
  const failed = failedTimeInForce(order) ?? failedLimit(order, market);
  if (failed !== undefined) return failed;
  const { stop } = order;
  if (stop !== undefined && !(stop.price >= market.priceMin && stop.price <= market.priceMax))
    return 'stop-price-outside';
  const base = accounts.get(market.base);
  const counter = accounts.get(market.counter);
  const badAccount =
    failedAccount(order.baseAccountId, base, accounts) ??
    failedAccount(order.counterAccountId, counter, accounts);
  if (badAccount !== undefined) return badAccount;
  if (!order.postOnly && !acceptsTakers(status)) return 'market-post-only';
  const payer = (order.side === 'BID' ? counter : base) as LedgerAccount;
  return canSpend(payer, reservationOf(order, market)) ? undefined : 'insufficient-funds';
}

function isTaken(order: PlaceRequest, orders: ExchangeProfile['orders']): boolean {
  if (!orders.types.includes(orderTypeOf(order))) return false;
  return orders.timesInForce.includes(order.timeInForce) && (orders.postOnly || !order.postOnly);
}

function failedAccount(
  id: string,
  usual: LedgerAccount | undefined,
  accounts: ReadonlyMap<string, LedgerAccount>,
): FailedOrderCheck | undefined {
  if (id === usual?.id) return undefined;
  const isKnown = [...accounts.values()].some((account) => account.id === id);
  return isKnown ? 'account-currency' : 'account-unknown';
}
