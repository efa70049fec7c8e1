/**
 * Finds the mid at each fill, and 1, 10, 60 and 300 seconds after it, as soon as the market's
 * stream shows them; and the sum of the fills' distances from their mids, a part of the profit.
 */
import type { Market } from '../../domain/market.ts';
import { Decimal, formatDecimal } from '../../domain/money.ts';
import type { FillMids, FillRow, StoreRecord } from '../../domain/records.ts';
import type { StoreReports } from '../../store/store-reports.ts';
import type { MidHistory } from './mid-history.ts';

const horizons = [
  { field: 'mid1s', afterMs: 1_000 },
  { field: 'mid10s', afterMs: 10_000 },
  { field: 'mid60s', afterMs: 60_000 },
  { field: 'mid300s', afterMs: 300_000 },
] as const;
const lastHorizonMs = 300_000;
/** As many fills wait at most; of more, the oldest keep what is known. */
const pendingMax = 20_000;

export type WatchedMarket = {
  readonly market: Market;
  readonly mids: MidHistory;
  /** Up to when, by the exchange's clock, the stream has shown everything. */
  readonly shownMs: number;
};

type Pending = {
  readonly fill: Pick<FillRow, 'pair' | 'side' | 'price' | 'volume' | 'tradedMs'>;
  row: FillMids;
  isMidSought: boolean;
  /** Index of the next horizon. */
  next: number;
};

/** The fills of a strategy on a pair, and their distances from the mid in our favour. */
export type FillSpread = {
  /** Fills whose mid is known, or is in a moment: the stream has not shown their time yet. */
  readonly fills: number;
  /** Of the fills whose mid is known. */
  readonly sum: Decimal;
};

export class FillMidsWatch {
  readonly #marketOf: (pair: string) => WatchedMarket | undefined;
  #pending: Pending[] = [];
  /** By strategy and pair. */
  readonly #spreads = new Map<string, FillSpread>();

  constructor(marketOf: (pair: string) => WatchedMarket | undefined) {
    this.#marketOf = marketOf;
  }

  /** Takes what an earlier run knew of the fills of `pairs`, and goes on with the newest. */
  restore(
    reports: Pick<StoreReports, 'fillSpreads' | 'fillsWithMids'>,
    pairs: Iterable<string>,
    nowMs: number,
  ): void {
    for (const { strategyId, pair, fills, spread } of reports.fillSpreads())
      this.#spreads.set(keyOf(strategyId, pair), { fills, sum: new Decimal(spread) });
    for (const pair of pairs)
      for (const fill of reports.fillsWithMids(
        pair,
        nowMs - lastHorizonMs,
        Number.MAX_SAFE_INTEGER,
      )) {
        const next = horizons.findIndex(({ field }) => fill[field] === undefined);
        const { sequence, orderId, strategyId, mid, spread } = fill;
        const { mid1s, mid10s, mid60s, mid300s } = fill;
        const row = { pair, sequence, orderId, strategyId, mid, spread };
        if (next !== -1)
          this.#pending.push({
            fill,
            row: { ...row, mid1s, mid10s, mid60s, mid300s },
            isMidSought: true,
            next,
          });
      }
  }

  add(fill: FillRow): void {
    const { pair, sequence, orderId, strategyId } = fill;
    const key = { pair, sequence, orderId, strategyId };
    const later = { mid1s: undefined, mid10s: undefined, mid60s: undefined, mid300s: undefined };
    this.#pending.push({
      fill,
      row: { ...key, mid: undefined, spread: undefined, ...later },
      isMidSought: false,
      next: 0,
    });
    if (this.#pending.length > pendingMax) this.#pending.shift();
  }

  /** Returns the mids that have become known since the last call. */
  advance(): readonly StoreRecord[] {
    if (this.#pending.length === 0) return [];
    const records: StoreRecord[] = [];
    for (const pending of this.#pending) {
      const before = pending.row;
      this.#advanceOne(pending);
      if (pending.row !== before) records.push({ kind: 'fill-mids', row: pending.row });
    }
    this.#pending = this.#pending.filter(({ next }) => next < horizons.length);
    return records;
  }

  spreadOf(strategyId: string, pair: string): FillSpread {
    const { fills, sum } = this.#sumOf(strategyId, pair);
    const isSought = ({ row, isMidSought }: Pending): boolean =>
      !isMidSought && row.strategyId === strategyId && row.pair === pair;
    return { fills: fills + this.#pending.filter(isSought).length, sum };
  }

  #sumOf(strategyId: string, pair: string): FillSpread {
    return this.#spreads.get(keyOf(strategyId, pair)) ?? { fills: 0, sum: new Decimal(0) };
  }

  #advanceOne(pending: Pending): void {
    const { fill } = pending;
    const watched = this.#marketOf(fill.pair);
    if (watched === undefined) {
      pending.next = horizons.length;
      return;
    }
    const { shownMs, mids, market } = watched;
    if (!pending.isMidSought && shownMs >= fill.tradedMs) {
      pending.isMidSought = true;
      const mid = midText(mids.before(fill.tradedMs), market);
      if (mid !== undefined) this.#noteMid(pending, mid);
    }
    for (;;) {
      const horizon = horizons[pending.next];
      if (horizon === undefined || shownMs < fill.tradedMs + horizon.afterMs) return;
      pending.next++;
      const mid = midText(mids.at(fill.tradedMs + horizon.afterMs), market);
      if (mid !== undefined) pending.row = { ...pending.row, [horizon.field]: mid };
    }
  }

  #noteMid(pending: Pending, mid: string): void {
    const { fill, row } = pending;
    const distance = new Decimal(mid).minus(fill.price).times(fill.volume);
    const spread = fill.side === 'BID' ? distance : distance.negated();
    pending.row = { ...row, mid, spread: formatDecimal(spread) };
    const key = keyOf(row.strategyId, row.pair);
    const known = this.#sumOf(row.strategyId, row.pair);
    this.#spreads.set(key, { fills: known.fills + 1, sum: known.sum.plus(spread) });
  }
}

function keyOf(strategyId: string, pair: string): string {
  return `${strategyId} ${pair}`;
}

function midText(mid2: number | undefined, { priceScale }: Market): string | undefined {
  if (mid2 === undefined) return undefined;
  return formatDecimal(new Decimal(mid2).div(2).div(new Decimal(10).pow(priceScale)));
}
