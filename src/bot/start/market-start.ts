/** Fetches the initial data of a run: markets, fees, last trades, and the demo's accounts. */

import type { StrategySettings } from '../../domain/bot-settings.ts';
import { ConfigError, OutcomeUnknownError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import type { OrderRow } from '../../domain/records.ts';
import type { MarketStart } from '../../engine/engine-start.ts';
import { marketRulesOf } from '../../execution/reconcile/listed-market.ts';
import type { Client } from '../../venues/luno/client/client.ts';

/**
 * Returns the pairs that a run follows: those of its strategies, and those of unfinished orders of
 * earlier runs, even if the settings no longer name them.
 */
export function followedPairs(
  strategies: readonly Pick<StrategySettings, 'pairs'>[],
  unfinished: readonly OrderRow[],
): readonly string[] {
  const named = strategies.flatMap(({ pairs }) => pairs);
  return [...new Set([...named, ...unfinished.map(({ pair }) => pair)])];
}

/** Returns the account ids of `orders`, by currency. */
export function accountsOfOrders(
  orders: readonly OrderRow[],
  markets: readonly Pick<MarketStart, 'market'>[],
): Readonly<Record<string, string>> {
  const accounts: Record<string, string> = {};
  for (const { pair, baseAccountId, counterAccountId } of orders) {
    const market = markets.find(({ market: one }) => one.pair === pair)?.market;
    if (market === undefined) continue;
    accounts[market.base] = baseAccountId;
    accounts[market.counter] = counterAccountId;
  }
  return accounts;
}

/** Returns the start data of each pair. Throws ConfigError for a pair that is not listed. */
export async function fetchMarketStarts(
  client: Client,
  pairs: readonly string[],
): Promise<readonly MarketStart[]> {
  const { markets } = await client.markets({ pair: pairs });
  return Promise.all(
    pairs.map(async (pair) => {
      const listed = markets.find((market) => market.market_id === pair);
      if (listed === undefined) throw unknownPair(pair, (await client.markets({})).markets);
      const fees = await client.feeInfo({ pair });
      const ticker = await client.ticker({ pair });
      const market = marketRulesOf(listed);
      if ('wrong' in market) throw new ConfigError(market.wrong);
      return {
        market,
        makerFee: fees.maker_fee,
        takerFee: fees.taker_fee,
        lastTrade: /[1-9]/u.test(ticker.last_trade)
          ? { price: ticker.last_trade, atMs: ticker.timestamp }
          : undefined,
      };
    }),
  );
}

/** Returns the rules of each pair, without a key. Throws ConfigError for a pair not listed. */
export async function fetchMarkets(
  client: Client,
  pairs: readonly string[],
): Promise<readonly Market[]> {
  const { markets } = await client.markets({});
  return pairs.map((pair) => {
    const listed = markets.find((market) => market.market_id === pair);
    if (listed === undefined) throw unknownPair(pair, markets);
    const market = marketRulesOf(listed);
    if ('wrong' in market) throw new ConfigError(market.wrong);
    return market;
  });
}

/** A list without any market is a temporary fault of the exchange, and may be requested again. */
function unknownPair(
  pair: string,
  markets: readonly { readonly market_id: string }[],
): ConfigError | OutcomeUnknownError {
  if (markets.length === 0) return new OutcomeUnknownError('the exchange lists no market at all');
  const names = markets.map((one) => one.market_id).join(', ');
  return new ConfigError(`pair ${pair} is unknown to the exchange; it has ${names}`);
}

/** Returns the id of the first account of each currency of `markets`. */
export async function fetchAccounts(
  client: Client,
  markets: readonly MarketStart[],
): Promise<Readonly<Record<string, string>>> {
  const { balance } = await client.balance({});
  const currencies = new Set(markets.flatMap(({ market }) => [market.base, market.counter]));
  const accounts: Record<string, string> = {};
  for (const currency of currencies) {
    const entry = balance.find((one) => one.asset === currency);
    if (entry === undefined) throw new ConfigError(`the key has no ${currency} account`);
    accounts[currency] = entry.account_id;
  }
  return accounts;
}
