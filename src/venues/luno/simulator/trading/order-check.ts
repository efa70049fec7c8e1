/** Checks a new order, with the shared checks and those that only the simulated exchange makes. */
import {
  checkNewOrder,
  type OrderRules,
  type RequestRules,
} from '../../../../exchange-accounts/order-checks.ts';
import { meetsBook } from '../../../../exchange-accounts/order-crossing.ts';
import type { PostorderParameters } from '../../api/operations.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import type { NewOrder } from '../core/matching.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { openMarket, ownAccountOf, refusalOfAccounts } from './market-access.ts';
import { hasActiveQuote } from './quotes.ts';
import { checkStop } from './stop-check.ts';

export type OrderContext = { readonly exchange: Exchange; readonly user: User };

/** Returns the limit or stop-limit order that the parameters describe, or why it is refused. */
export function checkOrder(
  parameters: PostorderParameters,
  context: OrderContext,
): { readonly kind: 'valid'; readonly order: NewOrder } | Refusal {
  const { exchange, user } = context;
  const checked = checkNewOrder(parameters, exchange.timeMs, orderRulesOf(context));
  if (checked.kind === 'refused') return checked;
  const { terms, isPostOnly, stop, leverage } = checked;
  return { kind: 'valid', order: { ...terms, userId: user.id, stop, isPostOnly, leverage } };
}

/** Returns the rules that apply to every new order. */
export function requestRulesOf({ exchange, user }: OrderContext): RequestRules {
  return {
    clientOrderIdLengthMax: exchange.state.limits.clientOrderIdLengthMax,
    isUsed: (clientOrderId) => user.orderIdByClientOrderId.has(clientOrderId),
    prohibition: (pair) =>
      hasActiveQuote(exchange, user, pair)
        ? refuse('ErrCannotTradeWhileQuoteActive', `A quote for ${pair} is active`)
        : undefined,
  };
}

function orderRulesOf(context: OrderContext): OrderRules<Account> {
  const { exchange } = context;
  return {
    ...requestRulesOf(context),
    openMarket: (pair) => {
      const opened = openMarket(pair, context);
      if (opened.kind === 'refused') return opened;
      const { market } = opened.state;
      return { kind: 'valid', market, status: market.status };
    },
    stopOf: (parameters) => {
      const { market, lastTradePrice } = exchange.marketOf(parameters.pair);
      return checkStop(parameters, market, lastTradePrice);
    },
    accountOf: (id, currency) => ownAccountOf(context, id, currency),
    refusalOfAccounts: (accounts, order) => refusalOfAccounts(accounts, order, context),
    wouldTrade: (order) => meetsBook(order, exchange.bookOf(order.pair).book),
  };
}
