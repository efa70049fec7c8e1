/** The gate, its breakers and the watch over resting orders, in the whole bot in virtual time. */
import { from, merge, mergeMap, NEVER, of, throwError } from 'rxjs';
import { expect, test } from 'vitest';
import type { Intent, Lots, Ticks } from '../../src/index.ts';
import { runGatePart } from '../prove/gate-worker.ts';
import {
  begin,
  codes,
  incidents,
  once,
  placeAt,
  posts,
  stateOf,
  strategyOf,
} from '../support/scripted-world.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

const proofs = (world: VirtualWorld): string =>
  world.reports
    .orders()
    .flatMap(({ intentId }) => world.reports.historyOf(intentId)?.evidence ?? [])
    .map(({ proof }) => proof)
    .join('; ');

test('G1: a strategy that throws is stopped, its orders are cancelled with the reason, and the bot lives', () => {
  const world = begin((context, market) =>
    merge(
      once(context, 1_000).pipe(mergeMap(() => of(placeAt(market, 0.97)))),
      once(context, 4_000).pipe(mergeMap(() => throwError(() => new Error('bang')))),
    ),
  );
  world.pass(5);
  expect(incidents(world)).toContain('STRATEGY_STOPPED');
  expect(posts(world)).toBe(1);
  expect(world.reports.openOrders()).toEqual([]);
  expect(proofs(world)).toContain('cancel requested: strategy stopped: threw');
  expect(world.engine?.reconciler.isBalanced).toBe(true);
});

test('G2: the same intent twice, in one event, later and after a restart, is one order', () => {
  const world = begin((context, market) =>
    merge(
      context.every(1_000).pipe(mergeMap(() => of(placeAt(market, 0.97, { key: 'one' })))),
      once(context, 2_000).pipe(
        mergeMap(() => [
          placeAt(market, 0.97, { key: 'two' }),
          placeAt(market, 0.96, { key: 'two' }),
        ]),
      ),
    ),
  );
  world.kill();
  world.pass(45);
  expect(world.lives).toBe(2);
  expect(world.reports.orders().map(({ key }) => key)).toEqual(['one', 'two']);
  expect(posts(world)).toBe(2);
});

test.each([
  ['NaN', { price: Number.NaN }],
  ['negative', { price: -1 }],
  ['an exponent', { volume: '1e3' }],
  ['30 decimals', { volume: 1 / 3 }],
  ['beyond 2^53', { volume: 2 ** 60 }],
  ['a prototype', { volume: JSON.parse('{"__proto__":{"valueOf":1}}') as unknown }],
])('G5: an intent with %s sends nothing and harms nobody', (_what, terms) => {
  const world = begin((context) =>
    once(context, 1_000).pipe(
      mergeMap(() =>
        of({
          kind: 'place',
          pair: 'XBTZAR',
          key: 'k',
          terms: { side: 'BID', price: -5, volume: 1_000, ...terms },
          reason: 'x',
        } as unknown as Intent),
      ),
    ),
  );
  expect(posts(world)).toBe(0);
  expect(codes(world)).toEqual(['INVALID_INTENT']);
  expect(incidents(world)).not.toContain('STRATEGY_STOPPED');
});

test('G6: an intent out of a promise, which no replay could repeat, stops the strategy', async () => {
  const outside = Promise.withResolvers<Intent>();
  const world = begin(() => merge(NEVER, from(outside.promise)));
  outside.resolve({ kind: 'cancelAll', pair: 'XBTZAR', reason: 'from outside' });
  await outside.promise;
  await Promise.resolve();
  world.pass(1);
  expect(incidents(world)).toContain('STRATEGY_STOPPED');
  expect(posts(world)).toBe(0);
});

test('G12: a market that closes takes no order, its open ones are still followed, and it opens again', () => {
  const world = begin((context, market) =>
    context.every(1_000).pipe(mergeMap(() => of(placeAt(market, 0.97)))),
  );
  const before = world.reports.openOrders().length;
  expect(before).toBeGreaterThan(0);
  const set = (status: 'DISABLED' | 'ACTIVE'): void => {
    world.simulator.control({ kind: 'set-status', pair: 'XBTZAR', status }, world.time.nowMicros);
    world.pass(1);
  };
  set('DISABLED');
  const sent = posts(world);
  world.pass(6);
  expect(posts(world) - sent).toBeLessThanOrEqual(1);
  expect(codes(world)).toContain('MARKET_STATUS');
  expect(world.reports.openOrders().length).toBeGreaterThan(0);
  expect(world.engine?.reconciler.isBalanced).toBe(true);
  set('ACTIVE');
  world.pass(5);
  expect(posts(world)).toBeGreaterThan(sent + 1);
});

test('G13: an order whose price leaves the collar while it rests is cancelled, and is not placed anew', () => {
  // Within the collar of the gate at first; the market moves away from under it.
  const world = begin(
    (context, market) =>
      once(context, 1_000).pipe(
        mergeMap(() => {
          const mid = ((market.top?.bid ?? 0) + (market.top?.ask ?? 0)) / 2;
          const price = market.round(mid * 0.9995, 'down') as Ticks;
          const order = { side: 'BID', price, volume: 1_000 as Lots, postOnly: true } as const;
          return of<Intent>({
            ...{ kind: 'quote', pair: market.pair, reason: 'test' },
            orders: [{ ...order, level: 'far' }],
          });
        }),
      ),
    {
      seed: 12,
      limits: (usual) => ({
        ...usual,
        pairs: {
          XBTZAR: {
            ...(usual.pairs['XBTZAR'] as NonNullable<(typeof usual.pairs)['XBTZAR']>),
            collar: '0.0008',
          },
        },
      }),
    },
    3,
  );
  for (
    let tries = 0;
    tries < 200 && !proofs(world).includes('its price differs from the mid');
    tries++
  )
    world.pass(1);
  expect(proofs(world)).toMatch(
    /at-trade check: its price differs .* by 0\.00\d+ of the mid, but the limit is 0\.0008/u,
  );
});

test('G13: an order that rests for too long is cancelled with the reason', () => {
  const world = begin(
    (context, market) => once(context, 1_000).pipe(mergeMap(() => of(placeAt(market, 0.97)))),
    { limits: (usual) => ({ ...usual, account: { ...usual.account, orderAgeMsMax: 5_000 } }) },
    12,
  );
  expect(proofs(world)).toContain('at-trade check: it has rested for');
  expect(world.reports.openOrders()).toEqual([]);
});

test('G14: a deposit is a flow from outside: counted, an incident if it is large, and nothing halts', () => {
  const world = begin((context, market) =>
    context.every(2_000).pipe(mergeMap(() => of(placeAt(market, 0.97)))),
  );
  const accountId = world.settings.accounts['ZAR'] ?? '';
  const budget = Number(world.settings.strategies[0]?.budget['ZAR']);
  const flows = () => world.reports.incidents(50).filter(({ code }) => code === 'EXTERNAL_FLOW');
  const deposit = (amount: number): void => {
    const told = { kind: 'deposit', accountId, amount: String(amount) } as const;
    world.simulator.control(told, world.time.nowMicros);
    world.pass(40);
  };
  deposit(budget * 0.1);
  expect(flows()).toEqual([]);
  deposit(budget * 0.1 + 0.5);
  expect(flows()).toHaveLength(1);
  expect(world.engine?.reconciler.isBalanced).toBe(true);
  expect(stateOf(world, 'bot') ?? 'ACTIVE').toBe('ACTIVE');
  const sum = world.reports.otherFlows().find((one) => one.accountId === accountId)?.sum;
  expect(Number(sum)).toBeGreaterThanOrEqual(budget * 0.2 + 0.5);
});

test('A24: two orders in one moment that are too much together: the first passes, the second is refused', () => {
  const world = begin(
    (context, market) =>
      once(context, 1_000).pipe(
        mergeMap(() => [
          placeAt(market, 0.97, { key: 'a', volume: 9_000 }),
          placeAt(market, 0.96, { key: 'b', volume: 9_000 }),
        ]),
      ),
    {
      limits: (usual) => ({
        ...usual,
        account: { ...usual.account, openNotionalMax: { ZAR: '10000' } },
      }),
    },
  );
  expect(world.reports.orders().map(({ key }) => key)).toEqual(['a']);
  expect(codes(world)).toContain('OPEN_NOTIONAL');
});

test('A27: no order names a leverage or a margin, and only the configured accounts are used', () => {
  const sent: Readonly<Record<string, unknown>>[] = [];
  const world = new VirtualWorld({
    seed: 11,
    level: 0,
    strategy: strategyOf((context, market) =>
      context.every(1_000).pipe(mergeMap(() => of(placeAt(market, 0.97)))),
    ),
  });
  const leave = world.witness.onLeave.bind(world.witness);
  world.witness.onLeave = (request) => {
    if (request.operation === 'postorder') sent.push(request.parameters);
    leave(request);
  };
  world.begin();
  world.pass(5);
  const { XBT, ZAR } = world.settings.accounts;
  expect(sent.length).toBeGreaterThan(0);
  for (const parameters of sent) {
    expect(Object.keys(parameters).join()).not.toMatch(/lever|margin/iu);
    expect(parameters).toMatchObject({ base_account_id: XBT, counter_account_id: ZAR });
  }
});

test('a slice of the proof: after the switch is pulled no order leaves, and all of ours are gone', () => {
  const { ordersWhileHalted, openAfterHalt, ordersBefore, notes } = runGatePart({
    ...{ kind: 'halts', from: 1, to: 6 },
  });
  expect([ordersWhileHalted, openAfterHalt, notes]).toEqual([0, 0, []]);
  expect(ordersBefore).toBeGreaterThan(5);
});
