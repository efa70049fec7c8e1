/** The host: what it feeds, what it takes, and how it isolates one strategy's failure. */
import {
  concat,
  concatMap,
  EMPTY,
  from,
  map,
  merge,
  mergeMap,
  NEVER,
  Observable,
  of,
  range,
  throwError,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Intent } from '../../../src/domain/intent.ts';
import { defineStrategy } from '../../../src/strategy/contract.ts';
import {
  fillOf,
  hostOf,
  keysOf,
  lots,
  note,
  pass,
  pluginOf,
  saw,
  settings,
  startMs,
  ticks,
  topOf,
  tradeOf,
  Views,
} from './host-fixture.ts';

const pair = 'XBTZAR';

describe('a running strategy', () => {
  it('gets each kind of value, frozen, and the current views', () => {
    const views = new Views();
    const frozen: boolean[] = [];
    const host = hostOf(
      pluginOf(({ pairs: [market] }) => {
        if (market === undefined) return NEVER;
        const { top$, topWithVolume$, usable$, trade$, order$, fill$, refusal$ } = market;
        return merge(top$, topWithVolume$, usable$, trade$, order$, fill$, refusal$).pipe(
          map((value) => {
            frozen.push(Object.isFrozen(value), Object.isFrozen(market.top));
            return note(`bid${market.top?.bid}`);
          }),
        );
      }),
      { views },
    );
    host.start(startMs);
    views.top = topOf(99, 101);
    host.deliver(startMs, { kind: 'top', pair, top: topOf(99, 101) });
    views.top = topOf(98, 101);
    host.deliver(startMs, { kind: 'topWithVolume', pair, top: topOf(98, 101) });
    host.deliver(startMs, { kind: 'usable', pair, usable: true });
    host.deliver(startMs, { kind: 'trade', pair, trade: tradeOf(101) });
    host.deliver(startMs, { kind: 'fill', pair, fill: fillOf() });
    host.deliver(startMs, {
      kind: 'refusal',
      pair,
      refusal: { key: 'k', codes: ['X'], observed: '2', limit: '1' },
    });
    host.deliver(startMs, {
      kind: 'order',
      pair,
      order: {
        key: 'k',
        terms: { side: 'BID', price: ticks(99), volume: lots(1) },
        filled: lots(0),
        state: 'open',
        cancelling: false,
      },
    });
    expect(keysOf(host.takeIntents())).toEqual([
      'bid99',
      'bid98',
      'bid98',
      'bid98',
      'bid98',
      'bid98',
      'bid98',
    ]);
    expect(frozen.every(Boolean)).toBe(true);
    expect(host.takeFaults()).toEqual([]);
  });

  it('is fed only the streams that it subscribes to', () => {
    const host = hostOf(
      pluginOf(({ pairs }) => pairs[0]?.trade$.pipe(map(() => note('t'))) ?? NEVER),
    );
    expect(host.isObserved(pair, 'trade')).toBe(false);
    host.start(startMs);
    expect(host.isObserved(pair, 'trade')).toBe(true);
    expect(host.isObserved(pair, 'top')).toBe(false);
    const top = topOf(99, 101);
    host.deliver(startMs, { kind: 'top', pair, top });
    expect(Object.isFrozen(top)).toBe(false);
    host.stop(startMs, 'done');
    expect(host.isObserved(pair, 'trade')).toBe(false);
  });

  it('emits the last quote and the last idle of a pair, the last state, and the others in order', () => {
    const quote: Intent = { kind: 'quote', pair, orders: [], reason: 'none' };
    const host = hostOf(
      pluginOf(() =>
        concat(
          of(
            saw('first'),
            note(1),
            { kind: 'remember', state: 1 },
            quote,
            note(2),
            saw('last'),
            { kind: 'remember', state: 2 },
            note(3),
          ),
          NEVER,
        ),
      ),
    );
    host.start(startMs);
    expect(host.takeIntents()).toMatchObject([
      note(1),
      quote,
      note(2),
      saw('last'),
      { kind: 'remember', state: { state: 2 } },
      note(3),
    ]);
    expect(host.takeIntents()).toEqual([]);
  });

  it('reads the time of the event, which is constant within it and never decreases', () => {
    const host = hostOf(
      pluginOf(
        ({ pairs, nowMs }) => pairs[0]?.trade$.pipe(map(() => note(nowMs() - startMs))) ?? NEVER,
      ),
    );
    host.start(startMs);
    host.deliver(startMs + 7, { kind: 'trade', pair, trade: tradeOf(1) });
    host.deliver(startMs + 3, { kind: 'trade', pair, trade: tradeOf(1) });
    expect(keysOf(host.takeIntents())).toEqual(['7', '7']);
  });

  it('sees its own parameters, budget, state and randomness', () => {
    const host = hostOf(
      defineStrategy({
        name: 'test',
        parameters: z.object({ n: z.object({ m: z.number() }) }),
        pairs: 1,
        state: { schema: z.object({ count: z.number() }), initial: { count: 0 } },
        run: ({ parameters, budget, available, state, random, id }) =>
          concat(
            of(
              note(parameters.n.m),
              note(budget('XBT')),
              note(budget('ZAR')),
              note(available('ZAR')),
              note(random()),
              note(id),
              note(state().count),
              note(Object.isFrozen(parameters.n) && Object.isFrozen(state())),
            ),
            NEVER,
          ),
      }),
      {
        parameters: { n: { m: 5 } },
        state: { version: 1, state: { count: 3 }, periods: {} },
        settings: { ...settings, budget: { XBT: '100' } },
      },
    );
    host.start(startMs);
    expect(keysOf(host.takeIntents())).toEqual([
      '5',
      '100',
      '0',
      '1000000',
      '0.5',
      'mm-xbt',
      '3',
      'true',
    ]);
  });

  it('starts from the state that an earlier run stored', () => {
    const counter = defineStrategy({
      name: 'test',
      parameters: z.unknown(),
      pairs: 1,
      state: { schema: z.object({ count: z.number() }), initial: { count: 0 } },
      run: ({ pairs, state }) =>
        pairs[0]?.trade$.pipe(
          map((): Intent => ({ kind: 'remember', state: { count: state().count + 1 } })),
        ) ?? NEVER,
    });
    let stored: unknown;
    for (const expected of [2, 4]) {
      const host = hostOf(counter, { state: stored });
      host.start(startMs);
      for (let i = 0; i < 2; i++) host.deliver(startMs, { kind: 'trade', pair, trade: tradeOf(1) });
      const [remember] = host.takeIntents();
      stored =
        remember?.kind === 'remember' ? JSON.parse(JSON.stringify(remember.state)) : undefined;
      expect(stored).toMatchObject({ state: { count: expected } });
    }
  });

  it('counts the interval of every from its subscription', () => {
    const host = hostOf(pluginOf(({ every }) => every(250).pipe(map(note))));
    host.start(startMs);
    expect(pass(host, startMs + 600).map(({ atMs }) => atMs - startMs)).toEqual([250, 500]);
  });
});

describe('a strategy is stopped alone when', () => {
  const cases: [string, string, Parameters<typeof pluginOf>[0]][] = [
    ['run throws', 'threw', () => bang()],
    ['its stream errors', 'threw', () => throwError(() => new Error('bang'))],
    ['its stream ends', 'completed', () => EMPTY],
    ['an operator throws', 'threw', () => of(1).pipe(map(() => bang()))],
    ['a timer throws', 'threw', ({ every }) => every(1).pipe(map(() => bang()))],
    ['it floods one event', 'flooded', () => range(0, 1e9).pipe(map(note))],
    [
      'it floods for a minute',
      'flooded',
      ({ every }) => every(1).pipe(mergeMap(() => range(0, 900).pipe(map(note)))),
    ],
    [
      'it emits too many invalid intents',
      'invalid-intent',
      () => range(0, 11).pipe(map(() => ({ kind: 'buy everything' }))),
    ],
    ['it remembers what is not JSON', 'state', () => of({ kind: 'remember', state: new Map() })],
    [
      'it remembers too much',
      'state',
      () => of({ kind: 'remember', state: 'x'.repeat(256 * 1024) }),
    ],
    ['its candle interval is wrong', 'threw', ({ pairs }) => pairs[0]?.candle$(0.5) ?? NEVER],
    ['its cron pattern is wrong', 'threw', ({ schedule }) => schedule('whenever', 'UTC')],
    ['its zone is wrong', 'threw', ({ schedule }) => schedule('0 9 * * *', 'Mars/Base')],
    [
      'it throws a value that is not an error',
      'threw',
      () => throwError(() => ({ toString: null })),
    ],
  ];
  function bang(): never {
    throw new Error('bang');
  }

  it.each(cases)('%s', (_name, kind, run) => {
    const host = hostOf(pluginOf((context) => merge(of(note('before')), run(context))));
    host.start(startMs);
    pass(host, startMs + 100);
    expect(host.status).toBe('stopped');
    expect(host.takeFaults()).toMatchObject([{ kind, strategyId: 'mm-xbt' }]);
    expect(host.stopReason).toMatch(new RegExp(`^${kind}: `, 'u'));
    expect(host.takeIntents()).toEqual([]);
    expect(host.nextWakeMs()).toBe(Infinity);
    host.advance(startMs + 200);
    host.deliver(startMs + 200, { kind: 'trade', pair, trade: tradeOf(1) });
    host.stop(startMs + 200, 'again');
    expect(host.takeFaults()).toEqual([]);
  });

  it('run returns no stream', () => {
    const host = hostOf(pluginOf(() => Promise.resolve(note('x')) as never));
    host.start(startMs);
    expect(host.takeFaults()).toMatchObject([
      { kind: 'threw', message: /must return an Observable, was / },
    ]);
  });

  it('its stored state does not fit, and it never runs', () => {
    const strategy = defineStrategy({
      name: 'test',
      parameters: z.unknown(),
      pairs: 1,
      state: { schema: z.object({ count: z.number() }), initial: { count: 0 } },
      run: () => throwError(() => new Error('ran')),
    });
    for (const state of [
      { version: 1, state: { count: 'x' }, periods: {} },
      { count: 1 },
      null,
      5,
    ]) {
      const host = hostOf(strategy, { state });
      host.start(startMs);
      expect(host.takeFaults()).toMatchObject([{ kind: 'state' }]);
    }
  });

  it('the others run on', () => {
    const bad = hostOf(pluginOf(({ pairs }) => pairs[0]?.trade$.pipe(map(bang)) ?? NEVER));
    const good = hostOf(
      pluginOf(({ pairs }) => pairs[0]?.trade$.pipe(map(() => note('ok'))) ?? NEVER),
    );
    for (const host of [bad, good]) host.start(startMs);
    for (let i = 0; i < 2; i++) {
      for (const host of [bad, good])
        host.deliver(startMs, { kind: 'trade', pair, trade: tradeOf(1) });
    }
    expect([bad.status, good.status]).toEqual(['stopped', 'running']);
    expect(keysOf(good.takeIntents())).toEqual(['ok', 'ok']);
  });
});

describe('a stopped strategy', () => {
  it('emits the state that it remembered before it failed', () => {
    const state = { count: 7 };
    const run = () =>
      concat(
        of(note('a'), { kind: 'remember', state }),
        throwError(() => new Error('bang')),
      );
    const host = hostOf(pluginOf(run));
    host.start(startMs);
    expect(host.status).toBe('stopped');
    expect(host.takeIntents()).toMatchObject([{ kind: 'remember', state: { state } }]);
  });

  it('emits no intent, not even of the event in which it was stopped, and runs no code', () => {
    let calls = 0;
    const host = hostOf(
      pluginOf(({ every }) =>
        every(10).pipe(
          map((count) => {
            calls += 1;
            return note(count);
          }),
        ),
      ),
    );
    host.start(startMs);
    host.advance(startMs + 10);
    host.stop(startMs + 10, 'operator');
    host.advance(startMs + 100);
    expect([calls, host.takeIntents(), host.stopReason]).toEqual([1, [], 'operator']);
    expect(host.takeFaults()).toEqual([]);
  });

  it('can be stopped before its start, and cannot be started twice', () => {
    const host = hostOf(pluginOf(() => NEVER));
    host.stop(startMs, 'operator');
    expect(host.status).toBe('stopped');
    expect(() => host.start(startMs)).toThrow(/started twice/);
  });

  it('runs its teardown, and a failure of it is recorded', () => {
    const host = hostOf(
      pluginOf(
        ({ scheduler }) =>
          new Observable(() => () => {
            throw new Error(`teardown at ${scheduler.now() - startMs}`);
          }),
      ),
    );
    host.start(startMs);
    host.stop(startMs + 5, 'operator');
    expect(host.takeFaults()[0]?.message).toMatch(/teardown at 5/);
    expect(host.stopReason).toBe('operator');
  });
});

it('a strategy of several pairs gets each pair its own streams', () => {
  const both = { ...settings, pairs: ['XBTZAR', 'ETHZAR'] };
  const host = hostOf(
    pluginOf(({ pairs }) =>
      from(pairs).pipe(
        mergeMap((market) => market.trade$.pipe(concatMap(() => of(note(market.pair))))),
      ),
    ),
    { settings: both },
  );
  host.start(startMs);
  host.deliver(startMs, { kind: 'trade', pair: 'ETHZAR', trade: tradeOf(1) });
  expect(keysOf(host.takeIntents())).toEqual(['ETHZAR']);
  expect(() => host.deliver(startMs, { kind: 'trade', pair: 'XRPZAR', trade: tradeOf(1) })).toThrow(
    /does not see/,
  );
});
