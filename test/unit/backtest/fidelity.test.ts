/**
 * Ghosts told as small stories: what a model hears of the others, and what it must answer. History
 * is written by hand, one row a line; the outcome of each order is worked out in the comments.
 */
import { describe, expect, test } from 'vitest';
import { Scoreboard } from '../../../src/backtest/fidelity/fidelity-score.ts';
import type { FillPredictor, LevelEvent } from '../../../src/backtest/fidelity/fill-predictor.ts';
import { FillProgress } from '../../../src/backtest/fidelity/fill-predictor.ts';
import { measureFidelity } from '../../../src/backtest/fidelity/measure-fidelity.ts';
import { QueuePredictor } from '../../../src/backtest/fidelity/queue-predictor.ts';
import type { ShadowOrder } from '../../../src/backtest/fidelity/shadow-order.ts';
import { ShadowReplay } from '../../../src/backtest/fidelity/shadow-replay.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

const nothing = { bids: [], asks: [] };
const scales = { priceScale: 2, volumeScale: 0 };

/** Rows a millisecond apart: `bid A 5 at 100`, `out A`, `A to 3`, `sell takes 2 of A` (a trade). */
function flow(story: string): OrderFlowRow[] {
  const prices = new Map<string, number>();
  return story
    .trim()
    .split('\n')
    .map((line, index): OrderFlowRow => {
      const words = line.trim().split(' ');
      const endsMessage = words.at(-1) !== 'and';
      const place = { sequence: index + 1, atMicros: (index + 1) * 1_000, endsMessage };
      const [verb = '', ...rest] = words;
      if (verb === 'bid' || verb === 'ask') {
        const [id = '', volume = '', , price = ''] = rest;
        prices.set(id, Number.parseInt(price, 10));
        return {
          ...place,
          kind: 'create',
          id,
          side: verb === 'bid' ? 'BID' : 'ASK',
          price: Number.parseInt(price, 10) as Ticks,
          volume: Number.parseInt(volume, 10) as Lots,
        };
      }
      if (verb === 'out') return { ...place, kind: 'delete', id: rest[0] ?? '' };
      if (rest[0] === 'to')
        return {
          ...place,
          kind: 'resize',
          id: verb,
          volume: Number.parseInt(rest[1] ?? '', 10) as Lots,
        };
      const makerId = rest[3] ?? '';
      return {
        ...place,
        kind: 'trade',
        makerId,
        takerId: undefined,
        makerSide: verb === 'sell' ? 'BID' : 'ASK',
        price: (prices.get(makerId) ?? 0) as Ticks,
        volume: Number.parseInt(rest[1] ?? '', 10) as Lots,
      };
    });
}

/** An order that was filled after a second, and by its model after 70. */
function lateGhost(): ShadowOrder<'late'> {
  const progress = new FillProgress(5 as Lots);
  progress.fill(5 as Lots, 70_000_000);
  return {
    ...{ id: 'A', order: { volume: 5 }, distance: 0, models: { late: { progress } } },
    ...{ isReached: true, end: 'filled', endMicros: 1_000_000, filled: 5 },
  } as unknown as ShadowOrder<'late'>;
}

async function* batch(rows: readonly OrderFlowRow[]) {
  yield rows;
}

async function scoreOf(story: string) {
  const board = await measureFidelity({
    snapshot: nothing,
    batches: batch(flow(story)),
    scales,
    random: createSeededRandom(1),
  });
  return board.score();
}

/** Returns each ghost as the tape's model sees it: `id end filled/volume model`. */
function verdictsOf(story: string): readonly string[] {
  const told: string[] = [];
  const market = {
    pair: 'P',
    base: 'B',
    counter: 'C',
    ...scales,
    feeScale: 0,
    priceMin: 0 as Ticks,
    priceMax: 1e9 as Ticks,
    volumeMin: 1 as Lots,
    volumeMax: 1e9 as Lots,
    status: 'ACTIVE',
  } as const;
  const haunt = new ShadowReplay<'queue'>({
    snapshot: nothing,
    createModels: (order) => ({ queue: new QueuePredictor(market, order) }),
    onJudged: (shadow) => {
      const { progress } = shadow.models.queue;
      told.push(`${shadow.id} ${shadow.end} ${shadow.filled} as ${progress.filled}`);
    },
  });
  for (const row of flow(story)) haunt.apply(row);
  haunt.finish();
  return told.sort();
}

describe('the tape exchange, given real orders', () => {
  test('fills them in the order in which they came', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        sell takes 5 of A and
        sell takes 2 of B
      `),
    ).toEqual(['A filled 5 as 5', 'B still open 2 as 2']);
  });

  test('moves them up when an order before them leaves, and not for one behind', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        bid C 5 at 100
        out A
        out C
        sell takes 3 of B
      `),
    ).toEqual(['A cancelled 0 as 0', 'B still open 3 as 3', 'C cancelled 0 as 0']);
  });

  test('knows nothing of the end of an order: one that was taken back could have been filled later', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        out A
        sell takes 5 of B
      `),
    ).toEqual(['A cancelled 0 as 0', 'B filled 5 as 5']);
  });

  test('is filled by an aggressor that goes through its price', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 99
        sell takes 5 of A and
        sell takes 1 of B
      `),
    ).toEqual(['A filled 5 as 5', 'B still open 1 as 1']);
  });

  test('differs where history did not serve first come first served', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        sell takes 5 of B
        out A
      `),
      // By its place A was first: the model fills it, and takes the volume from nobody for B.
    ).toEqual(['A cancelled 0 as 5', 'B filled 5 as 0']);
  });
});

describe('what a model is told', () => {
  test('is never the shadow itself', () => {
    const heard: LevelEvent[] = [];
    const listening = (): FillPredictor => ({
      progress: new FillProgress(100 as Lots),
      apply: (event) => void heard.push(event),
    });
    let first = true;
    const silent = (): FillPredictor => ({
      progress: new FillProgress(100 as Lots),
      apply: () => {},
    });
    const haunt = new ShadowReplay<'ear'>({
      snapshot: nothing,
      createModels: () => {
        const model = first ? listening() : silent();
        first = false;
        return { ear: model };
      },
      onJudged: () => {},
    });
    for (const row of flow(`
      bid GHOST 5 at 100
      bid B 5 at 100
      sell takes 2 of GHOST and
      sell takes 1 of B
      out GHOST
      out B
    `))
      haunt.apply(row);
    haunt.finish();
    expect(heard.map(({ atMicros: _, ...event }) => event)).toEqual([
      { kind: 'joined', id: 'B', volume: 5 },
      // The whole aggressor, without a word about whom it took.
      { kind: 'traded', atPrice: 3, through: 0 },
    ]);
    expect(JSON.stringify(heard)).not.toContain('GHOST');
  });
});

describe('the score', () => {
  test('tells the common models from the exact one', async () => {
    // B waits behind A: a trade of 5 at its price fills A alone, and B leaves unfilled.
    const score = await scoreOf(`
      ask X 9 at 110
      bid A 5 at 100
      bid B 5 at 100
      sell takes 5 of A
      out B
    `);
    expect(score).toMatchObject({ orders: 3, filled: 1, cancelled: 1, stillOpen: 1, reached: 2 });
    expect(score.models.queue).toMatchObject({ rightOutcome: 1, rightOutcomeReached: 1 });
    // It fills B as well.
    expect(score.models.touch.rightOutcomeReached).toBe(0.5);
    // It does not even fill A.
    expect(score.models.crossed.rightOutcomeReached).toBe(0.5);
  });

  test('counts a fill that comes more than a minute late as none', () => {
    const board = new Scoreboard<'late'>(['late']);
    board.add(lateGhost());
    expect(board.score().models.late).toMatchObject({ rightOutcome: 0, filledVolumeError: 1 });
  });

  test('a day of very many orders is taken over by the board of all days', () => {
    const [all, day] = [new Scoreboard<'late'>(['late']), new Scoreboard<'late'>(['late'])];
    for (let orders = 0; orders < 300_000; orders++) day.add(lateGhost());
    all.merge(day);
    expect(all.score()).toEqual(day.score());
    expect(all.score().orders).toBe(300_000);
  });
});
