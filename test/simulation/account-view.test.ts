/**
 * What a strategy sees of its own trading is what all fills of its store say: at any moment, before
 * and after kills, whatever the exchange and the network do; and a replay sees the same.
 */
import { map, merge } from 'rxjs';
import { expect, test } from 'vitest';
import { Replay } from '../../src/bot/journal/replay-journal.ts';
import { tradedFiguresOf } from '../../src/bot/status/traded-figures.ts';
import type { FillRow, StoreRecord } from '../../src/domain/records.ts';
import { Engine } from '../../src/engine/engine.ts';
import { decodeLine } from '../../src/engine/journal.ts';
import {
  type Context,
  Decimal,
  type Fill,
  type Intent,
  type Lots,
  lotsOf,
  type MarketContext,
  type Side,
} from '../../src/index.ts';
import { marketFramesOf } from '../../src/venues.ts';
import { profitOfRows, sumsOfRows } from '../support/account-oracle.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { type Run, strategyOf } from '../support/scripted-world.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

/** Keeps the fills in the order in which they were booked. */
class FillsInOrder extends MemoryStore {
  readonly fills: FillRow[] = [];

  override commit(records: readonly StoreRecord[], commitNumber: number): void {
    super.commit(records, commitNumber);
    for (const record of records) if (record.kind === 'fill') this.fills.push(record.row);
  }
}

/** Trades at random: at once and resting, by key and by quote. Says in its reasons what it sees. */
function tradeAtRandom(look: (context: Context<unknown, undefined>) => void): Run {
  return (context, market) => {
    const { random } = context;
    look(context);
    const intents$ = context.every(400).pipe(
      map((count): Intent => {
        const side: Side = random() < 0.5 ? 'BID' : 'ASK';
        const { top, pair } = market;
        const volume = lotsOf(1_000 + Math.floor(random() * 4_000));
        const reason = textOf(context, market);
        const isTaker = random() < 0.6;
        const best = (side === 'BID') === isTaker ? top?.ask : top?.bid;
        if (best === undefined) return { kind: 'idle', pair, reason };
        if (random() < 0.3) {
          const bid = { side: 'BID', price: top?.bid ?? best, volume, level: 'b' } as const;
          const orders = side === 'BID' ? [bid] : [];
          return { kind: 'quote', pair, orders, reason };
        }
        const timeInForce = isTaker ? 'IOC' : 'GTC';
        const terms = { side, price: best, volume, timeInForce, postOnly: !isTaker } as const;
        const tag = random() < 0.5 ? 'odd' : undefined;
        const key = `k${context.nowMs()}-${count}`;
        const place = { kind: 'place', pair, key, terms, reason } as const;
        return tag === undefined ? place : { ...place, tag };
      }),
    );
    const looked$ = merge(market.fill$, market.order$, market.topWithVolume$).pipe(
      map((): Intent => {
        look(context);
        return { kind: 'idle', pair: market.pair, reason: 'looked' };
      }),
    );
    return merge(intents$, looked$);
  };
}

/** What a replay must see again, as a text that is stored with an order. */
function textOf(context: Context<unknown, undefined>, market: MarketContext): string {
  const { totals, profit } = market;
  const { total, free } = context.balance(market.counter) ?? {};
  const recent = market.fillsSince(context.nowMs() - 60_000).map(({ atMs }) => atMs % 1_000);
  const booked = market.orders.map((order) => order.booked?.averagePrice);
  const seen = [totals.fills, profit.realised, profit.open, total, free, ...recent, ...booked];
  return `sees ${seen.join(' ')}`.slice(0, 200);
}

const near = (a: Decimal | undefined, b: Decimal | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.minus(b).abs().lessThan('1e-12');

/** Compares what a strategy sees with the fills, if they are the same number of fills. */
class Comparison {
  readonly differences: string[] = [];
  compared = 0;
  closed = 0;
  feesInBase = 0;
  last: Context<unknown, undefined> | undefined;
  #lastRows = -1;
  #looks = 0;
  readonly #store: FillsInOrder;
  readonly #engine: () => Engine | undefined;

  constructor(store: FillsInOrder, engine: () => Engine | undefined) {
    this.#store = store;
    this.#engine = engine;
  }

  look(context: Context<unknown, undefined>): void {
    const [market] = context.pairs;
    this.last = context;
    if (market === undefined) return;
    const { fills: rows } = this.#store;
    // Fills of this event are not committed yet.
    if (market.totals.fills !== rows.length) return;
    // Most looks find what the last one found.
    if (rows.length === this.#lastRows && this.#looks++ % 20 !== 0) return;
    this.#lastRows = rows.length;
    this.compared++;
    this.#compareTotals(context, market, rows);
    this.#compareFills(context, market, rows);
    this.#compareOrders(market, rows);
  }

  #compareTotals(
    context: Context<unknown, undefined>,
    market: MarketContext,
    rows: readonly FillRow[],
  ): void {
    const { totals, profit, position } = market;
    for (const [side, traded] of [
      ['BID', totals.bought],
      ['ASK', totals.sold],
    ] as const)
      this.#compareTraded(
        side,
        market,
        traded,
        rows.filter((row) => row.side === side),
      );
    const { feeBase, feeCounter } = sumsOfRows(rows);
    this.#same('fees', [totals.fees.base, totals.fees.counter], [feeBase, feeCounter]);
    this.#same('fees of the strategy', context.fees(market.base), feeBase);
    this.#same('fees of the strategy', context.fees(market.counter), feeCounter);
    const { mid } = market;
    const price =
      mid === undefined ? undefined : new Decimal(mid).div(10 ** market.rules.priceScale);
    const expected = profitOfRows(rows, price);
    if (expected.realised.isZero() === false) this.closed++;
    if (feeBase.isZero() === false) this.feesInBase++;
    for (const part of ['realised', 'open', 'total'] as const) {
      if (!near(profit[part], expected[part]))
        this.#say(`profit.${part} ${profit[part]}, not ${expected[part]}`);
      this.#same('profit of the strategy', context.profit(market.counter)[part], profit[part]);
    }
    this.#same('total', profit.total, expected.total);
    const engine = this.#engine();
    const status = engine && tradedFiguresOf(engine, context.id, market.pair).value;
    if (status !== undefined) this.#same('profit of the status', profit.total, status.profit);
    if (!near(position.averagePrice, expected.held.isZero() ? undefined : expected.average))
      this.#say(`averagePrice ${position.averagePrice}, not ${expected.average}`);
  }

  #compareFills(
    context: Context<unknown, undefined>,
    market: MarketContext,
    rows: readonly FillRow[],
  ): void {
    const sorted = [...rows].sort(
      (a, b) => a.tradedMs - b.tradedMs || Number(BigInt(a.sequence) - BigInt(b.sequence)),
    );
    for (const sinceMs of [
      context.nowMs() - 3_600_000,
      sorted[sorted.length >> 1]?.tradedMs ?? 0,
    ]) {
      if (sinceMs === 0) continue;
      const expected = sorted.filter(({ tradedMs }) => tradedMs >= sinceMs);
      const seen = market.fillsSince(sinceMs);
      this.#same(
        'fillsSince',
        seen.map(lineOf(market)),
        expected.map((row) => this.#lineOf(row)),
      );
    }
  }

  #lineOf(row: FillRow): string {
    const order = this.#store.reports.findOrder({ intentId: row.intentId });
    const amounts = [row.price, row.volume, row.feeBase, row.feeCounter].map((text) =>
      new Decimal(text).toFixed(),
    );
    return [order?.key, order?.level, order?.tag, row.side, ...amounts, row.tradedMs, true].join(
      ' ',
    );
  }

  #compareOrders(market: MarketContext, rows: readonly FillRow[]): void {
    const byIntent = Map.groupBy(rows, ({ intentId }) => intentId);
    const open = new Map(market.orders.map((order) => [order.key, order]));
    for (const { intentId, key, level } of this.#store.reports.orders()) {
      const own = byIntent.get(intentId) ?? [];
      const order = open.get(key);
      if (level !== undefined && order === undefined) continue;
      const filled = market.filledOf(key);
      if (filled === undefined) this.#say(`filledOf ${key} is not known`);
      else this.#compareTraded(key, market, filled, own);
      if (order?.booked !== undefined) this.#compareTraded(key, market, order.booked, own);
      else if (order !== undefined && order.state !== 'pending' && own.length > 0)
        this.#say(`${key} has no booked fills`);
    }
  }

  #compareTraded(
    what: string,
    market: MarketContext,
    { volume, value, averagePrice, fees }: NonNullable<ReturnType<MarketContext['filledOf']>>,
    rows: readonly FillRow[],
  ): void {
    const { base, counter, feeBase, feeCounter } = sumsOfRows(rows);
    this.#same(
      `traded ${what}`,
      [market.amountOf(volume), value, fees.base, fees.counter],
      [base, counter, feeBase, feeCounter],
    );
    if (!near(averagePrice, base.isZero() ? undefined : counter.div(base)))
      this.#say(`average price of ${what}: ${averagePrice}`);
  }

  #same(what: string, seen: unknown, expected: unknown): void {
    const [one, other] = [seen, expected].map((value) => JSON.stringify(value));
    if (one !== other) this.#say(`${what}: ${one}, not ${other}`);
  }

  #say(difference: string): void {
    if (this.differences.length < 5) this.differences.push(difference);
  }
}

function lineOf(market: MarketContext): (fill: Fill) => string {
  return ({ key, level, tag, side, price, volume, fees, atMs, booked }) => {
    const amounts = [
      market.priceOf(price),
      market.amountOf(volume as Lots),
      fees.base,
      fees.counter,
    ];
    return [key, level, tag, side, ...amounts.map((one) => one.toFixed()), atMs, booked].join(' ');
  };
}

function play(seed: number) {
  const store = new FillsInOrder();
  const comparison = new Comparison(store, () => world.engine);
  const strategy = strategyOf(tradeAtRandom((context) => comparison.look(context)));
  const world: VirtualWorld = new VirtualWorld({
    ...{ seed, strategy, isRoomy: true, stormSeconds: 60, level: (seed % 3) / 10 },
    ...{ openStore: () => store, keepJournals: true },
    script: (world) => {
      for (const ms of [20_000, 45_000]) world.time.after(ms, () => world.kill());
    },
  });
  const result = world.run();
  return { world, store, comparison, result };
}

const seeds = [1, 2, 3, 4, 5];
const sums = { compared: 0, closed: 0, feesInBase: 0, lives: 0, fills: 0 };

test.each(seeds)('seed %i: the account is what the fills of the store say', (seed) => {
  const { comparison, result, store, world } = play(seed);
  expect(result.violations).toEqual([]);
  expect(comparison.differences).toEqual([]);
  // Nobody else trades, and the bot has compared everything when it stops.
  for (const { currency, balance } of world.simulator.truth('desk').accounts) {
    const seen = comparison.last?.balance(currency);
    const expected = new Decimal(balance).toFixed();
    expect([seen?.total.toFixed(), seen?.reserved.toFixed()]).toEqual([expected, '0']);
  }
  sums.compared += comparison.compared;
  sums.closed += comparison.closed;
  sums.feesInBase += comparison.feesInBase;
  sums.lives += result.lives;
  sums.fills += store.fills.length;
  // A replay gives orders the same reasons, which say what the strategy saw.
  const { pluginsUsed } = new VirtualWorld({ seed, strategy: strategyOf(tradeAtRandom(() => {})) });
  for (const journal of result.journals) {
    let replay: Replay | undefined;
    for (const line of journal) {
      const block = decodeLine(line.trimEnd());
      if (block?.kind === 'header')
        replay = new Replay(new Engine(block.start, pluginsUsed), marketFramesOf(block.protocol));
      else if (block?.kind === 'batch' && replay?.isOver === false) replay.step(block);
    }
    expect(replay?.firstDifference).toBeUndefined();
  }
});

test('the seeds have kills, closed positions and fees in both currencies', () => {
  expect(sums.lives).toBeGreaterThan(seeds.length + 3);
  for (const count of Object.values(sums)) expect(count).toBeGreaterThan(seeds.length);
});
