/**
 * Shadow orders in short histories: the events that a model receives and the fills that it must
 * predict. History is written by hand, one row a line; comments explain the outcome of each order.
 */
import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';
import { Scoreboard } from '../../prove/fidelity/fidelity-score.ts';
import type { FillPredictor, LevelEvent } from '../../prove/fidelity/fill-predictor.ts';
import { FillProgress } from '../../prove/fidelity/fill-predictor.ts';
import { measureFidelity } from '../../prove/fidelity/measure-fidelity.ts';
import { QueuePredictor } from '../../prove/fidelity/queue-predictor.ts';
import type { ShadowOrder } from '../../prove/fidelity/shadow-order.ts';
import { ShadowReplay } from '../../prove/fidelity/shadow-replay.ts';

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
function lateOrder(): ShadowOrder<'late'> {
  const progress = new FillProgress(5 as Lots);
  progress.fill(5 as Lots, 70_000_000);
  return {
    ...{ id: 'A', terms: { volume: 5 }, distance: 0, models: { late: { progress } } },
    ...{ isReached: true, end: 'filled', endMicros: 1_000_000, filled: 5 },
  } as unknown as ShadowOrder<'late'>;
}

async function* batch(rows: readonly OrderFlowRow[]) {
  yield rows;
}

async function scoreOf(story: string) {
  const board = await measureFidelity({
    resting: [],
    batches: batch(flow(story)),
    scales,
    random: createSeededRandom(1),
  });
  return board.score();
}

/** Returns each shadow order as `id end filled as predicted`. */
function verdictsOf(story: string): readonly string[] {
  const verdicts: string[] = [];
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
  const replay = new ShadowReplay<'queue'>({
    resting: [],
    createModels: (order) => ({ queue: new QueuePredictor(market, order) }),
    onJudged: (shadow) => {
      const { progress } = shadow.models.queue;
      verdicts.push(`${shadow.id} ${shadow.end} ${shadow.filled} as ${progress.filled}`);
    },
  });
  for (const row of flow(story)) replay.apply(row);
  replay.finish();
  return verdicts.sort();
}

describe('the queue fill model, given real orders', () => {
  test('fills them first in, first out', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        sell takes 5 of A and
        sell takes 2 of B
      `),
    ).toEqual(['A filled 5 as 5', 'B still open 2 as 2']);
  });

  test('moves them up when an order ahead of them leaves, but not for one behind', () => {
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

  test('does not know the end of an order: a cancelled order could have been filled later', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        out A
        sell takes 5 of B
      `),
    ).toEqual(['A cancelled 0 as 0', 'B filled 5 as 5']);
  });

  test('fills an order when an aggressor trades through its price', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 99
        sell takes 5 of A and
        sell takes 1 of B
      `),
    ).toEqual(['A filled 5 as 5', 'B still open 1 as 1']);
  });

  test('differs where history was not first in, first out', () => {
    expect(
      verdictsOf(`
        bid A 5 at 100
        bid B 5 at 100
        sell takes 5 of B
        out A
      `),
      // A was first in the queue: the model fills A, so no volume is left for B.
    ).toEqual(['A cancelled 0 as 5', 'B filled 5 as 0']);
  });
});

describe('the events that a model receives', () => {
  test('never concern the shadow order itself', () => {
    const received: LevelEvent[] = [];
    const recording = (): FillPredictor => ({
      progress: new FillProgress(100 as Lots),
      apply: (event) => void received.push(event),
    });
    let first = true;
    const silent = (): FillPredictor => ({
      progress: new FillProgress(100 as Lots),
      apply: () => {},
    });
    const replay = new ShadowReplay<'spy'>({
      resting: [],
      createModels: () => {
        const model = first ? recording() : silent();
        first = false;
        return { spy: model };
      },
      onJudged: () => {},
    });
    for (const row of flow(`
      bid SHADOW 5 at 100
      bid B 5 at 100
      sell takes 2 of SHADOW and
      sell takes 1 of B
      out SHADOW
      out B
    `))
      replay.apply(row);
    replay.finish();
    expect(received.map(({ atMicros: _, ...event }) => event)).toEqual([
      { kind: 'joined', id: 'B', volume: 5 },
      // The whole aggressor, without the orders that it filled.
      { kind: 'traded', atPrice: 3, through: 0 },
    ]);
    expect(JSON.stringify(received)).not.toContain('SHADOW');
  });
});

describe('the score', () => {
  test('distinguishes the common models from the exact one', async () => {
    // B is behind A: a trade of 5 at their price fills only A, and B leaves unfilled.
    const score = await scoreOf(`
      ask X 9 at 110
      bid A 5 at 100
      bid B 5 at 100
      sell takes 5 of A
      out B
    `);
    expect(score).toMatchObject({ orders: 3, filled: 1, cancelled: 1, stillOpen: 1, reached: 2 });
    expect(score.models.queue).toMatchObject({ rightOutcome: 1, rightOutcomeReached: 1 });
    // The touch model also fills B.
    expect(score.models.touch.rightOutcomeReached).toBe(0.5);
    // The crossed model does not even fill A.
    expect(score.models.crossed.rightOutcomeReached).toBe(0.5);
  });

  test('counts a fill more than a minute late as no fill', () => {
    const board = new Scoreboard<'late'>(['late']);
    board.add(lateOrder());
    expect(board.score().models.late).toMatchObject({ rightOutcome: 0, filledVolumeError: 1 });
  });

  test('a scoreboard of very many orders can be merged into another', () => {
    const [all, day] = [new Scoreboard<'late'>(['late']), new Scoreboard<'late'>(['late'])];
    for (let orders = 0; orders < 300_000; orders++) day.add(lateOrder());
    all.merge(day);
    expect(all.score()).toEqual(day.score());
    expect(all.score().orders).toBe(300_000);
  });
});
