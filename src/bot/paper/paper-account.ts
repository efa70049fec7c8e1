/**
 * The paper account of a bot in mode `paper`: stored in a file next to the bot's database, and fed
 * by the venue's market streams.
 */

import { pairsOf } from '../../audit/break-even.ts';
import type { BotSettings, PaperSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import type { FeeRates } from '../../domain/trading-conditions.ts';
import type { ExchangePort } from '../../engine/exchange-port.ts';
import { AccountFile, accountFileOf } from '../../paper/account-file.ts';
import { PaperCore, type PaperMarket } from '../../paper/paper-core.ts';
import { createPaperExchange } from '../../paper/paper-exchange.ts';
import type { CaptureRecorder } from '../../recording/capture/capture-recorder.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { SystemClock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Timers } from '../../runtime/timers.ts';
import { errorOf, type VenueReader } from '../../venue/venue-reader.ts';
import type { VenueConnection } from '../../venues.ts';
import { fetchMarkets, watchedPairs } from '../start/market-start.ts';
import { marketFiguresOf, type PaperFigures, paperFiguresOf } from './paper-figures.ts';
import { createPaperReader } from './paper-reader.ts';

export type PaperAccountOptions = {
  readonly settings: BotSettings;
  readonly paper: PaperSettings;
  /** Used for public data and the fees of the key's account. */
  readonly venue: VenueReader;
  /** Whether the database has had orders before. */
  readonly isUsed: boolean;
  readonly clock: SystemClock;
  readonly random: Random;
  readonly onWarning: (message: string) => void;
};

export type PaperAccount = {
  /** Reads both the venue and the paper account. */
  readonly reader: VenueReader;
  /** Account ids by currency. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Returns the driver's exchange port; closing it closes the account, too. */
  exchange(run: PaperRun): ExchangePort;
  figures(): PaperFigures;
  /** Returns the volume ahead of an open order in its queue; undefined if it is not known. */
  aheadOf(pair: string, orderId: string): Lots | undefined;
};

export type PaperRun = {
  readonly connection: Pick<VenueConnection, 'marketStream' | 'close'>;
  readonly pairs: readonly string[];
  readonly timers: Timers;
  readonly capture: CaptureRecorder | undefined;
};

/**
 * Opens the account, with all pairs that the strategies trade or that it traded in earlier runs.
 * Throws ConfigError if the balances lack a currency, the fees cannot be read, the account of a
 * used database is missing, or the venue has lost a market or changed its scales.
 */
export async function openPaperAccount(options: PaperAccountOptions): Promise<PaperAccount> {
  const file = new AccountFile(accountFileOf(options.settings.store));
  try {
    return await openWith(options, file);
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openWith(options: PaperAccountOptions, file: AccountFile): Promise<PaperAccount> {
  const { settings, paper, venue, clock } = options;
  if (options.isUsed && file.before === undefined)
    throw new ConfigError(
      `the paper account of the orders in ${settings.store} is missing (${file.path}); use another store, or start with --fresh`,
    );
  const traded = pairsOf(settings.strategies);
  const markets = new Map<string, PaperMarket>();
  for (const market of await marketsOf(options, traded, file))
    markets.set(market.pair, { market, fees: paper.fees ?? (await feesOf(venue, market.pair)) });
  // Nothing is written before everything has been checked.
  file.trade([...markets.values()].map(({ market }) => market));
  // In the order in which they were added to the account, because each must keep its number.
  const all = file.pairs.map((pair) => markets.get(pair) as PaperMarket);
  const currencies = new Set(all.flatMap(({ market }) => [market.base, market.counter]));
  const core = new PaperCore({
    profile: venue.properties,
    markets: all,
    balances: Object.fromEntries([...currencies].map((one) => [one, paper.balances[one] ?? '0'])),
    latencies: paper.latencies,
    seed: options.random.integer(1, 2 ** 31),
    before: file.before,
    onChange: (change) => file.note(change),
    onReport: () => file.flush(),
    onWarning: options.onWarning,
    nowMicros: clock.nowMicros,
  });
  file.flush();
  const { account } = core;
  const feesByPair = new Map(all.map(({ market, fees }) => [market.pair, fees]));
  const { fees } = paper;
  const watched = watchedPairs(settings.strategies, file.pairs);
  const shownFees = new Map(feesByPair);
  if (fees !== undefined) for (const pair of watched) shownFees.set(pair, fees);
  return {
    reader: createPaperReader(venue, core, shownFees),
    accounts: Object.fromEntries(
      [...account.accounts.values()].map(({ currency, id }) => [currency, id]),
    ),
    exchange: (run) => exchangeOf(options, core, file, run),
    aheadOf: (pair, orderId) => {
      const market = account.markets.get(pair);
      const own = market?.orders.pendingOf(orderId);
      return own && market?.replay.aheadOf(own);
    },
    figures: () =>
      paperFiguresOf(
        paper.latencies,
        traded.map((pair) =>
          marketFiguresOf(
            account.markets.get(pair) as AccountMarket,
            feesByPair.get(pair) as FeeRates,
          ),
        ),
      ),
  };
}

function exchangeOf(
  { clock, random }: PaperAccountOptions,
  core: PaperCore,
  file: AccountFile,
  { connection, pairs, timers, capture }: PaperRun,
): ExchangePort {
  const port = createPaperExchange({
    core,
    pairs,
    clock,
    timers,
    connect: (pair, listener) =>
      connection.marketStream({
        ...{ pair, clock, random },
        listener: capture?.hearing(pair, listener) ?? listener,
      }),
  });
  return {
    ...port,
    close: async () => {
      await port.close();
      await capture?.close();
      await connection.close();
      file.close();
    },
  };
}

/** Returns the markets of the traded pairs, and those that the account traded before. */
async function marketsOf(
  { paper, venue }: PaperAccountOptions,
  traded: readonly string[],
  file: AccountFile,
): Promise<readonly Market[]> {
  const markets = await fetchMarkets(venue, traded);
  for (const { pair, base, counter } of markets)
    for (const currency of [base, counter])
      if (paper.balances[currency] === undefined)
        throw new ConfigError(
          `paper.balances lacks ${currency}, a currency of ${pair}; an amount of "0" is allowed`,
        );
  const left = file.pairs.filter((pair) => !traded.includes(pair));
  try {
    return [...markets, ...(await fetchMarkets(venue, left))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const pairs = `it has traded ${file.pairs.join(', ')}, the strategies trade ${traded.join(', ')}`;
    throw new ConfigError(
      `${file.path}: this account cannot be continued: ${pairs}; ${error.message}; use another store, or start with --fresh`,
      { cause: error },
    );
  }
}

async function feesOf(venue: VenueReader, pair: string): Promise<FeeRates> {
  const reply = await venue.ask({ kind: 'fees', pair });
  if (reply.kind === 'refused')
    throw new ConfigError(
      `the fees of the account cannot be read with this key (${reply.code}); set them in paper.fees, for example { maker: "0.1%", taker: "0.2%" }`,
    );
  if (reply.kind !== 'ok') throw errorOf('fees', reply);
  return reply.value;
}
