/**
 * The status of a bot in a storm of faults and crashes: composing it changes nothing of the run,
 * and what it says agrees with the store.
 */
import { expect, test } from 'vitest';
import { composeStatus, type StatusSources } from '../../src/bot/status/compose-status.ts';
import { OrderLatency } from '../../src/bot/status/order-latency.ts';
import { PresenceSamples } from '../../src/bot/status/presence-samples.ts';
import { RunHistory } from '../../src/bot/status/run-history.ts';
import { RunNotes } from '../../src/bot/status/run-notes.ts';
import { SeriesHistory } from '../../src/bot/status/series-history.ts';
import { formatAmount } from '../../src/domain/amount.ts';
import type { BotStatus } from '../../src/domain/bot-status.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { baseOf, Positions } from '../../src/execution/fills/positions.ts';
import { runWorld, VirtualWorld } from '../support/virtual-world.ts';

/** Follows each life of a world's bot as a running bot follows itself. */
class Follower {
  composed = 0;
  readonly #world: VirtualWorld;
  #engine: Engine | undefined;
  #sources: StatusSources | undefined;

  constructor(world: VirtualWorld) {
    this.#world = world;
  }

  follow(): void {
    this.status();
    this.#world.time.after(250, () => this.follow());
  }

  /** Composes the status; undefined while no bot runs. */
  status(): BotStatus | undefined {
    const { engine } = this.#world;
    if (engine === undefined) return undefined;
    if (engine !== this.#engine) this.#begin(engine);
    const sources = this.#sources as StatusSources;
    sources.presence.sample();
    sources.notes.noteStepped();
    sources.notes.advance();
    this.composed++;
    return composeStatus(sources, this.#nowMs());
  }

  #begin(engine: Engine): void {
    const { settings, reports } = this.#world;
    const markets = new Map([...engine.markets].map(([pair, { market }]) => [pair, market]));
    const notes = new RunNotes(engine, reports, () => this.#nowMs());
    this.#engine = engine;
    this.#sources = {
      ...{ settings, engine, notes, runId: this.#world.lives, startedMs: 0, pid: 1 },
      history: new RunHistory(markets, reports, (fill) => notes.noteFill(fill)),
      latency: new OrderLatency({ monotonicMicros: () => 0 }),
      presence: new PresenceSamples(engine),
      series: new SeriesHistory(),
      waitingMs: () => 0,
    };
  }

  #nowMs(): number {
    return Math.floor(this.#world.time.nowMicros / 1000);
  }
}

test.each([1, 2, 3])(
  'seed %i: a run that is watched is the same, byte for byte',
  (seed) => {
    const plain = runWorld({ seed, stormSeconds: 20 });
    let composed = 0;
    const watched = new VirtualWorld({
      ...{ seed, stormSeconds: 20 },
      script: (world) => {
        const follower = new Follower(world);
        follower.follow();
        composed = 0;
        const count = (): void => {
          ({ composed } = follower);
          world.time.after(1_000, count);
        };
        count();
      },
    }).run();
    expect(composed).toBeGreaterThan(50);
    expect(watched.violations).toEqual([]);
    expect(watched.hash).toBe(plain.hash);
  },
  60_000,
);

test('orders, positions, fills, limits and states are those of the store', () => {
  const world = new VirtualWorld({ seed: 5, level: 0 });
  const follower = new Follower(world);
  world.begin();
  follower.follow();
  world.pass(90);
  const status = follower.status() as BotStatus;
  const { reports } = world;
  const open = reports.openOrders();
  const own = status.markets.flatMap(({ ownOrders }) => ownOrders);
  expect(own.map(({ intentId }) => intentId)).toEqual(open.map(({ intentId }) => intentId));
  expect(status.orders.live).toBe(open.length);
  const positions = new Positions();
  for (const totals of reports.fillTotals()) positions.restore(totals);
  expect(reports.fillCount()).toBeGreaterThan(0);
  expect(status.strategies.length).toBeGreaterThan(0);
  for (const { strategyId, pair, position, fills } of status.strategies) {
    const holding = positions.holding(strategyId, pair);
    expect([strategyId, position, fills]).toEqual([
      strategyId,
      formatAmount(baseOf(holding)),
      holding.fills,
    ]);
  }
  const openMax = status.limits.find(({ key }) => key === 'limits.account.ordersOpenMax');
  expect(openMax?.used).toBe(String(open.length));
  expect(status).toMatchObject({ state: 'ACTIVE', states: [], isReconciled: true });
  const resting = own.filter(({ state, orderId }) => state === 'open' && orderId !== null);
  expect(resting.length).toBeGreaterThan(0);
  // The exchange's own queue.
  for (const { price, side, aheadVolume } of resting) {
    const [market] = status.markets;
    const level = (side === 'BID' ? market?.bids : market?.asks)?.find(
      (one) => one.price === price,
    );
    expect(aheadVolume).not.toBeNull();
    expect(Number(level?.volume)).toBeGreaterThanOrEqual(Number(aheadVolume));
  }
});

test('a halt is a state with its reason, and each strategy says that it does not trade', () => {
  const world = new VirtualWorld({ seed: 5, level: 0 });
  const follower = new Follower(world);
  world.begin();
  world.pass(20);
  world.tell({ kind: 'operator', command: 'halt', reason: 'the news' });
  world.pass(1);
  const status = follower.status() as BotStatus;
  expect(status.state).toBe('HALTED');
  expect(status.states).toMatchObject([{ scope: 'bot', state: 'HALTED', reason: 'the news' }]);
});
