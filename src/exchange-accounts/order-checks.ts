/**
 * What an exchange refuses of a new limit or stop-limit order, without changing anything. The first
 * check that fails answers:
 *
 *     market known, open, allowed → deadline → client_order_id: length, unused → what else the
 *     exchange forbids now → post-only with IOC or FOK → price and volume: decimals, limits →
 *     stop → accounts and leverage → post-only market → balance → post-only that would trade
 *
 * A repeated client_order_id is found before the balance, so that sending again after a lost answer
 * says so, and not that the first order took the money.
 */
import { type Amount, formatWireAmount } from '../domain/amount.ts';
import type { Market, MarketStatus } from '../domain/market.ts';
import { limits } from '../exchange-api/limits.ts';
import type { PostorderParameters } from '../exchange-api/operations.ts';
import { type OrderTerms, reservationOf, type StopCondition } from './account-order.ts';
import { type AccountRefusal, refused } from './account-refusal.ts';
import { availableOf, type LedgerAccount } from './ledger.ts';
import type { ArrivingOrder } from './order-crossing.ts';
import { parseTerms } from './order-terms.ts';

/** Who may trade in a market, and its rules. */
export type OpenMarket = {
  readonly kind: 'valid';
  readonly market: Market;
  readonly status: MarketStatus;
};

/** The parameters that every order creation has besides its terms. */
export type RequestParameters = Pick<
  PostorderParameters,
  'pair' | 'timestamp' | 'ttl' | 'client_order_id'
>;

/** What creating any order depends on. */
export interface RequestRules {
  readonly clientOrderIdLengthMax: number;
  /** Returns whether an order of this client_order_id was accepted and is remembered. */
  isUsed(clientOrderId: string): boolean;
  /** Returns why no order is taken in this market now, whatever its terms. */
  prohibition(pair: string): AccountRefusal | undefined;
}

/** What an exchange knows, and what of an order it takes, beyond the checks that all make. */
export interface OrderRules<Account extends LedgerAccount> extends RequestRules {
  /** Returns a market that takes orders, or why it does not. */
  openMarket(pair: string): OpenMarket | AccountRefusal;
  /** Returns the stop condition of the parameters, if the exchange takes one. */
  stopOf(
    parameters: PostorderParameters,
  ): { readonly kind: 'valid'; readonly stop: StopCondition | undefined } | AccountRefusal;
  /** Returns an account of the caller: the given one, or the default one of a currency. */
  accountOf(id: string | undefined, currency: string): Account | undefined;
  /** Returns why these accounts may not be used together, or not with this leverage. */
  refusalOfAccounts(
    accounts: TradingAccounts<Account>,
    order: { readonly pair: string; readonly leverage: number },
  ): AccountRefusal | undefined;
  /** Returns whether a post-only order would trade at once, if that is decided here. */
  wouldTrade(order: ArrivingOrder & Pick<OrderTerms, 'pair'>): boolean;
}

export type TradingAccounts<Account> = { readonly base: Account; readonly counter: Account };

export type CheckedOrder = {
  readonly kind: 'valid';
  readonly terms: OrderTerms;
  readonly isPostOnly: boolean;
  readonly stop: StopCondition | undefined;
  readonly leverage: number;
  /** What the order sets aside. */
  readonly reserved: Amount;
};

/** Returns the order that the parameters describe, or why it is refused at `nowMs`. */
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
  if (status !== 'ACTIVE' && !isPostOnly)
    return refused('ErrPostOnlyMode', 'Market is in post-only mode');
  const payer = terms.side === 'BID' ? accounts.counter : accounts.base;
  const reserved = reservationOf(terms, market);
  const short = checkFunds(payer, reserved);
  if (short !== undefined) return short;
  // A stop order is judged when it enters the book.
  const { stop } = stopped;
  if (isPostOnly && stop === undefined && rules.wouldTrade(terms))
    return refused('ErrOrderCanceled', 'Order canceled: it would have traded at once');
  return { kind: 'valid', terms, isPostOnly, stop, leverage, reserved };
}

/** The checks of any order creation that need no terms. */
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

/** Account ids as given; a currency's default account stands for one that is not. */
export type GivenAccounts = Pick<PostorderParameters, 'base_account_id' | 'counter_account_id'>;

/** Returns the caller's accounts of both currencies. */
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

/** Returns the refusal if the account cannot spend `needed`. */
export function checkFunds(account: LedgerAccount, needed: Amount): AccountRefusal | undefined {
  if (availableOf(account) >= needed) return undefined;
  const text = `${formatWireAmount(needed)} ${account.currency} needed`;
  return refused('ErrInsufficientBalance', `Insufficient balance: ${text}`);
}
