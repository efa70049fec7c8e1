/** Fetches the initial data of a run: markets, fees, last trades, and the demo's accounts. */

import { formatAmount } from '../../domain/amount.ts';
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { ConfigError, OutcomeUnknownError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import type { OrderRow } from '../../domain/records.ts';
import type { MarketStart } from '../../engine/engine-start.ts';
import { editDistance } from '../../settings/nearest-word.ts';
import { wrongText } from '../../venue/row-checks.ts';
import { read, type VenueReader } from '../../venue/venue-reader.ts';
import type { Page } from '../../venue/venue-reply.ts';

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

/** Returns the pairs that strategies watch and the run does not follow otherwise. */
export function watchedPairs(
  strategies: readonly Pick<StrategySettings, 'watch'>[],
  followed: readonly string[],
): readonly string[] {
  const named = strategies.flatMap(({ watch = [] }) => watch);
  return [...new Set(named)].filter((pair) => !followed.includes(pair));
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
  venue: VenueReader,
  pairs: readonly string[],
): Promise<readonly MarketStart[]> {
  // Without pairs it would be the list of all.
  if (pairs.length === 0) return [];
  const listed = await read(venue, { kind: 'markets', pairs });
  return Promise.all(
    pairs.map(async (pair) => {
      if (!isListed(listed, pair)) throw unknownPair(pair, await read(venue, { kind: 'markets' }));
      const fees = await read(venue, { kind: 'fees', pair });
      const last = await read(venue, { kind: 'last-trade', pair });
      return {
        market: marketOf(listed, pair),
        makerFee: fees.maker,
        takerFee: fees.taker,
        lastTrade: last && { price: formatAmount(last.price), atMs: last.atMs },
      };
    }),
  );
}

/** Returns the rules of each pair, without a key. Throws ConfigError for a pair not listed. */
export async function fetchMarkets(
  venue: VenueReader,
  pairs: readonly string[],
): Promise<readonly Market[]> {
  const listed = await read(venue, { kind: 'markets' });
  return pairs.map((pair) => {
    if (!isListed(listed, pair)) throw unknownPair(pair, listed);
    return marketOf(listed, pair);
  });
}

function namesIn({ rows, wrong }: Page<Market>): readonly string[] {
  return [...rows.map(({ pair }) => pair), ...wrong.map(({ subject }) => subject)];
}

function isListed(markets: Page<Market>, pair: string): boolean {
  return namesIn(markets).includes(pair);
}

/** Returns a listed market. Throws ConfigError if its rules cannot be true. */
function marketOf({ rows, wrong }: Page<Market>, pair: string): Market {
  const problem = wrong.find(({ subject }) => subject === pair);
  if (problem !== undefined) throw new ConfigError(wrongText(problem));
  return rows.find((market) => market.pair === pair) as Market;
}

/** A list without any market is a temporary fault of the venue, and may be requested again. */
function unknownPair(pair: string, listed: Page<Market>): ConfigError | OutcomeUnknownError {
  const names = namesIn(listed);
  if (names.length === 0) return new OutcomeUnknownError('the exchange lists no market at all');
  const nearest = names
    .map((name) => ({ name, distance: editDistance(pair, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
  return new ConfigError(
    `pair ${pair} is unknown to the exchange; the nearest of its ${names.length} pairs: ` +
      `${nearest.join(', ')}; \`start --markets\` or \`run CONFIG --markets\` lists all`,
  );
}

/**
 * Returns the id of an account of each currency of `markets`: that of the orders of an earlier run,
 * or else the first one.
 */
export async function fetchAccounts(
  venue: VenueReader,
  markets: readonly Pick<MarketStart, 'market'>[],
  orders: readonly OrderRow[],
): Promise<Readonly<Record<string, string>>> {
  const balances = await read(venue, { kind: 'balances' });
  const currencies = new Set(markets.flatMap(({ market }) => [market.base, market.counter]));
  const accounts: Record<string, string> = { ...accountsOfOrders(orders, markets) };
  for (const currency of currencies) {
    if (accounts[currency] !== undefined) continue;
    const entry = balances.find((one) => one.currency === currency);
    if (entry === undefined) throw new ConfigError(`the key has no ${currency} account`);
    accounts[currency] = entry.account;
  }
  return accounts;
}
