/**
 * The pretended account of a bot in mode paper: opened beside its database, fed by the venue's
 * market stream, and what is to be said of it when the run ends.
 */
import type { Client } from '../client/client.ts';
import type { Credentials } from '../client/credentials.ts';
import { createMarketStream } from '../client/market-stream.ts';
import type { BotSettings, PaperSettings, VenueSettings } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { FeeRates, Latency } from '../domain/scenario-settings.ts';
import type { ExchangePort } from '../engine/exchange-port.ts';
import { AccountFile, accountFileOf } from '../paper/account-file.ts';
import { PaperCore } from '../paper/paper-core.ts';
import { createPaperExchange } from '../paper/paper-exchange.ts';
import type { CaptureRecorder } from '../recording/capture-recorder.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Timers } from '../runtime/timers.ts';
import { fetchMarkets } from './market-start.ts';
import { createPaperClient } from './paper-client.ts';

export type PaperAccountOptions = {
  readonly settings: BotSettings;
  readonly paper: PaperSettings;
  /** Asks what is public, and the fees of the key's account. */
  readonly client: Client;
  /** The database has had orders before. */
  readonly isUsed: boolean;
  readonly clock: SystemClock;
  readonly random: Random;
  readonly onWarning: (message: string) => void;
};

export type PaperAccount = {
  /** The venue and the account as one client. */
  readonly client: Client;
  /** Account id per currency. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Returns the driver's port; it closes the account, too. */
  exchange(line: PaperLineOptions): ExchangePort;
  figures(): PaperFigures;
};

export type PaperLineOptions = {
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  readonly timers: Timers;
  readonly random: Random;
  readonly capture: CaptureRecorder | undefined;
};

/** What was pretended, and how far it can be believed. */
export type PaperFigures = {
  readonly pair: string;
  readonly fees: FeeRates;
  readonly latencies: PaperSettings['latencies'];
  /** Our fills that history gave to others, who would have gone on otherwise. */
  readonly displacedTrades: number;
  readonly displacedOrders: number;
  readonly takenOrders: number;
  /** Times the stream was lost, and our orders that rested through it. */
  readonly gaps: number;
  readonly keptPlaces: number;
  readonly wentBehind: number;
};

/**
 * Opens the account of the only pair that the strategies trade. Throws ConfigError for several
 * pairs, for balances that lack a currency, and where the account of a used database is gone.
 */
export async function openPaperAccount(options: PaperAccountOptions): Promise<PaperAccount> {
  const { settings, paper, client, clock } = options;
  const market = await onlyMarketOf(options);
  const { pair, base, counter } = market;
  const fees = paper.fees ?? (await feesOf(client, pair));
  const file = new AccountFile(accountFileOf(settings.store), pair);
  if (options.isUsed && file.before === undefined) {
    file.close();
    throw new ConfigError(
      `the pretended account of the orders in ${settings.store} is gone (${file.path}); use another store, or begin with --fresh`,
    );
  }
  const core = new PaperCore({
    market,
    fees,
    // In this order whatever the file's: the accounts are numbered by it.
    balances: { [base]: amountOf(paper, base), [counter]: amountOf(paper, counter) },
    latencies: paper.latencies,
    seed: options.random.integer(1, 2 ** 31),
    before: file.before,
    onChange: (change) => file.note(change),
    onTelling: () => file.flush(),
    onWarning: options.onWarning,
    nowMicros: clock.nowMicros,
  });
  file.flush();
  return {
    client: createPaperClient(client, core, fees),
    accounts: Object.fromEntries(
      [...core.desk.accounts.values()].map(({ currency, id }) => [currency, id]),
    ),
    exchange: (line) => exchangeOf(options, core, file, line),
    figures: () => {
      const { counts, gaps } = core.desk.tape;
      const { displacedTrades, displacedOrders, takenOrders } = counts;
      const places = { gaps: gaps.count, keptPlaces: gaps.kept, wentBehind: gaps.wentBehind };
      const { latencies } = paper;
      return { pair, fees, latencies, displacedTrades, displacedOrders, takenOrders, ...places };
    },
  };
}

function exchangeOf(
  { clock, client }: PaperAccountOptions,
  core: PaperCore,
  file: AccountFile,
  { venue, credentials, timers, random, capture }: PaperLineOptions,
): ExchangePort {
  const { pair } = core.desk.market;
  const port = createPaperExchange({
    core,
    clock,
    timers,
    connect: (listener) =>
      createMarketStream({
        url: venue.streamUrl,
        credentials,
        timers,
        random,
        pair,
        listener: {
          opened: () => {
            capture?.opened(pair);
            listener.opened();
          },
          closed: (reason, end, inARow) => {
            capture?.closed(pair, reason);
            listener.closed(reason, end, inARow);
          },
          frame: (text, message) => {
            capture?.frame(pair, text, message);
            listener.frame(text, message);
          },
        },
      }),
  });
  return {
    ...port,
    close: async () => {
      await port.close();
      await capture?.close();
      await client.close();
      file.close();
    },
  };
}

async function onlyMarketOf({ settings, paper, client }: PaperAccountOptions): Promise<Market> {
  const pairs = [...new Set(settings.strategies.flatMap((strategy) => strategy.pairs))];
  if (pairs.length > 1)
    throw new ConfigError(
      `mode paper pretends one market, the strategies trade ${pairs.join(', ')}; give each pair a bot of its own`,
    );
  const [market] = await fetchMarkets(client, pairs);
  if (market === undefined) throw new ConfigError('mode paper needs a strategy that has a pair');
  for (const currency of [market.base, market.counter])
    if (paper.balances[currency] === undefined)
      throw new ConfigError(
        `paper.balances lacks ${currency}, a currency of ${market.pair}; an amount of "0" is allowed`,
      );
  return market;
}

function amountOf({ balances }: PaperSettings, currency: string): string {
  return balances[currency] ?? '0';
}

async function feesOf(client: Client, pair: string): Promise<FeeRates> {
  const reply = await client.request('feeInfo', { pair });
  if (reply.kind === 'refused')
    throw new ConfigError(
      `the fees of the account cannot be read with this key (${reply.code}); say what to pretend in paper.fees, as { maker: "…", taker: "…" }`,
    );
  const { maker_fee: maker, taker_fee: taker } = await client.feeInfo({ pair });
  return { maker, taker };
}

/** What a person must know of the figures of a paper run. */
export function pretendedLines(figures: PaperFigures): readonly string[] {
  const { fees, latencies, displacedTrades, displacedOrders, takenOrders } = figures;
  const { feedUs, request, answer } = latencies;
  return [
    'PRETENDED: orders stood in the real market only here; no order left this machine',
    `pretended fees       ${fees.maker} maker, ${fees.taker} taker`,
    `pretended latencies  feed ${feedUs / 1000} ms, request ${latencyText(request)}, answer ${latencyText(answer)}`,
    `the market went on   although ours met ${displacedTrades} trades and ${displacedOrders} orders of it, and took ${takenOrders}`,
    `stream lost          ${figures.gaps} times; orders through it: ${figures.keptPlaces} kept their place, ${figures.wentBehind} went behind`,
  ];
}

function latencyText(latency: Latency): string {
  if (latency.kind === 'fixed') return `${latency.us / 1000} ms`;
  if (latency.kind === 'between') return `${latency.fromUs / 1000} to ${latency.toUs / 1000} ms`;
  return `${latency.samplesUs.length} measurements`;
}
