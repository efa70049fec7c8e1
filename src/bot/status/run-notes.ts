/**
 * What a run notes for later, besides the records of the engine: prices over time, the mids around
 * its fills, and what operators did. Nothing of it is needed for trading.
 *
 * Invariant: it only reads the engine; the driver stores what it returns together with what else
 * explains, so that no order waits for it.
 */
import { formatTicks } from '../../domain/market.ts';
import type { FillRow, StoreRecord } from '../../domain/records.ts';
import type { Engine } from '../../engine/engine.ts';
import type { EngineMarket } from '../../engine/engine-market.ts';
import type { StoreReports } from '../../store/store-reports.ts';
import { FillMidsWatch, type FillSpread } from './fill-mids-watch.ts';
import { MidHistory } from './mid-history.ts';

const minuteMs = 60_000;
/** How long a message of a market's stream may be on its way, when nothing else tells. */
const streamLagMs = 2_000;

type CommandRecord = Extract<StoreRecord, { readonly kind: 'operator-command' }>;
/** A command without its outcome. */
export type GivenCommand = Omit<CommandRecord, 'kind' | 'atMs' | 'outcome' | 'text'>;

type FollowedMarket = {
  readonly market: EngineMarket;
  readonly mids: MidHistory;
  /** The number of the minute that was sampled last. */
  sampledMinute: number;
};

export class RunNotes {
  readonly #engine: Pick<Engine, 'parts'>;
  readonly #nowMs: () => number;
  readonly #markets: readonly FollowedMarket[];
  readonly #fillMids: FillMidsWatch;
  #records: StoreRecord[] = [];
  /** Commands that are being carried out. */
  readonly #commands = new Set<{ readonly atMs: number; readonly given: GivenCommand }>();

  constructor(
    engine: Pick<Engine, 'markets' | 'parts'>,
    reports: Pick<StoreReports, 'fillSpreads' | 'fillsWithMids'>,
    nowMs: () => number,
  ) {
    this.#engine = engine;
    this.#nowMs = nowMs;
    this.#markets = [...engine.markets.values()].map((market) => {
      return { market, mids: new MidHistory(), sampledMinute: 0 };
    });
    this.#fillMids = new FillMidsWatch((pair) => {
      const found = this.#markets.find(({ market }) => market.market.pair === pair);
      if (found === undefined) return undefined;
      const { market, mids } = found;
      return { market: market.market, mids, shownMs: this.#shownMs(market) };
    });
    this.#fillMids.restore(reports, engine.markets.keys(), nowMs());
  }

  /** Notes the present mids; call it when events were stepped. */
  noteStepped(): void {
    for (const { market, mids } of this.#markets) {
      const { exchangeTimeMs } = market.feed;
      if (exchangeTimeMs === undefined) continue;
      const { mid2 } = market;
      // A book that became unusable has no message of its own.
      mids.note(mid2 === undefined ? this.#shownMs(market) : exchangeTimeMs, mid2);
    }
  }

  noteFill(fill: FillRow): void {
    this.#fillMids.add(fill);
  }

  /** See {@link FillMidsWatch.spreadOf}. */
  spreadOf(strategyId: string, pair: string): FillSpread {
    return this.#fillMids.spreadOf(strategyId, pair);
  }

  /** Samples prices and advances the mids around fills; call it about once a second. */
  advance(): void {
    this.#records.push(...this.#fillMids.advance());
    const nowMs = this.#nowMs();
    const minute = Math.floor(nowMs / minuteMs);
    for (const followed of this.#markets) {
      const { market, pair } = { market: followed.market, pair: followed.market.market.pair };
      const { top } = market;
      if (minute <= followed.sampledMinute) continue;
      if (top?.bid === undefined || top.ask === undefined) continue;
      followed.sampledMinute = minute;
      this.#records.push({
        ...{ kind: 'market-sample', atMs: nowMs, pair },
        bid: formatTicks(top.bid, market.market),
        ask: formatTicks(top.ask, market.market),
      });
    }
  }

  /** Notes a command that begins; call what is returned when it has ended. */
  beginCommand(given: GivenCommand): (isRefused: boolean, text: string) => void {
    const command = { atMs: this.#nowMs(), given };
    this.#commands.add(command);
    return (isRefused, text) => {
      this.#commands.delete(command);
      this.#noteCommand(command, isRefused ? 'refused' : 'done', text);
    };
  }

  /** Notes that the commands in progress have no end: the run ends before them. */
  endCommands(): void {
    for (const command of this.#commands)
      this.#noteCommand(command, 'unfinished', 'the run ended before it was done');
    this.#commands.clear();
  }

  /** Returns what has been noted since the last call. */
  take(): readonly StoreRecord[] {
    const records = this.#records;
    if (records.length > 0) this.#records = [];
    return records;
  }

  #noteCommand(
    { atMs, given }: { readonly atMs: number; readonly given: GivenCommand },
    outcome: CommandRecord['outcome'],
    text: string,
  ): void {
    this.#records.push({ kind: 'operator-command', atMs, ...given, outcome, text });
  }

  /** Up to when, by the exchange's clock, the stream of a market has shown everything. */
  #shownMs(market: EngineMarket): number {
    const nowMs = this.#nowMs();
    const { exchangeClock } = this.#engine.parts.context;
    const exchangeMs = exchangeClock.nowMs(nowMs) ?? nowMs;
    return Math.max(market.feed.exchangeTimeMs ?? 0, exchangeMs - streamLagMs);
  }
}
