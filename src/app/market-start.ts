/**
 * Asks the exchange for what a run starts from: markets, fees, last trades, and the demo's
 * accounts.
 */
import type { Client } from '../client/client.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, parseScaled, type Ticks } from '../domain/money.ts';
import type { MarketStart } from '../engine/engine-start.ts';
import { marketStatusOf } from '../market/market-feed.ts';

/**
 * Returns the start of each of `pairs`. Throws ConfigError for a pair that the exchange does not
 * have.
 */
export async function fetchMarketStarts(
  client: Client,
  pairs: readonly string[],
): Promise<readonly MarketStart[]> {
  const { markets } = await client.markets({ pair: pairs });
  return Promise.all(
    pairs.map(async (pair) => {
      const told = markets.find((market) => market.market_id === pair);
      if (told === undefined)
        throw new ConfigError(
          `pair ${pair} is unknown to the exchange; it has ${(await client.markets({})).markets.map((one) => one.market_id).join(', ')}`,
        );
      const fees = await client.feeInfo({ pair });
      const ticker = await client.ticker({ pair });
      return {
        market: marketOf(told),
        makerFee: fees.maker_fee,
        takerFee: fees.taker_fee,
        lastTrade: /[1-9]/u.test(ticker.last_trade)
          ? { price: ticker.last_trade, atMs: ticker.timestamp }
          : undefined,
      };
    }),
  );
}

/** Returns the rules of `pairs`; no key is needed. Throws ConfigError for an unknown pair. */
export async function fetchMarkets(
  client: Client,
  pairs: readonly string[],
): Promise<readonly Market[]> {
  const { markets } = await client.markets({});
  return pairs.map((pair) => {
    const told = markets.find((market) => market.market_id === pair);
    if (told === undefined)
      throw new ConfigError(
        `pair ${pair} is unknown to the exchange; it has ${markets.map((one) => one.market_id).join(', ')}`,
      );
    return marketOf(told);
  });
}

/**
 * Returns the account id per currency of `pairs`, by the balances; the first account of a currency.
 */
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

type ToldMarket = Awaited<ReturnType<Client['markets']>>['markets'][number];

function marketOf(told: ToldMarket): Market {
  const scaled = (text: string, scale: number, name: string): number => {
    const value = parseScaled(text, scale);
    if (value === undefined)
      throw new ConfigError(`${told.market_id}: ${name} ${text} does not fit its scale ${scale}`);
    return value;
  };
  const { price_scale: priceScale, volume_scale: volumeScale } = told;
  return {
    pair: told.market_id,
    base: told.base_currency,
    counter: told.counter_currency,
    priceScale,
    volumeScale,
    feeScale: told.fee_scale,
    priceMin: scaled(told.min_price, priceScale, 'min_price') as Ticks,
    priceMax: scaled(told.max_price, priceScale, 'max_price') as Ticks,
    volumeMin: scaled(told.min_volume, volumeScale, 'min_volume') as Lots,
    volumeMax: scaled(told.max_volume, volumeScale, 'max_volume') as Lots,
    status: marketStatusOf(told.trading_status),
  };
}
