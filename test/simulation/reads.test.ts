/** The whole bot on an exchange whose answers and streams are late, lost, repeated or wrong. */
import { mergeMap, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Restored } from '../../src/domain/records.ts';
import { defineStrategy, type Ticks } from '../../src/index.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import type { StreamEnd } from '../../src/venue/venue-streams.ts';
import { operations } from '../../src/venues/luno/api/operations.ts';
import { botKey, Caller } from '../support/simulated-exchange.ts';
import { type Knob, knobs } from '../support/virtual-faults.ts';
import type { WorldOptions } from '../support/virtual-run.ts';
import { runWorld, VirtualWorld } from '../support/virtual-world.ts';

/** Faults of these kinds only, each at its rate. */
function only(rates: Partial<Record<Knob, number>>): Pick<WorldOptions, 'rates' | 'without'> {
  return { rates, without: knobs.filter((knob) => rates[knob] === undefined) };
}

function begin(options: Partial<WorldOptions> = {}, seconds = 5): VirtualWorld {
  const world = new VirtualWorld({ seed: 11, level: 0, ...options });
  world.begin();
  world.pass(seconds);
  return world;
}

const placed = (world: VirtualWorld): number => world.witness.calls.get('postorder') ?? 0;
const incidentsOf = (world: VirtualWorld): readonly string[] =>
  world.witness.incidents.map(({ code }) => code);

const restoredOf = (world: VirtualWorld): Restored =>
  world.memory.restore(Math.floor(world.time.nowMicros / 1000));

/** Places nothing, or one bid at the third change of the top, `share` of the market away. */
function strategyOf(share?: number): AnyStrategy {
  return defineStrategy({
    name: 'own',
    parameters: z.strictObject({}),
    pairs: 1,
    run: (context) => {
      const [market] = context.pairs;
      if (share === undefined || market === undefined) return NEVER;
      return market.top$.pipe(
        mergeMap((top, index) => {
          if (index !== 2) return [];
          const price = market.round((top.bid ?? 0) * share, 'down') as Ticks;
          const order = { side: 'BID', price, volume: 1_000, level: 'one' } as never;
          return of({ kind: 'quote' as const, pair: market.pair, orders: [order], reason: 'test' });
        }),
      );
    },
  }) as unknown as AnyStrategy;
}

describe('the user stream', { timeout: 60_000 }, () => {
  const seeds = [1, 2, 3, 4, 5, 6];
  test.each<[string, Partial<Record<Knob, number>>]>([
    ['U1: loses every message', { 'user.drop': 1 }],
    ['U2: says everything twice', { 'user.dup': 1, 'user.cut': 0.05 }],
    ['U3: says things in another order', { 'user.reorder': 1 }],
    ['U5: forgets who we are at every reconnect', { 'user.forget': 1, 'user.cut': 0.1 }],
    ['U6: repeats itself while lists lag', { 'user.cut': 0.2, 'lag.trades': 1, 'lag.ledger': 0.5 }],
  ])('%s, and no fill is lost, doubled or invented', (_name, rates) => {
    for (const seed of seeds) {
      const result = runWorld({ seed, level: 1, stormSeconds: 40, ...only(rates) });
      expect(result.violations, `seed ${seed}`).toEqual([]);
      expect(result.fills).toBeGreaterThan(0);
    }
  });

  test.each([299, 300, 301])('U4: is away for %i seconds, and nothing is missed', (seconds) => {
    const world = begin({ seed: 4 });
    world.outside.isUserAway = true;
    world.pass(seconds);
    world.outside.isUserAway = false;
    world.pass(20);
    world.stop();
    expect(world.witness.violations).toEqual([]);
    expect(world.reports.fillCount()).toBeGreaterThan(0);
  });

  test('U7: what it says in no known way is ignored, and read instead', () => {
    const world = begin({
      rewrite: (source, text) =>
        source === 'user' ? text.replace(/"type":"order_\w+"/u, '"type":"order_news"') : text,
    });
    const rounds = world.engine?.reconciler.rounds ?? 0;
    world.pass(40);
    expect(world.engine?.reconciler.rounds).toBeGreaterThan(rounds);
    world.stop();
    expect(world.witness.violations).toEqual([]);
    expect(world.reports.fillCount()).toBeGreaterThan(0);
  });

  test('M15: while it is silent, the public stream names our orders, and fills are booked at once', () => {
    const world = begin({ level: 1, ...only({ 'user.drop': 1 }), withChaos: false });
    world.pass(25);
    let before: readonly string[] = [];
    for (let step = 0; step < 20; step++) {
      world.pass(2.5);
      const booked = new Set(world.reports.fills().map((fill) => fill.sequence));
      expect(before.filter((sequence) => !booked.has(sequence))).toEqual([]);
      before = world.simulator.truth('desk').trades.map(({ sequence }) => String(sequence));
    }
    expect(world.reports.fillCount()).toBeGreaterThan(0);
  });
});

describe('the market stream', () => {
  test('M9: one that is 3 s behind is not traded on, and again when it has caught up', () => {
    let isLate = true;
    const world = begin({
      withChaos: false,
      rewrite: (source, text) =>
        source === 'market' && isLate
          ? text.replace(/"timestamp":(\d+)/u, (_all, ms) => `"timestamp":${Number(ms) - 3_000}`)
          : text,
    });
    world.pass(20);
    expect(world.engine?.markets.get('XBTZAR')?.isUsable).toBe(true);
    expect(placed(world)).toBe(0);
    isLate = false;
    world.pass(20);
    expect(placed(world)).toBeGreaterThan(0);
  });

  test('M6: a crossed book is an incident, not used, and asked for anew', () => {
    let isCrossed = false;
    let connections = 0;
    const world = begin({
      withChaos: false,
      log: (line) => {
        if (line.includes('market stream of XBTZAR is open')) connections++;
      },
      rewrite: (source, text) => {
        if (source !== 'market' || !isCrossed || !text.includes('"type":"BID"')) return text;
        isCrossed = false;
        return text.replace(/("type":"BID","price":)"[^"]*"/u, '$1"1400000"');
      },
    });
    isCrossed = true;
    world.pass(30);
    expect(isCrossed).toBe(false);
    expect(incidentsOf(world)).toEqual(['BOOK_CROSSED']);
    expect(connections).toBe(2);
    expect(world.engine?.markets.get('XBTZAR')?.isUsable).toBe(true);
  });

  test('RD22: without it there is no reference, and nothing is placed', () => {
    const world = new VirtualWorld({ seed: 11, level: 0 });
    world.isMarketAway = true;
    world.begin();
    world.pass(60);
    expect(placed(world)).toBe(0);
    expect(world.engine?.reconciler.isBalanced).toBe(true);
  });
});

describe('the end of a stream', () => {
  const tellEnds = (world: VirtualWorld, end: StreamEnd, count: number): void => {
    for (let inARow = 1; inARow <= count; inARow++)
      world.tell({ kind: 'user-closed', reason: 'told', end, inARow });
    world.pass(5);
  };

  test('M11: for too many sessions is one incident', () => {
    const world = begin({ strategy: strategyOf() });
    tellEnds(world, 'session-limit', 3);
    expect(incidentsOf(world)).toEqual(['SESSION_LIMIT']);
  });

  test('M12: without a word, three times, makes one call ask whether it is the key', () => {
    const world = begin({ strategy: strategyOf() });
    world.simulator.control({ kind: 'revoke-key', keyId: botKey.id }, world.time.nowMicros);
    tellEnds(world, 'unanswered', 3);
    const state = world.reports.tradingStates().find(({ scope }) => scope === 'bot');
    expect(state).toMatchObject({ state: 'HALTED', reason: expect.stringContaining('key') });
  });

  test('M12: with a key that is good, says that the stream is the trouble, and trades on', () => {
    const world = begin({ strategy: strategyOf() });
    const asked = world.witness.calls.get('balance') ?? 0;
    tellEnds(world, 'unanswered', 2);
    expect(incidentsOf(world)).toEqual([]);
    tellEnds(world, 'refused-key', 7);
    expect(incidentsOf(world)).toEqual(['STREAM_REFUSED']);
    expect(world.witness.calls.get('balance')).toBeLessThan(asked + 4);
    expect(world.reports.tradingStates()).toEqual([]);
  });
});

describe('a market that changes while the bot runs', () => {
  const changed = (from: RegExp, to: string): Partial<WorldOptions> => ({
    rewrite: (source, text) => (source === 'markets' ? text.replace(from, to) : text),
  });

  test.each(['CLOSED_FOR_LUNCH', 'UNKNOWN'])(
    'RD25: listed as %s it is closed to new orders, whatever the stream says',
    (status) => {
      const world = begin({
        ...changed(/"trading_status":"ACTIVE"/u, `"trading_status":"${status}"`),
        withChaos: false,
      });
      expect(placed(world)).toBeGreaterThan(0);
      world.pass(60);
      const count = placed(world);
      world.pass(50);
      expect(placed(world)).toBe(count);
      expect(world.witness.violations).toEqual([]);
    },
  );

  test.each(['POST_ONLY', 'SUSPENDED'] as const)(
    'RD25: a maker goes on quoting while the exchange says %s, on the stream and in the list',
    (status) => {
      const world = begin({ withChaos: false, onRestart: 'cancel' });
      world.outside.closeMarket(status, 200);
      const count = placed(world);
      // The list is read after a minute. Then trades are too old: nobody takes in such a market.
      world.pass(90);
      expect(placed(world)).toBeGreaterThan(count);
      expect(world.reports.refusalCounts(0).map(({ code }) => code)).toEqual(['TRADES_STALE']);
      world.kill();
      while (world.lives < 2) world.pass(1);
      const later = placed(world);
      world.pass(20);
      expect(placed(world)).toBeGreaterThan(later);
      expect(world.witness.violations).toEqual([]);
    },
  );

  test.each([
    ['price', /"price_scale":\d+/u, '"price_scale":1'],
    ['volume', /"volume_scale":\d+/u, '"volume_scale":8'],
  ])(
    'RD25: with another scale of its %s it is halted, and its orders are taken back',
    (_, from, to) => {
      const world = begin({ ...changed(from, to), withChaos: false });
      world.pass(70);
      expect(incidentsOf(world)).toEqual(['MARKET_CHANGED']);
      const state = world.reports.tradingStates().find(({ scope }) => scope === 'pair:XBTZAR');
      expect(state?.state).toBe('HALTED');
      const { orders } = world.simulator.truth('desk');
      expect(orders.filter((order) => order.status === 'PENDING')).toEqual([]);
      expect(world.witness.violations).toEqual([]);
    },
  );

  test('RD25: with a higher least volume it takes no smaller order', () => {
    const world = begin({
      ...changed(/"min_volume":"[^"]*"/u, '"min_volume":"0.005"'),
      withChaos: false,
    });
    world.pass(60);
    const count = placed(world);
    world.pass(50);
    expect(placed(world)).toBe(count);
    expect(world.reports.refusalCounts(0).map(({ code }) => code)).toContain('VOLUME_RANGE');
  });

  test('RD26: other fees are read, and each fill carries what was paid', () => {
    const world = begin({
      strategy: strategyOf(1.002),
      rewrite: (source, text) =>
        source === 'feeInfo' ? text.replace(/("maker_fee":)"[^"]*"/u, '$1"0.0042"') : text,
    });
    expect(world.engine?.markets.get('XBTZAR')?.fees.maker).toBe(0.0005);
    world.pass(670);
    expect(world.engine?.markets.get('XBTZAR')?.fees.maker).toBe(0.0042);
    const [fill] = world.reports.fills();
    expect(Number(fill?.feeBase) / Number(fill?.base)).toBeCloseTo(0.001, 12);
  });
});

describe('reads', { timeout: 60_000 }, () => {
  test('RD2: an order is asked for by exactly one of its ids, and nothing undeclared is read', () => {
    const parameters: string[] = [];
    const calls = new Set<string>();
    for (const seed of [21, 22, 23]) {
      const world = new VirtualWorld({
        seed,
        level: 0.6,
        log: (line) => {
          const [, asked] = line.split('→ getOrderV3 ');
          if (asked !== undefined) parameters.push(asked);
        },
      });
      expect(world.run().violations).toEqual([]);
      for (const name of world.witness.calls.keys()) calls.add(name);
    }
    expect(parameters.length).toBeGreaterThan(10);
    for (const one of parameters) expect(Object.keys(JSON.parse(one))).toHaveLength(1);
    const known = ['postorder', 'stoporder', 'getOrderV3', 'listOrdersV2', 'listtrades'];
    // Neither entries that may still change, nor public trades, nor candles decide anything.
    known.push('transactions', 'balance', 'markets', 'feeInfo');
    expect([...calls].filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each<[string, Partial<Record<Knob, number>>]>([
    ['RD3: go backwards', { 'reads.backwards': 1, 'user.drop': 1 }],
    ['RD9: lag and come out of order', { 'lag.trades': 1, 'user.drop': 1 }],
    ['RD11: come in parts', { 'reads.partialPage': 1 }],
    ['RD27: are damaged', { 'res.mutate': 0.5 }],
  ])('%s, and the books are right in the end', (_name, rates) => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const result = runWorld({ seed, level: 1, stormSeconds: 40, ...only(rates) });
      expect(result.violations, `seed ${seed}`).toEqual([]);
      expect(result.fills).toBeGreaterThan(0);
    }
  });

  test.each<[string, (text: string) => string]>([
    ['a gap', (text) => text.replace(/"row_index":9,/u, '"row_index":10,')],
    ['a changed row', (text) => text.replace(/("row_index":9,.*?"balance_delta":)"/u, '$1"1')],
  ])(
    'RD18: %s in the ledger halts the bot; its orders are stopped, its fills still booked',
    (_, damage) => {
      const world = begin({
        rewrite: (source, text) => (source === 'transactions' ? damage(text) : text),
      });
      world.pass(60);
      expect(incidentsOf(world).filter((code) => code !== 'DOES_NOT_BALANCE')).toEqual([
        'LEDGER_BROKEN',
      ]);
      const state = world.reports.tradingStates().find(({ scope }) => scope === 'bot');
      expect(state?.state).toBe('HALTED');
      const count = placed(world);
      world.pass(30);
      expect(placed(world)).toBe(count);
      expect(world.witness.violations).toEqual([]);
    },
  );

  test.each([
    ['RD20: entries that may still change', 'listPending'],
    ['RD23: public trades', 'trades'],
  ])('%s decide nothing: they are not asked for', (_name, operation) => {
    const world = new VirtualWorld({ seed: 24, level: 0.6 });
    expect(world.run().violations).toEqual([]);
    expect(operations).toHaveProperty(operation);
    expect([...world.witness.calls.keys()]).not.toContain(operation);
  });

  test('rows of trades of others are explained once, not at every start', () => {
    const world = begin({ strategy: strategyOf() });
    const byHand = new Caller(world.simulator, botKey, world.time.nowMicros);
    for (let n = 0; n < 5; n++) byHand.place('BID', 1_040_000, '0.001');
    world.pass(30);
    expect(restoredOf(world)).toMatchObject({ looseRows: [], unproven: [] });
    expect(restoredOf(world).foreignTrades.length).toBeGreaterThan(4);
    world.kill();
    world.pass(100);
    expect(restoredOf(world).looseRows).toEqual([]);
    expect(world.engine?.fills.proofs.openCount).toBe(0);
    expect(incidentsOf(world)).toEqual([]);
  });

  test.each([
    ['transactions', 'the ledger'],
    ['listtrades', 'the list of trades'],
  ])('a comparison that cannot be made for want of %s says why', (operation, name) => {
    const lines: string[] = [];
    const failed = { status: 503, headers: {}, body: '{"error_code":"ErrInternal","error":"no"}' };
    const world = begin({
      tamper: (request, made) => (request.operation === operation ? failed : made),
      onNotice: (line) => lines.push(line),
    });
    expect(lines.join('\n')).toContain(`${name} cannot be read: 503 ErrInternal; trying again`);
    expect(placed(world)).toBe(0);
  });

  test('a deposit is a row like any other', () => {
    const result = runWorld({ seed: 3, level: 1, ...only({ 'ledger.externalRow': 1 }) });
    expect(result.violations).toEqual([]);
    expect(result.faults['ledger.externalRow']).toBeGreaterThan(10);
  });
});
