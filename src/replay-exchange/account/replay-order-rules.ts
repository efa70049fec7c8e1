/**
 * What the replay exchange accepts in a new order, beyond the common checks: no stops and no
 * leverage. The fill model decides whether a post-only order would trade.
 */
import { acceptsMakers, type Market, type MarketStatus } from '../../domain/market.ts';
import { refused } from '../../exchange-accounts/account-refusal.ts';
import type { LedgerAccount } from '../../exchange-accounts/ledger.ts';
import type { OpenMarket, OrderRules } from '../../exchange-accounts/order-checks.ts';

export type ReplayOrderRules = {
  readonly market: Market;
  /** By currency. */
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  /** Returns the market's current status. */
  readonly statusNow: () => MarketStatus;
  /** Returns whether an order with this `client_order_id` was accepted in any market. */
  readonly isUsed: (clientOrderId: string) => boolean;
};

const noStop = { kind: 'valid', stop: undefined } as const;

/** Returns the rules of one market. */
export function replayOrderRulesOf(options: ReplayOrderRules): OrderRules<LedgerAccount> {
  const { market, accounts, statusNow, isUsed } = options;
  const accountsById = new Map([...accounts.values()].map((account) => [account.id, account]));
  const base = accounts.get(market.base);
  const counter = accounts.get(market.counter);
  let opened: OpenMarket = { kind: 'valid', market, status: market.status };
  return {
    clientOrderIdLengthMax: Infinity,
    isUsed,
    prohibition: () => undefined,
    openMarket: (pair) => {
      const status = statusNow();
      if (pair !== market.pair || !acceptsMakers(status))
        return refused('ErrMarketUnavailable', 'Market not available');
      if (status !== opened.status) opened = { kind: 'valid', market, status };
      return opened;
    },
    stopOf: ({ stop_price: price, stop_direction: direction }) => {
      if (price !== undefined)
        return refused('ErrInvalidStopPrice', 'There are no stop orders here');
      if (direction !== undefined)
        return refused('ErrInvalidStopDirection', 'stop_direction needs a stop_price');
      return noStop;
    },
    accountOf: (id, currency) => {
      const usual = currency === market.base ? base : counter;
      return id === undefined || id === usual?.id ? usual : accountsById.get(id);
    },
    refusalOfAccounts: (_, { leverage }) =>
      leverage > 0 ? refused('ErrSpotMarginNotEnabled', 'Spot margin is not enabled') : undefined,
    wouldTrade: () => false,
  };
}
