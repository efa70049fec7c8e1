/** Parts of a strategy in the whole bot: their orders over a restart, and where they meet. */
import { concat, map, merge, NEVER, type Observable, of, startWith, switchMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Replay } from '../../src/bot/journal/replay-journal.ts';
import { Engine } from '../../src/engine/engine.ts';
import { decodeLine } from '../../src/engine/journal.ts';
import type {
  Context,
  Intent,
  Lots,
  MarketContext,
  QuotedOrder,
  Refusal,
  Side,
} from '../../src/index.ts';
import { marketFramesOf } from '../../src/venues.ts';
import { begin, placeAt, strategyOf } from '../support/scripted-world.ts';
import { runWorld, type VirtualWorld } from '../support/virtual-world.ts';

type AnyContext = Context<unknown, undefined>;

function order(market: MarketContext, level: string, side: Side, price: number): QuotedOrder {
  return { level, side, price: market.round(price, 'down'), volume: 1_000 as Lots };
}

function quoteOf(market: MarketContext, ...orders: readonly QuotedOrder[]): Intent {
  return { kind: 'quote', pair: market.pair, orders, reason: 'test' };
}

const marketOf = ({ pairs }: AnyContext): MarketContext => pairs[0] as MarketContext;

/** Quotes one order, `share` of the mid away, and keeps it there. */
function resting(part: AnyContext, level: string, side: Side, share: number): Observable<Intent> {
  const market = marketOf(part);
  const kept = part.slot('price', z.number(), 0);
  const mid = ((market.top?.bid ?? 0) + (market.top?.ask ?? 0)) / 2;
  const price = kept.value === 0 ? market.round(mid * share, 'down') : kept.value;
  return concat(
    of(kept.remember(price), quoteOf(market, order(market, level, side, price))),
    NEVER,
  );
}

/** In its first life it has a third part. */
function threeParts(context: AnyContext, market: MarketContext): Observable<Intent> {
  const lives = context.slot('lives', z.number(), 0);
  const parts = [
    context.part('maker', (part) => resting(part, 'bid', 'BID', 0.97)),
    context.part('exit', (part) => resting(part, 'ask', 'ASK', 1.03)),
  ];
  const third = context.part('entry', (part) =>
    concat(
      of(part.slot('n', z.number(), 0).remember(7)),
      of(placeAt(market, 0.96, { key: 'k' })),
      NEVER,
    ),
  );
  return merge(
    of(lives.remember(lives.value + 1)),
    ...parts,
    ...(lives.value === 0 ? [third] : []),
  );
}

const live = (world: VirtualWorld) =>
  (world.engine?.orders.tracker.live ?? []).filter(({ isFinal }) => !isFinal);
const names = (world: VirtualWorld) =>
  live(world)
    .map(({ level, key }) => level ?? key)
    .sort();

/** How often each order was cancelled, and why. */
const cancelReasons = (world: VirtualWorld): readonly string[] =>
  world.memory
    .restore(0)
    .orders.flatMap(({ key, cancelRequestedMs }) => (cancelRequestedMs === undefined ? [] : [key]));

describe('a kill and a restart', () => {
  const notices: string[] = [];
  const world = begin(threeParts, {
    ...{ keepJournals: true, onRestart: 'adopt', onNotice: (line) => notices.push(line) },
  });
  const before = new Map(live(world).map(({ level, key, intentId }) => [level ?? key, intentId]));
  const slotsBefore = slotsOf(world);
  world.kill();
  world.pass(60);

  test('find each part with its orders and slots', () => {
    expect([...before.keys()].sort()).toEqual(['entry/k', 'exit/ask', 'maker/bid']);
    const after = new Map(live(world).map(({ level, key, intentId }) => [level ?? key, intentId]));
    before.delete('entry/k');
    expect(after).toEqual(before);
    const prices = { 'maker/price': expect.any(Number), 'exit/price': expect.any(Number) };
    expect(slotsBefore).toEqual({ ...prices, lives: 1, 'entry/n': 7 });
    expect(slotsOf(world)).toEqual({ ...prices, lives: 2 });
  });

  test('leave nothing of the part that is not opened again, and say why', () => {
    expect(names(world)).toEqual(['exit/ask', 'maker/bid']);
    expect(cancelReasons(world)).toEqual(['entry/k']);
    const why = 'part entry was not opened again after the restart';
    expect(notices.filter((line) => line.includes(why)).length).toBeGreaterThan(0);
    expect(
      world.simulator.truth('desk').orders.filter(({ status }) => status === 'PENDING').length,
    ).toBe(2);
  });

  test('replay to the same effects and records', () => {
    world.stop();
    expect(world.witness.violations).toEqual([]);
    expect(world.journals.length).toBe(2);
    for (const lines of world.journals) expect(differencesOf(lines, world)).toEqual([0, undefined]);
  });
});

function slotsOf(world: VirtualWorld): unknown {
  const [stored] = world.memory.restore(0).strategyStates;
  return stored === undefined ? undefined : JSON.parse(stored.state).slots;
}

function differencesOf(lines: readonly string[], { pluginsUsed }: VirtualWorld) {
  let replay: Replay | undefined;
  for (const line of lines.join('').trimEnd().split('\n')) {
    const block = decodeLine(line);
    if (block?.kind === 'header')
      replay = new Replay(new Engine(block.start, pluginsUsed), marketFramesOf(block.protocol));
    else if (block?.kind === 'batch' && replay?.isOver === false) replay.step(block);
  }
  return [replay?.counts.different, replay?.firstDifference];
}

describe('two parts that cross each other', () => {
  /** Inside the spread, where nobody else is. */
  function crossing(steps: (market: MarketContext, mid: number) => readonly (readonly Intent[])[]) {
    const refusals: Refusal[] = [];
    const notices: string[] = [];
    const world = begin(
      (context, market) => {
        const mid = Math.floor(((market.top?.bid ?? 0) + (market.top?.ask ?? 0)) / 2);
        const all = steps(market, mid);
        const part = (name: string) =>
          context.part(name, ({ every, pairs: [own] }) =>
            merge(
              every(2_000).pipe(
                switchMap((at) =>
                  (all[at] ?? []).filter((one) => 'part' in one && one.part === name),
                ),
              ),
              (own as MarketContext).refusal$.pipe(
                switchMap((refusal) => {
                  refusals.push(refusal);
                  return [];
                }),
              ),
            ),
          );
        return merge(part('maker'), part('exit'));
      },
      { onNotice: (line) => notices.push(line) },
      0,
    );
    return { world, refusals, notices };
  }

  const asked = (part: string, market: MarketContext, side: Side, price: number): Intent => {
    const orders = [order(market, side === 'BID' ? 'b' : 'a', side, price)];
    return { kind: 'quote', pair: market.pair, part, orders, reason: 'test' };
  };

  const terms = (world: VirtualWorld, mid: number) =>
    live(world)
      .filter(({ cancelling }) => !cancelling)
      .map(({ level, terms: { price } }) => [level, price - mid])
      .sort();

  let middle = 0;
  const { world, refusals, notices } = crossing((market, mid) => {
    middle = mid;
    return [
      [asked('maker', market, 'BID', mid - 2)],
      [asked('exit', market, 'ASK', mid - 2)],
      [asked('exit', market, 'ASK', mid - 3)],
      [asked('maker', market, 'BID', mid - 4)],
    ];
  });

  test('refuse the later one, naming both, until the first has moved', () => {
    world.pass(7.5);
    expect(terms(world, middle)).toEqual([['maker/b', -2]]);
    expect(refusals).toHaveLength(2);
    expect(refusals[0]).toMatchObject({ codes: ['QUOTE_CROSSED'] });
    expect(refusals[0]?.key).toMatch(/^a\./u);
    expect(refusals[0]?.observed).toMatch(/^ASK exit\/a at \d/u);
    expect(refusals[0]?.limit).toMatch(/^BID maker\/b at \d/u);
    expect(notices.filter((line) => line.includes('which another part quotes'))).toHaveLength(2);
    world.pass(5);
    expect(terms(world, middle)).toEqual([
      ['exit/a', -3],
      ['maker/b', -4],
    ]);
  });
});

test.each([1, 2, 3, 4, 5, 6])(
  'a storm of faults and crashes breaks no promise and leaves no order of an ended part (seed %i)',
  (seed) => {
    const strategy = strategyOf((context, market) =>
      merge(
        context.part('maker', (part) =>
          part.every(3_000).pipe(
            map((at) => {
              const { bid = 1_000_000, ask = 1_000_000 } = market.top ?? {};
              const away = 5 + (at % 3);
              return quoteOf(
                market,
                order(market, 'bid', 'BID', bid - away),
                order(market, 'ask', 'ASK', ask + away),
              );
            }),
          ),
        ),
        context.every(7_000).pipe(
          startWith(0),
          switchMap((at) =>
            context.part(at % 2 === 0 ? 'even' : 'odd', (part) =>
              merge(
                of(part.slot('n', z.number(), 0).remember(at)),
                of(placeAt(market, 0.99, { key: `k${at}` })),
                NEVER,
              ),
            ),
          ),
        ),
      ),
    );
    expect(runWorld({ seed, strategy, stormSeconds: 40 }).violations).toEqual([]);
  },
);
