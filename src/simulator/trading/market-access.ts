/** Whether a caller may trade in a market at all, and with which of the caller's accounts. */
import { type Amount, formatWireAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { availableOf } from '../../exchange-accounts/ledger.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { MarketState, User } from '../core/exchange-state.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { isInTradingState } from './trading-controls.ts';

type Caller = { readonly exchange: Exchange; readonly user: User };

/** Returns the market of a pair, or why the caller cannot trade there now. */
export function openMarket(
  pair: string,
  { exchange, user }: Caller,
): { readonly kind: 'valid'; readonly state: MarketState } | Refusal {
  const state = exchange.state.markets.get(pair);
  if (state === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
  if (state.isUnderMaintenance) return refuse('ErrUnderMaintenance', 'Market is under maintenance');
  const { status, base, counter } = state.market;
  if (status === 'DISABLED' || status === 'UNKNOWN')
    return refuse('ErrMarketUnavailable', 'Market not available');
  if (isInTradingState(exchange, { state: 'market-not-allowed', userId: user.id, pair }))
    return refuse('ErrMarketNotAllowed', `Market ${pair} is not enabled for you`);
  const restricted =
    refusalOf(exchange.state, 'migrating-accounts', user.id) ??
    refusalOf(exchange.state, 'unverified-currency', `${user.id}/${base}`) ??
    refusalOf(exchange.state, 'unverified-currency', `${user.id}/${counter}`);
  return restricted ?? { kind: 'valid', state };
}

/** Account ids as given; a currency's default account stands for none. */
export type GivenAccounts = {
  readonly base_account_id?: string | undefined;
  readonly counter_account_id?: string | undefined;
};

/** Returns the accounts of both currencies, which must be of one type, or why they do not do. */
export function tradingAccounts(
  given: GivenAccounts,
  currencies: Pick<Market, 'base' | 'counter'>,
  caller: Caller,
): { readonly kind: 'valid'; readonly base: Account; readonly counter: Account } | Refusal {
  const base = accountFor(caller, given.base_account_id, currencies.base);
  if (base.kind === 'refused') return base;
  const counter = accountFor(caller, given.counter_account_id, currencies.counter);
  if (counter.kind === 'refused') return counter;
  if (base.account.type !== counter.account.type)
    return refuse(
      'ErrCrossAccountTypeTradeNotAllowed',
      `A trade between ${base.account.type} and ${counter.account.type} is not allowed`,
    );
  return { kind: 'valid', base: base.account, counter: counter.account };
}

/**
 * Returns why the accounts may not be used with this leverage, if they may not. Nothing is ever
 * lent: a leveraged order in spot margin accounts is an order with its own funds (ours).
 */
export function checkLeverage(
  leverage: number,
  trade: { readonly pair: string; readonly account: Account } & Caller,
): Refusal | undefined {
  const { pair, account, exchange, user } = trade;
  if (leverage > 0) {
    if (!isInTradingState(exchange, { state: 'spot-margin', userId: user.id }))
      return refuse('ErrSpotMarginNotEnabled', 'Spot margin is not enabled');
    if (!isInTradingState(exchange, { state: 'spot-margin-market', pair }))
      return refuse('ErrSpotMarginNotSupportedForInstrument', `${pair} has no spot margin`);
    if (account.type !== 'SPOT_MARGIN')
      return refuse('ErrLeverageRequiresSpotMarginWallet', 'Leverage needs spot margin accounts');
  } else if (account.type === 'SPOT_MARGIN')
    return refuse('ErrSpotMarginWalletRequiresLeverage', 'Spot margin accounts need leverage');
  if (account.type !== 'SPOT' && isInTradingState(exchange, { state: 'only-spot-wallets', pair }))
    return refuse('ErrOnlySpotWalletsAllowed', `${pair} is traded with SPOT accounts only`);
  return undefined;
}

/** Returns the refusal if the account cannot spend `needed`. */
export function checkFunds(account: Account, needed: Amount): Refusal | undefined {
  if (availableOf(account) >= needed) return undefined;
  return refuse(
    'ErrInsufficientBalance',
    `Insufficient balance: ${formatWireAmount(needed)} ${account.currency} needed`,
  );
}

function accountFor(
  { exchange, user }: Caller,
  given: string | undefined,
  currency: string,
): { readonly kind: 'valid'; readonly account: Account } | Refusal {
  const id = given ?? user.accountIds.get(currency);
  const account = id === undefined ? undefined : exchange.state.accounts.get(id);
  if (account === undefined || account.userId !== user.id)
    return refuse('ErrAccountNotFound', `Account not found for ${currency}`);
  if (account.currency !== currency)
    return refuse('ErrInvalidAccountID', `Account ${account.id} does not hold ${currency}`);
  return { kind: 'valid', account };
}
