/** Breakers, losses and approvals of the gate, in the whole bot in virtual time. */
import { mergeMap, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { recordsFor } from '../../src/cli/commands/operator-command.ts';
import type { Intent, Lots, Ticks } from '../../src/index.ts';
import {
  begin,
  codes,
  incidents,
  keysGiven,
  once,
  placeAt,
  posts,
  type Run,
  stateOf,
} from '../support/scripted-world.ts';
import type { WorldOptions } from '../support/virtual-run.ts';
import type { VirtualWorld } from '../support/virtual-world.ts';

describe('G3: a storm of intents', () => {
  const storm: Run = (context, market) =>
    context
      .every(20)
      .pipe(mergeMap(() => of(placeAt(market, 0.97, { volume: 500 + (keysGiven() % 90) }))));
  const limits: WorldOptions['limits'] = (usual) => ({
    ...usual,
    eachStrategy: {
      ...usual.eachStrategy,
      ordersPerSecondMax: 3,
      refusals: { max: 40, withinMs: 10_000, action: 'halt' },
    },
  });

  test('G3: is throttled, then its strategy is halted, until a person resumes', () => {
    const world = begin(storm, { limits }, 6);
    expect(posts(world)).toBeLessThanOrEqual(10);
    expect(codes(world)).toContain('STRATEGY_PER_SECOND');
    expect(stateOf(world, 'strategy:own')).toBe('HALTED');
    expect(incidents(world)).toContain('BREAKER');
    const before = posts(world);
    world.pass(5);
    world.kill();
    world.pass(45);
    // It outlives the process.
    expect(stateOf(world, 'strategy:own')).toBe('HALTED');
    expect(posts(world)).toBe(before);
    world.tell({ kind: 'operator', command: 'resume', reason: 'looked at it' });
    world.pass(2);
    expect(posts(world)).toBeGreaterThan(before);
  });
});

describe('G4: orders that are rejected again and again', () => {
  const atMostFive: WorldOptions['limits'] = (usual) => ({
    ...usual,
    eachStrategy: {
      ...usual.eachStrategy,
      rejections: { max: 5, withinMs: 60_000, action: 'halt' },
    },
  });

  test('G4: post-only orders that would trade: each after the first in a row counts', () => {
    const world = begin(
      (context, market) => context.every(280).pipe(mergeMap(() => of(placeAt(market, 1.002)))),
      { limits: atMostFive },
      19,
    );
    expect(stateOf(world, 'strategy:own')).toBe('HALTED');
    expect(incidents(world)).toEqual(['BREAKER']);
    expect(posts(world)).toBe(7);
  });

  test('G4: post-only orders that would trade, each after one that rests, are the market: none counts', () => {
    const world = begin(
      (context, market) =>
        context
          .every(600)
          .pipe(mergeMap((beat) => of(placeAt(market, beat % 2 === 0 ? 1.002 : 0.97)))),
      { limits: atMostFive, isRoomy: true },
      19,
    );
    expect(stateOf(world, 'strategy:own')).toBeUndefined();
    expect(posts(world)).toBeGreaterThan(25);
  });

  test('G4: the exchange rejects: the breaker halts the strategy and counts across a restart', () => {
    const world = begin(
      (context, market) => context.every(500).pipe(mergeMap(() => of(placeAt(market, 0.97)))),
      {
        limits: (usual) => ({
          ...usual,
          eachStrategy: {
            ...usual.eachStrategy,
            rejections: { max: 3, withinMs: 600_000, action: 'halt' },
          },
        }),
      },
      0,
    );
    const reject = (): void =>
      void world.simulator.control(
        { kind: 'fail-next', operation: 'postorder', code: 'ErrInsufficientBalance' },
        world.time.nowMicros,
      );
    for (let tries = 0; tries < 40 && stateOf(world, 'strategy:own') !== 'HALTED'; tries++) {
      reject();
      world.pass(0.5);
      if (tries === 10) {
        world.kill();
        world.pass(40);
      }
    }
    expect(stateOf(world, 'strategy:own')).toBe('HALTED');
    const rejected = world.reports.orderCounts().rejected ?? 0;
    expect(rejected).toBeGreaterThanOrEqual(4);
    world.pass(20);
    expect(world.reports.orderCounts().rejected).toBe(rejected);
  });

  test('G4: the money is not there: nothing leaves, and the strategy is halted', () => {
    const world = begin(
      (context, market) =>
        context.every(100).pipe(mergeMap(() => of(placeAt(market, 0.97, { volume: 9_999 })))),
      {
        limits: (usual) => ({
          ...usual,
          account: { ...usual.account, feeBuffer: '1' },
          eachStrategy: {
            ...usual.eachStrategy,
            openNotionalMax: { ZAR: '1' },
            refusals: { max: 20, withinMs: 60_000, action: 'halt' },
          },
        }),
      },
      8,
    );
    expect(posts(world)).toBe(0);
    expect(stateOf(world, 'strategy:own')).toBe('HALTED');
    expect(world.reports.refused(0, 100).length).toBeLessThan(50);
  });
});

describe('a person who resumes what a breaker halted', () => {
  const rejections = { max: 3, withinMs: 600_000, action: 'halt' } as const;
  const options: Partial<WorldOptions> = {
    isRoomy: true,
    limits: (usual) => ({ ...usual, eachStrategy: { ...usual.eachStrategy, rejections } }),
  };
  const steady: Run = (context, market) =>
    context.every(500).pipe(mergeMap(() => of(placeAt(market, 0.97))));
  const reject = (world: VirtualWorld): void => {
    world.simulator.control(
      { kind: 'fail-next', operation: 'postorder', code: 'ErrInsufficientBalance' },
      world.time.nowMicros,
    );
    world.pass(0.5);
  };
  const haltedWorld = (): VirtualWorld => {
    const world = begin(steady, options, 2);
    for (let tries = 0; tries < 20 && stateOf(world, 'strategy:own') !== 'HALTED'; tries++)
      reject(world);
    expect(stateOf(world, 'strategy:own')).toBe('HALTED');
    return world;
  };

  test('by the name of its strategy has the breaker count from then, also after a restart', () => {
    const world = haltedWorld();
    const before = posts(world);
    const scope = 'strategy:own';
    world.tell({ kind: 'operator', command: 'resume', scope, reason: 'looked at it' });
    world.pass(2);
    expect(posts(world)).toBeGreaterThan(before);
    reject(world);
    expect(stateOf(world, scope)).toBe('ACTIVE');
    world.kill();
    world.pass(45);
    expect(stateOf(world, scope)).toBe('ACTIVE');
    for (let tries = 0; tries < 20 && stateOf(world, scope) !== 'HALTED'; tries++) reject(world);
    expect(stateOf(world, scope)).toBe('HALTED');
  });

  test('is told that a scope which is open trades no more than the whole bot', () => {
    const told: string[] = [];
    const world = begin(steady, { ...options, onOperated: ({ text }) => void told.push(text) }, 2);
    const say = (command: 'halt' | 'resume', scope?: string): void => {
      const ofScope = scope === undefined ? {} : { scope };
      world.tell({ kind: 'operator', command, ...ofScope, reason: 'a test', ticket: 1 });
      world.pass(1);
    };
    say('halt');
    say('resume', 'strategy:own');
    expect(told.at(-1)).toBe(
      'strategy:own is ACTIVE, but cannot trade while bot is HALTED; resume without a scope to resume all',
    );
    say('resume');
    say('resume', 'strategy:own');
    expect(told.at(-1)).toBe('strategy:own may trade again');
  });

  test.each([undefined, 'strategy:own'])('%s while no bot runs has it start anew', (scope) => {
    const world = haltedWorld();
    const before = posts(world);
    world.kill();
    const closed = world.reports.tradingStates().filter(({ state }) => state !== 'ACTIVE');
    const atMs = Math.floor(world.time.nowMicros / 1000);
    const command = { command: 'resume', reason: 'looked at it', scope } as const;
    world.memory.commit(recordsFor(command, { atMs, closed }), world.memory.commitNumber + 1);
    world.pass(45);
    expect(stateOf(world, 'strategy:own')).toBe('ACTIVE');
    expect(posts(world)).toBeGreaterThan(before);
  });
});

describe('a loss', () => {
  test.each(['cancel', 'reduce', 'halt'] as const)(
    'at which the bot is to %s does so, and what is kept survives',
    (onLoss) => {
      const world = begin(
        (context, market) =>
          context.every(1_000).pipe(
            mergeMap(() => [
              placeAt(market, 0.97, { volume: 400 + (keysGiven() % 50) }),
              {
                ...placeAt(market, 1.01, { volume: 2_000 + (keysGiven() % 50) }),
                terms: {
                  ...(
                    placeAt(market, 1.01, { volume: 2_000 + (keysGiven() % 50) }) as Extract<
                      Intent,
                      { kind: 'place' }
                    >
                  ).terms,
                  postOnly: false,
                  timeInForce: 'IOC',
                },
              } as Intent,
            ]),
          ),
        {
          limits: (usual) => ({
            ...usual,
            account: { ...usual.account, onLoss, lossDayMax: { ZAR: '1.5' }, ordersOpenMax: 50 },
          }),
        },
        20,
      );
      expect(codes(world)).toContain('LOSS_DAY');
      const kept = { cancel: undefined, reduce: 'REDUCING', halt: 'HALTED' }[onLoss];
      expect(stateOf(world, 'bot')).toBe(kept);
      expect(
        world.reports
          .openOrders()
          .filter(({ cancelRequestedMs }) => cancelRequestedMs === undefined),
      ).toEqual([]);
      world.kill();
      world.pass(45);
      expect(stateOf(world, 'bot')).toBe(kept);
    },
  );
});

describe('a loss that comes while no order is open', () => {
  const buyOnce: Run = (context, market) =>
    once(context, 1_000).pipe(
      mergeMap(() => {
        const bid = placeAt(market, 1.01, { volume: 10_000 }) as Extract<Intent, { kind: 'place' }>;
        return of({
          ...bid,
          terms: { ...bid.terms, postOnly: false, timeInForce: 'IOC' } as const,
        });
      }),
    );

  test('halts the bot, too: the position alone is watched', () => {
    const world = begin(
      buyOnce,
      {
        isRoomy: true,
        limits: (usual) => ({
          ...usual,
          account: { ...usual.account, onLoss: 'halt', lossDayMax: { ZAR: '25' } },
        }),
      },
      10,
    );
    expect(posts(world)).toBe(1);
    expect(world.reports.openOrders()).toEqual([]);
    expect(stateOf(world, 'bot')).toBeUndefined();
    for (let tries = 0; tries < 60 && stateOf(world, 'bot') === undefined; tries++) world.pass(10);
    expect(stateOf(world, 'bot')).toBe('HALTED');
    expect(posts(world)).toBe(1);
  });
});

describe('an approval', () => {
  const options: Partial<WorldOptions> = {
    limits: (usual) => ({
      ...usual,
      account: { ...usual.account, approveAbove: { ZAR: '2000' } },
    }),
  };
  const run: Run = (context, market) =>
    once(context, 1_000).pipe(
      mergeMap(() => {
        const terms = {
          side: 'BID',
          price: 990_000 as Ticks,
          volume: 5_000 as Lots,
          postOnly: true,
        } as const;
        return of<Intent>({
          kind: 'place',
          pair: market.pair,
          key: 'large',
          terms,
          reason: 'test',
        });
      }),
    );
  const tokenIn = (world: VirtualWorld): string =>
    /without approval ([0-9a-f]{16})/u.exec(world.reports.refused(0, 1)[0]?.refusals ?? '')?.[1] ??
    '';

  test('of a person lets exactly the order pass that waits for it, once', () => {
    const world = begin(run, options);
    expect(posts(world)).toBe(0);
    const token = tokenIn(world);
    expect(token).not.toBe('');
    world.tell({
      kind: 'operator',
      command: 'approve',
      token: 'ffffffffffffffff',
      reason: 'another one',
    });
    world.pass(1);
    expect(posts(world)).toBe(0);
    world.tell({ kind: 'operator', command: 'approve', token, reason: 'looked at it' });
    world.pass(2);
    expect(posts(world)).toBe(1);
    const [order] = world.reports.orders();
    const [decision] = world.reports.historyOf(order?.intentId ?? 0)?.decisions ?? [];
    expect(decision?.verdict).toBe('approved');
    expect(decision?.limitsHash).toMatch(/^[0-9a-f]{16}$/u);
    expect(JSON.parse(decision?.inputs ?? '')).toMatchObject({ status: 'ACTIVE', orders: 0 });
  });

  test('G11: of a person lifts no hard limit', () => {
    const world = begin(run, {
      limits: (usual) => ({
        ...usual,
        account: {
          ...usual.account,
          approveAbove: { ZAR: '2000' },
          openNotionalMax: { ZAR: '3000' },
        },
      }),
    });
    world.tell({ kind: 'operator', command: 'approve', token: tokenIn(world), reason: 'please' });
    world.tell({ kind: 'operator', command: 'resume', reason: 'please' });
    world.pass(3);
    expect(posts(world)).toBe(0);
  });
});
