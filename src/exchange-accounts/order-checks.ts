/**
 * Checks a new limit or stop-limit order as the exchange does, without changing anything. The first
 * failing check determines the answer:
 *
 *     market known and open → deadline → client_order_id: length, unused → prohibitions of the
 *     exchange → post-only with IOC or FOK → price and volume: decimals, limits → stop → accounts
 *     and leverage → post-only market → balance → post-only that would trade
 *
 * A repeated client_order_id is checked before the balance, so that a resend after a lost answer is
 * refused as a duplicate and not for insufficient balance.
 */
import { type Amount, formatWireAmount } from '../domain/amount.ts';
import { acceptsTakers, type Market, type MarketStatus } from '../domain/market.ts';
import { limits } from '../venues/luno/api/limits.ts';
import type { PostorderParameters } from '../venues/luno/api/operations.ts';
import { type OrderTerms, reservationOf, type StopCondition } from './account-order.ts';
import { type AccountRefusal, refused } from './account-refusal.ts';
import { availableOf, type LedgerAccount } from './ledger.ts';
import type { ArrivingOrder } from './order-crossing.ts';
import { parseTerms } from './order-terms.ts';

/** A market that takes orders, and its status. */
export type OpenMarket = {
  readonly kind: 'valid';
  readonly market: Market;
  readonly status: MarketStatus;
};

/** The parameters of every order creation besides its terms. */
export type RequestParameters = Pick<
  PostorderParameters,
  'pair' | 'timestamp' | 'ttl' | 'client_order_id'
>;

/** The exchange state that the creation of any order depends on. */
export interface RequestRules {
  readonly clientOrderIdLengthMax: number;
  /** Returns whether an order with this client_order_id was accepted and is still known. */
  isUsed(clientOrderId: string): boolean;
  /** Returns a refusal if the market takes no orders now, whatever their terms. */
  prohibition(pair: string): AccountRefusal | undefined;
}

/** The exchange state and rules that limit orders depend on, beyond the common checks. */
export interface OrderRules<Account extends LedgerAccount> extends RequestRules {
  /** Returns the market if it takes orders, or a refusal. */
  openMarket(pair: string): OpenMarket | AccountRefusal;
  /** Returns the stop condition of the parameters, or a refusal. */
  stopOf(
    parameters: PostorderParameters,
  ): { readonly kind: 'valid'; readonly stop: StopCondition | undefined } | AccountRefusal;
  /** Returns one of the caller's accounts: the one with `id`, or the default one of a currency. */
  accountOf(id: string | undefined, currency: string): Account | undefined;
  /** Returns a refusal if the accounts may not be used together, or not with this leverage. */
  refusalOfAccounts(
    accounts: TradingAccounts<Account>,
    order: { readonly pair: string; readonly leverage: number },
  ): AccountRefusal | undefined;
  /** Returns whether a post-only order would trade immediately; false if decided elsewhere. */
  wouldTrade(order: ArrivingOrder & Pick<OrderTerms, 'pair'>): boolean;
}

export type TradingAccounts<Account> = { readonly base: Account; readonly counter: Account };

export type CheckedOrder = {
  readonly kind: 'valid';
  readonly terms: OrderTerms;
  readonly isPostOnly: boolean;
  readonly stop: StopCondition | undefined;
  readonly leverage: number;
  /** The amount that the order reserves. */
  readonly reserved: Amount;
};

/** Returns the order that the parameters describe, or its refusal at `nowMs`. */
export function checkNewOrder<Account extends LedgerAccount>(
  parameters: PostorderParameters,
  nowMs: number,
  rules: OrderRules<Account>,
): CheckedOrder | AccountRefusal {
  const opened = rules.openMarket(parameters.pair);
  if (opened.kind === 'refused') return opened;
  const { market, status } = opened;
  const { pair } = market;
  const timeInForce = parameters.time_in_force ?? 'GTC';
  const isPostOnly = parameters.post_only === true;
  const early = checkRequest(parameters, nowMs, rules);
  if (early !== undefined) return early;
  if (isPostOnly && timeInForce !== 'GTC')
    return refused('ErrPostOnlyNotAllowed', `${timeInForce} orders cannot be post-only`);
  const priced = parseTerms(parameters, market);
  if (priced.kind === 'refused') return priced;
  const stopped = rules.stopOf(parameters);
  if (stopped.kind === 'refused') return stopped;
  const accounts = tradingAccounts(parameters, market, rules);
  if ('kind' in accounts) return accounts;
  const leverage = parameters.leverage ?? 0;
  const unfit = rules.refusalOfAccounts(accounts, { pair, leverage });
  if (unfit !== undefined) return unfit;
  const terms: OrderTerms = {
    clientOrderId: parameters.client_order_id ?? '',
    pair,
    side: parameters.type,
    price: priced.price,
    volume: priced.volume,
    timeInForce,
    baseAccountId: accounts.base.id,
    counterAccountId: accounts.counter.id,
  };
  if (!acceptsTakers(status) && !isPostOnly)
    return refused('ErrPostOnlyMode', 'Market is in post-only mode');
  const payer = terms.side === 'BID' ? accounts.counter : accounts.base;
  const reserved = reservationOf(terms, market);
  const short = checkFunds(payer, reserved);
  if (short !== undefined) return short;
  // A stop order is checked when it enters the book.
  const { stop } = stopped;
  if (isPostOnly && stop === undefined && rules.wouldTrade(terms))
    return refused('ErrOrderCanceled', 'Order canceled: it would have traded at once');
  return { kind: 'valid', terms, isPostOnly, stop, leverage, reserved };
}

/** Makes the checks of an order creation that do not need its terms. */
export function checkRequest(
  parameters: RequestParameters,
  nowMs: number,
  rules: RequestRules,
): AccountRefusal | undefined {
  const { pair, timestamp, client_order_id: clientOrderId } = parameters;
  const { ttl: ttlMs = limits.ttlMsDefault } = parameters;
  // A timestamp in the future is allowed: the caller's clock may be ahead.
  if (timestamp !== undefined && nowMs > timestamp + ttlMs)
    return refused('ErrDeadlineExceeded', 'Deadline exceeded');
  if (clientOrderId !== undefined) {
    const { clientOrderIdLengthMax: lengthMax } = rules;
    if (clientOrderId.length > lengthMax)
      return refused('ErrInvalidClientOrderId', `client_order_id is longer than ${lengthMax}`);
    if (rules.isUsed(clientOrderId))
      return refused('ErrDuplicateClientOrderID', 'Duplicate client order id');
  }
  return rules.prohibition(pair);
}

/** Account ids; a missing one means the caller's default account of the currency. */
export type GivenAccounts = Pick<PostorderParameters, 'base_account_id' | 'counter_account_id'>;

/** Returns the caller's accounts in both currencies, or a refusal. */
export function tradingAccounts<Account extends LedgerAccount>(
  given: GivenAccounts,
  currencies: Pick<Market, 'base' | 'counter'>,
  rules: Pick<OrderRules<Account>, 'accountOf'>,
): TradingAccounts<Account> | AccountRefusal {
  const base = accountFor(given.base_account_id, currencies.base, rules);
  if ('kind' in base) return base;
  const counter = accountFor(given.counter_account_id, currencies.counter, rules);
  return 'kind' in counter ? counter : { base, counter };
}

function accountFor<Account extends LedgerAccount>(
  given: string | undefined,
  currency: string,
  rules: Pick<OrderRules<Account>, 'accountOf'>,
): Account | AccountRefusal {
  const account = rules.accountOf(given, currency);
  if (account === undefined)
    return refused('ErrAccountNotFound', `Account not found for ${currency}`);
  if (account.currency !== currency)
    return refused('ErrInvalidAccountID', `Account ${account.id} does not hold ${currency}`);
  return account;
}

/** Returns a refusal if the account cannot spend `needed`. */
export function checkFunds(account: LedgerAccount, needed: Amount): AccountRefusal | undefined {
  if (availableOf(account) >= needed) return undefined;
  const text = `${formatWireAmount(needed)} ${account.currency} needed`;
  return refused('ErrInsufficientBalance', `Insufficient balance: ${text}`);
}
