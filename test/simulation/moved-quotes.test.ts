/** A moved quote: its new order leaves with the cancel of the old one where limits allow both. */
import { filter, map, merge } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Intent, Lots, MarketContext, Ticks } from '../../src/index.ts';
import { begin } from '../support/scripted-world.ts';
import { virtualSimulator } from '../support/virtual-bot.ts';
import type { Fate, Tamper, WorldOptions } from '../support/virtual-run.ts';
import { runWorld } from '../support/virtual-world.ts';

const everyMs = 2_000;

/** A bid of 0.001 XBT far below the market, at another price each time. */
function bidAt(market: MarketContext, count: number, share = 0.98): Intent {
  const bid = market.top?.bid ?? 1_000_000;
  const price = market.round(bid * (share + count * 0.0005), 'down') as Ticks;
  const order = { level: 'bid', side: 'BID' as const, price, volume: 1_000 as Lots };
  return { kind: 'quote', pair: market.pair, orders: [order], reason: `move ${count}` };
}

type Sent = { readonly operation: string; readonly atMicros: number };

/** Moves a bid `moves` times; returns the world, and every order and stop as it was sent. */
function moved(options: Partial<WorldOptions> = {}, moves = 6, asked: { onMove?: 'cancel' } = {}) {
  const sent: Sent[] = [];
  const { fate, ...rest } = options;
  const world = begin(
    (context, market) =>
      context.every(everyMs).pipe(
        filter((_nowMs, index) => index < moves),
        map((_nowMs, index) => ({ ...bidAt(market, index), ...asked })),
      ),
    {
      ...rest,
      fate: (request, isStorm) => {
        const { operation } = request;
        if (operation === 'postorder' || operation === 'stoporder')
          sent.push({ operation, atMicros: world?.time.nowMicros ?? 0 });
        return fate?.(request, isStorm);
      },
    },
    0,
  );
  return { world, sent };
}

/** The smallest time between two requests: an answer takes longer than a turn of the loop. */
function smallestGapMicros(sent: readonly Sent[]): number {
  const gaps = sent.slice(1).map(({ atMicros }, index) => atMicros - (sent[index]?.atMicros ?? 0));
  return Math.min(...gaps);
}

/** Makes the first request of an operation after `skipped` others meet a fate. */
function nth(operation: string, skipped: number, what: ReturnType<Fate>): Fate {
  let seen = 0;
  return (request) => (request.operation === operation && seen++ === skipped ? what : undefined);
}

/** Changes the first answer to an operation. */
function first(operation: string, change: Parameters<Tamper>[1]): Tamper {
  let isFirst = true;
  return (request, made) => {
    if (request.operation !== operation || !isFirst) return made;
    isFirst = false;
    return change;
  };
}

const refusal = (status: number, code: string): Parameters<Tamper>[1] => ({
  status,
  headers: {},
  body: JSON.stringify({ error: 'no', error_code: code }),
});

/** Repeats one quote, except that the third decision is another intent. */
function repeating(third: (market: MarketContext) => Intent | undefined) {
  const placed: number[] = [];
  const world = begin(
    (context, market) => {
      let quote: Intent | undefined;
      return context.every(everyMs).pipe(
        map((_nowMs, index) => {
          quote ??= bidAt(market, 0);
          return index === 2 ? (third(market) ?? quote) : quote;
        }),
      );
    },
    {
      fate: ({ operation }) => {
        if (operation === 'postorder') placed.push(world?.time.nowMicros ?? 0);
        return undefined;
      },
    },
    0,
  );
  return { world, placed };
}

describe('a repeated quote', () => {
  const pair = 'XBTZAR';
  test.each<[string, number, Parameters<typeof repeating>[0]]>([
    ['asks for nothing', 1, () => undefined],
    ['is idle in between', 1, () => ({ kind: 'idle', pair, reason: 'waits' })],
    ['comes back after a withdrawal', 2, () => ({ kind: 'cancelAll', pair, reason: 'stops' })],
    [
      'comes back after an empty quote',
      2,
      () => ({ kind: 'quote', pair, orders: [], reason: 'no' }),
    ],
    [
      'replaces an order that was cancelled by its key',
      2,
      ({ orders }) => ({ kind: 'cancel', pair, key: orders[0]?.key ?? '', reason: 'anew' }),
    ],
  ])('%s', (_name, count, third) => {
    const { world, placed } = repeating(third);
    world.pass(30);
    expect(placed).toHaveLength(count);
    expect(world.engine?.orders.tracker.live.map(({ state }) => state)).toEqual(['open']);
  });
});

describe('a moved quote', () => {
  test('leaves as two calls at once, and needs no read of its own', () => {
    const { world, sent } = moved();
    world.pass(10);
    const moves = sent.slice(1);
    expect(moves.length).toBeGreaterThanOrEqual(6);
    for (let index = 0; index + 1 < moves.length; index += 2) {
      const pair = [moves[index], moves[index + 1]];
      expect(new Set(pair.map((one) => one?.operation))).toEqual(
        new Set(['postorder', 'stoporder']),
      );
      // The second leaves in the next turn of the loop.
      expect((pair[1]?.atMicros ?? 0) - (pair[0]?.atMicros ?? 0)).toBeLessThan(1_000);
    }
    const stops = world.witness.calls.get('stoporder') ?? 0;
    expect(stops).toBeGreaterThan(2);
    // The lag of reads is measured with the first orders; no order's end is read singly.
    expect(world.witness.calls.get('getOrderV3') ?? 0).toBeLessThanOrEqual(5);
    world.pass(60);
    expect(world.reports.openOrders()).toHaveLength(1);
    world.end();
    expect(world.witness.violations).toEqual([]);
  });

  test('that moves while its order is being sent is replaced when the exchange has answered', () => {
    const sent: Sent[] = [];
    const world = begin(
      (context, market) =>
        // The second price comes 3 ms after the first.
        merge(
          context.every(1_000).pipe(
            filter((_nowMs, index) => index === 2),
            map(() => bidAt(market, 0)),
          ),
          context.every(1_001).pipe(
            filter((_nowMs, index) => index === 2),
            map(() => bidAt(market, 1)),
          ),
        ),
      {
        fate: ({ operation }) => {
          if (operation === 'postorder' || operation === 'stoporder')
            sent.push({ operation, atMicros: world.time.nowMicros });
          return undefined;
        },
      },
      0,
    );
    world.pass(8);
    expect(sent.map(({ operation }) => operation)).toEqual([
      ...['postorder', 'postorder', 'stoporder'],
    ]);
    const [first, second, third] = sent.map(({ atMicros }) => atMicros);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(1_500);
    expect((third ?? 0) - (second ?? 0)).toBeLessThan(1_000);
    expect(world.reports.openOrders()).toHaveLength(1);
    expect(world.witness.violations).toEqual([]);
  });

  test.each<[string, Partial<WorldOptions>, { onMove?: 'cancel' }]>([
    ['the settings', { onMove: 'cancel' }, {}],
    ['the quote', {}, { onMove: 'cancel' }],
  ])('with onMove: cancel in %s never has two orders at the exchange', (_where, options, asked) => {
    const { world, sent } = moved(options, 6, asked);
    world.pass(12);
    const order = sent.map(({ operation }) => operation);
    expect(order.slice(0, 5)).toEqual([
      ...['postorder', 'stoporder', 'postorder', 'stoporder', 'postorder'],
    ]);
    expect(smallestGapMicros(sent)).toBeGreaterThan(2_000);
    expect(world.witness.violations).toEqual([]);
  });

  test.each<[string, object, object]>([
    ['open orders', { ordersOpenMax: 1 }, {}],
    ['the open value', { openNotionalMax: { ZAR: '1500' } }, {}],
    ['the position', {}, { positionBaseMax: '0.0015' }],
  ])(
    'cancels first where the limit of %s carries only one order, without a refusal',
    (_name, account, pair) => {
      const { world, sent } = moved({
        limits: (usual) => ({
          ...usual,
          account: { ...usual.account, ...account },
          pairs: Object.fromEntries(
            Object.entries(usual.pairs).map(([name, limit]) => [name, { ...limit, ...pair }]),
          ),
        }),
      });
      world.pass(12);
      expect(sent.length).toBeGreaterThan(5);
      expect(smallestGapMicros(sent)).toBeGreaterThan(2_000);
      expect(world.reports.refusalCounts(0)).toEqual([]);
      expect(world.witness.violations).toEqual([]);
    },
  );

  test('follows its cancel at once where the account can pay for only one order', () => {
    const users = virtualSimulator.users.map((user) => ({
      ...user,
      deposits: { XBT: '1', ZAR: '1500' },
    }));
    const { world, sent } = moved({ exchange: { ...virtualSimulator, users } }, 10);
    // The first balance that has the reservation comes with the second read of the ledger.
    world.pass(24);
    const last = sent.slice(-10);
    expect(last.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 5 }, () => ['stoporder', 'postorder']).flat(),
    );
    for (let index = 0; index < last.length; index += 2) {
      const [cancel, order] = [last[index], last[index + 1]];
      expect((order?.atMicros ?? 0) - (cancel?.atMicros ?? 0)).toBeLessThan(1_000_000);
    }
    expect(world.reports.refusalCounts(0)).toEqual([]);
    expect(world.witness.violations).toEqual([]);
  });

  test('rests at its old price while a limit of orders per minute has no room for the new one', () => {
    const { world } = moved(
      {
        limits: (usual) => ({ ...usual, account: { ...usual.account, ordersPerMinuteMax: 3 } }),
      },
      40,
    );
    world.pass(40);
    const [wait] = world.engine?.waits.all() ?? [];
    expect(wait).toMatchObject({ reason: 'order rate', side: 'BID' });
    expect(wait?.text).toMatch(
      /for the limits of orders per second and minute.* rests until then$/u,
    );
    for (let second = 0; second < 30; second++) {
      world.pass(1);
      expect(world.reports.openOrders().length).toBeGreaterThan(0);
    }
    // A minute later, quotes move again.
    expect(world.reports.orders().length).toBeGreaterThan(4);
    expect(world.reports.refusalCounts(0)).toEqual([]);
    expect(world.witness.violations).toEqual([]);
  });

  test.each<[string, Partial<WorldOptions>]>([
    ['a cancel that is lost', { fate: nth('stoporder', 1, 'lost') }],
    ['a cancel that is late', { fate: nth('stoporder', 1, 3_000) }],
    ['an order that is lost', { fate: nth('postorder', 2, 'lost') }],
    ['an order that is late', { fate: nth('postorder', 2, 1_500) }],
    ['a cancel that is refused', { tamper: first('stoporder', refusal(400, 'ErrInternal')) }],
    ['429 for the cancel', { tamper: first('stoporder', refusal(429, 'ErrTooManyRequests')) }],
    [
      'a user stream that is silent',
      { rewrite: (source, text) => (source === 'user' ? '' : text) },
    ],
  ])('through %s ends with one order', (_name, options) => {
    const { world } = moved(options);
    world.pass(60);
    expect(world.reports.openOrders()).toHaveLength(1);
    const open = world.simulator.truth('desk').orders.filter(({ status }) => status === 'PENDING');
    expect(open).toHaveLength(1);
    expect(world.reports.tradingStates()).toEqual([]);
    world.end();
    expect(world.witness.violations.filter((one) => !one.startsWith('incident'))).toEqual([]);
  });
});

describe('a market maker whose quotes move every second', () => {
  test.each(['overlap', 'cancel'] as const)(
    'C10: with onMove: %s keeps every promise',
    (onMove) => {
      const options = { seed: 31, level: 0, stormSeconds: 20, withChaos: false };
      const result = runWorld({ ...options, onMove, refresh: '1s', halfSpread: '6bps' });
      // The witness counts the orders of each quote level whenever the exchange accepts one (I10).
      expect(result.violations).toEqual([]);
      expect(result.states['cancelled']).toBeGreaterThan(5);
    },
  );

  test('both orders of a move may fill at once, within the limits', () => {
    let both = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const result = runWorld({
        ...{ seed, level: 0, stormSeconds: 40, withChaos: false, onMove: 'overlap' as const },
        ...{ refresh: '1s', halfSpread: '1bps' },
      });
      expect(result.violations, `seed ${seed}`).toEqual([]);
      both += result.fills;
    }
    expect(both).toBeGreaterThan(50);
  });
});
