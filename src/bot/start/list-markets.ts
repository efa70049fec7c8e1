/** Prints the markets of an exchange, for `--markets`; needs no key. */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import type { VenueSettings } from '../../domain/bot-settings.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import { decimalOf } from '../../domain/money.ts';
import { createTimers } from '../../runtime/timers.ts';
import type { Output } from '../../terminal/output.ts';
import { wrongText } from '../../venue/row-checks.ts';
import { read } from '../../venue/venue-reader.ts';
import type { MarketPrices } from '../../venue/venue-reply.ts';
import { connectVenue } from '../../venues.ts';

const titles = [
  ...['pair', 'base', 'counter', 'status', 'price', 'volume'],
  ...['min volume', 'min price', 'last', 'spread'],
];

/** Prints the markets with their rules and prices; returns exit code 0. */
export async function listMarkets(venue: VenueSettings, output: Output): Promise<number> {
  const connection = connectVenue({ venue, allow: ['markets', 'prices'], timers: createTimers() });
  try {
    const { rows, wrong } = await read(connection, { kind: 'markets' });
    const prices = await read(connection, { kind: 'prices' });
    const byPair = new Map(prices.rows.map((row) => [row.pair, row]));
    const markets = rows.map((market) => describe(market, byPair.get(market.pair)));
    const table = [titles, ...markets.map(cellsOf)];
    const widths = titles.map((_, column) =>
      Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
    );
    const lineOf = (cells: readonly string[]) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' ')
        .trimEnd();
    output.result({ venue: venue.name, baseUrl: venue.baseUrl, markets }, [
      `${markets.length} markets at ${venue.baseUrl}; price and volume: number of decimals`,
      ...table.map(lineOf),
      ...[...wrong, ...prices.wrong].map((one) => `! ${wrongText(one)}`),
    ]);
    return 0;
  } finally {
    await connection.close();
  }
}

type Described = ReturnType<typeof describe>;

function describe(market: Market, prices: MarketPrices | undefined) {
  const { pair, base, counter, status, priceScale, volumeScale, feeScale } = market;
  return {
    ...{ pair, base, counter, status, priceScale, volumeScale, feeScale },
    volumeMin: formatLots(market.volumeMin, market),
    volumeMax: formatLots(market.volumeMax, market),
    priceMin: formatTicks(market.priceMin, market),
    priceMax: formatTicks(market.priceMax, market),
    bid: textOf(prices?.bid),
    ask: textOf(prices?.ask),
    last: textOf(prices?.last),
    spreadBps: spreadOf(prices),
  };
}

function cellsOf(market: Described): readonly string[] {
  const {
    pair,
    base,
    counter,
    status,
    priceScale,
    volumeScale,
    volumeMin,
    priceMin,
    last,
    spreadBps,
  } = market;
  const spread = spreadBps === null ? '-' : `${spreadBps}bps`;
  const decimals = [String(priceScale), String(volumeScale)];
  return [pair, base, counter, status, ...decimals, volumeMin, priceMin, last ?? '-', spread];
}

function textOf(price: Amount | undefined): string | null {
  return price === undefined ? null : formatAmount(price);
}

/** Returns the spread as a share of the mid, in basis points with two decimals. */
function spreadOf({ bid, ask }: Partial<MarketPrices> = {}): string | null {
  if (bid === undefined || ask === undefined) return null;
  const [low, high] = [decimalOf(formatAmount(bid)), decimalOf(formatAmount(ask))];
  return high.minus(low).times(20_000).div(high.plus(low)).toFixed(2);
}
