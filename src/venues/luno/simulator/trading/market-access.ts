/** Checks whether a caller may trade in a market, and with which accounts. */
import { acceptsMakers, type Market } from '../../../../domain/market.ts';
import type { PostorderParameters } from '../../api/operations.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { MarketState, User } from '../core/exchange-state.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { isInTradingState } from './trading-controls.ts';

/** Account ids; a missing one means the caller's default account of the currency. */
type GivenAccounts = Pick<PostorderParameters, 'base_account_id' | 'counter_account_id'>;
type TradingAccounts = { readonly base: Account; readonly counter: Account };
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
  if (!acceptsMakers(status)) return refuse('ErrMarketUnavailable', 'Market not available');
  if (isInTradingState(exchange, { state: 'market-not-allowed', userId: user.id, pair }))
    return refuse('ErrMarketNotAllowed', `Market ${pair} is not enabled for you`);
  const restricted =
    refusalOf(exchange.state, 'migrating-accounts', user.id) ??
    refusalOf(exchange.state, 'unverified-currency', `${user.id}/${base}`) ??
    refusalOf(exchange.state, 'unverified-currency', `${user.id}/${counter}`);
  return restricted ?? { kind: 'valid', state };
}

/** Returns the caller's accounts for a trade in a market, or why they may not be used for it. */
export function accountsFor(
  given: GivenAccounts,
  trade: {
    readonly currencies: Pick<Market, 'base' | 'counter'>;
    readonly pair: string;
    readonly leverage: number;
  },
  caller: Caller,
): ({ readonly kind: 'valid' } & TradingAccounts) | Refusal {
  const base = ownAccountOf(given.base_account_id, trade.currencies.base, caller);
  if (base.kind === 'refused') return base;
  const counter = ownAccountOf(given.counter_account_id, trade.currencies.counter, caller);
  if (counter.kind === 'refused') return counter;
  const accounts = { base: base.account, counter: counter.account };
  return refusalOfAccounts(accounts, trade, caller) ?? { kind: 'valid', ...accounts };
}

/** Returns an account of the caller: the given one, or the default one of a currency. */
function ownAccountOf(
  given: string | undefined,
  currency: string,
  { exchange, user }: Caller,
): { readonly kind: 'valid'; readonly account: Account } | Refusal {
  const id = given ?? user.accountIds.get(currency);
  const account = id === undefined ? undefined : exchange.state.accounts.get(id);
  if (account?.userId !== user.id)
    return refuse('ErrAccountNotFound', `Account not found for ${currency}`);
  if (account.currency !== currency)
    return refuse('ErrInvalidAccountID', `Account ${account.id} does not hold ${currency}`);
  return { kind: 'valid', account };
}

/**
 * Returns why the accounts may not be used together, or with this leverage. Nothing is ever lent,
 * which is a rule of ours: a leveraged order uses the funds of its spot margin accounts.
 */
function refusalOfAccounts(
  { base, counter }: TradingAccounts,
  { pair, leverage }: { readonly pair: string; readonly leverage: number },
  { exchange, user }: Caller,
): Refusal | undefined {
  if (base.type !== counter.type)
    return refuse(
      'ErrCrossAccountTypeTradeNotAllowed',
      `A trade between ${base.type} and ${counter.type} is not allowed`,
    );
  if (leverage > 0) {
    if (!isInTradingState(exchange, { state: 'spot-margin', userId: user.id }))
      return refuse('ErrSpotMarginNotEnabled', 'Spot margin is not enabled');
    if (!isInTradingState(exchange, { state: 'spot-margin-market', pair }))
      return refuse('ErrSpotMarginNotSupportedForInstrument', `${pair} has no spot margin`);
    if (base.type !== 'SPOT_MARGIN')
      return refuse('ErrLeverageRequiresSpotMarginWallet', 'Leverage needs spot margin accounts');
  } else if (base.type === 'SPOT_MARGIN')
    return refuse('ErrSpotMarginWalletRequiresLeverage', 'Spot margin accounts need leverage');
  if (base.type !== 'SPOT' && isInTradingState(exchange, { state: 'only-spot-wallets', pair }))
    return refuse('ErrOnlySpotWalletsAllowed', `${pair} is traded with SPOT accounts only`);
  return undefined;
}
