/** RxJS's default schedulers inside a plugin: on virtual time, repeatable, no real timer. */
import {
  asapScheduler,
  asyncScheduler,
  auditTime,
  bufferTime,
  concatMap,
  debounceTime,
  delay,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  observeOn,
  of,
  queueScheduler,
  ReplaySubject,
  range,
  repeat,
  sampleTime,
  switchMap,
  take,
  tap,
  throttleTime,
  timeout,
  timer,
  timestamp,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualScheduler } from '../../../src/strategy/virtual-scheduler.ts';
import {
  hostOf,
  keysOf,
  note,
  pass,
  pluginOf,
  startMs,
  ticks,
  topOf,
  tradeOf,
} from './host-fixture.ts';

const forbid = (name: string) => () => {
  throw new Error(`${name} was called`);
};

describe('RxJS inside a plugin', () => {
  beforeEach(() => {
    for (const name of ['setInterval', 'setTimeout', 'setImmediate', 'requestAnimationFrame']) {
      vi.stubGlobal(name, forbid(name));
    }
    vi.spyOn(Date, 'now').mockImplementation(forbid('Date.now'));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** Runs a plugin of `make` for `forMs` with a trade each 100 ms; returns "time value" lines. */
  function runOf(
    make: (trade$: Observable<number>) => Observable<unknown>,
    forMs = 1_000,
  ): string[] {
    const host = hostOf(
      pluginOf(({ pairs: [market] }) =>
        market === undefined
          ? NEVER
          : merge(
              make(market.trade$.pipe(map((trade) => trade.price))).pipe(
                map((value) => note(String(value).replaceAll(',', '-') || 'empty')),
              ),
              NEVER,
            ),
      ),
    );
    const lines: string[] = [];
    const write = (atMs: number, keys: readonly string[]) =>
      lines.push(...keys.map((key) => `${atMs - startMs} ${key}`));
    host.start(startMs);
    write(startMs, keysOf(host.takeIntents()));
    for (let atMs = 100; atMs <= forMs; atMs += 100) {
      for (const { atMs: wokenMs, intent } of pass(host, startMs + atMs)) {
        write(wokenMs, keysOf([intent]));
      }
      host.deliver(startMs + atMs, { kind: 'trade', pair: 'XBTZAR', trade: tradeOf(atMs) });
      write(startMs + atMs, keysOf(host.takeIntents()));
    }
    expect(host.takeFaults()).toEqual([]);
    return lines;
  }

  it.each<[string, (trade$: Observable<number>) => Observable<unknown>, string[]]>([
    ['interval', () => interval(300), ['300 0', '600 1', '900 2']],
    ['timer', () => timer(50, 400), ['50 0', '450 1', '850 2']],
    ['timer with a date', () => timer(new Date(startMs + 70)), ['70 0']],
    ['delay', (trade$) => trade$.pipe(take(2), delay(250)), ['350 100', '450 200']],
    ['debounceTime', (trade$) => trade$.pipe(take(3), debounceTime(150)), ['300 300']],
    [
      'throttleTime',
      (trade$) => trade$.pipe(throttleTime(250)),
      ['100 100', '400 400', '700 700', '1000 1000'],
    ],
    ['auditTime', (trade$) => trade$.pipe(auditTime(250)), ['350 300', '650 600', '950 900']],
    [
      'bufferTime',
      (trade$) => trade$.pipe(bufferTime(350)),
      ['350 100-200-300', '700 400-500-600'],
    ],
    ['sampleTime', (trade$) => trade$.pipe(sampleTime(450)), ['450 400', '900 800']],
    ['asapScheduler', () => of(1, 2).pipe(observeOn(asapScheduler)), ['0 1', '0 2']],
    ['asyncScheduler', () => of(1, 2).pipe(observeOn(asyncScheduler)), ['0 1', '0 2']],
    ['queueScheduler', () => range(0, 3, queueScheduler), ['0 0', '0 1', '0 2']],
    ['queueScheduler with a delay', () => timer(30, queueScheduler), ['30 0']],
    [
      'repeat with a delay',
      () => of('r').pipe(repeat({ count: 3, delay: 400 })),
      ['0 r', '400 r', '800 r'],
    ],
    [
      'a value late for its timeout',
      (trade$) => trade$.pipe(timeout({ each: 90, with: () => of('late') })),
      ['90 late'],
    ],
    [
      'timestamp',
      (trade$) =>
        trade$.pipe(
          take(2),
          timestamp(),
          map((at) => at.timestamp - startMs),
        ),
      ['100 100', '200 200'],
    ],
    [
      'a replayed window of time',
      (trade$) => {
        const recent$ = new ReplaySubject<number>(100, 250);
        return merge(
          trade$.pipe(tap(recent$), ignoreElements()),
          timer(650).pipe(switchMap(() => recent$.pipe(take(2)))),
        );
      },
      ['650 500', '650 600'],
    ],
  ])('%s runs on virtual time, twice the same', (_name, make, expected) => {
    const lines = runOf(make);
    expect(lines).toEqual(expected);
    expect(runOf(make)).toEqual(lines);
  });

  it('an interval of 0 runs once per millisecond', () => {
    expect(runOf(() => interval(0).pipe(take(3)), 100)).toEqual(['0 0', '1 1', '2 2']);
  });

  it('a late timer keeps its rhythm and skips the times that it missed', () => {
    const host = hostOf(pluginOf(() => interval(100).pipe(map(note))));
    host.start(startMs);
    host.advance(startMs + 350);
    expect(keysOf(host.takeIntents())).toEqual(['0']);
    expect(host.nextWakeMs()).toBe(startMs + 400);
  });

  it('a chain of timers without delay stops the strategy', () => {
    const forever = (): Observable<number> => timer(0).pipe(concatMap(forever));
    const host = hostOf(pluginOf(forever));
    host.start(startMs);
    expect(host.status).toBe('stopped');
    expect(host.takeFaults()[0]).toMatchObject({ kind: 'threw', message: /10000 timers ran/ });
  });

  it('too many waiting timers stop the strategy', () => {
    const host = hostOf(pluginOf(() => range(0, 20_000).pipe(mergeMap(() => timer(1_000)))));
    host.start(startMs);
    expect(host.takeFaults()).toMatchObject([{ kind: 'threw', message: /timers are waiting/ }]);
    expect(host.nextWakeMs()).toBe(Infinity);
  });

  it('timers that switchMap drops are removed', () => {
    const host = hostOf(
      pluginOf(({ pairs }) => pairs[0]?.top$.pipe(switchMap(() => timer(60_000))) ?? NEVER),
    );
    host.start(startMs);
    for (let i = 0; i < 20_000; i++) {
      host.deliver(startMs + i, { kind: 'top', pair: 'XBTZAR', top: topOf(99, 101) });
    }
    expect(host.takeFaults()).toEqual([]);
    expect(host.nextWakeMs()).toBe(startMs + 19_999 + 60_000);
  });

  it('the default schedulers throw outside an event', () => {
    hostOf(pluginOf(() => NEVER));
    expect(() => asyncScheduler.schedule(() => undefined, 1)).toThrow(/only inside an event/);
    expect(() => asapScheduler.schedule(() => undefined)).toThrow(/only inside an event/);
    expect(() => queueScheduler.schedule(() => undefined)).toThrow(/only inside an event/);
  });

  it('a subscriber of the plugin that throws stops the plugin, not the process', () => {
    const host = hostOf(
      pluginOf(({ pairs }) => {
        pairs[0]?.trade$.subscribe(() => {
          throw new Error('mine');
        });
        return NEVER;
      }),
    );
    host.start(startMs);
    host.deliver(startMs + 1, { kind: 'trade', pair: 'XBTZAR', trade: tradeOf(1) });
    const place = /^Error: mine, at strategy\/virtual-time\.test\.ts:\d+$/u;
    expect(host.takeFaults()).toMatchObject([
      { kind: 'threw', message: expect.stringMatching(place) },
    ]);
  });

  it('each strategy has its own clock', () => {
    const first = hostOf(pluginOf(() => interval(100).pipe(map(note))));
    const second = hostOf(pluginOf(() => interval(100).pipe(map(note))));
    first.start(startMs);
    second.start(startMs + 50);
    first.advance(startMs + 100);
    second.advance(startMs + 100);
    expect(keysOf(first.takeIntents())).toEqual(['0']);
    expect(keysOf(second.takeIntents())).toEqual([]);
    expect([first.nextWakeMs(), second.nextWakeMs()]).toEqual([startMs + 200, startMs + 150]);
  });
});

it("RxJS's own TestScheduler works in a test of a plugin, and is not the strategy's clock", () => {
  const host = hostOf(
    pluginOf(() =>
      interval(100).pipe(
        timestamp(),
        map((at) => note(String(at.timestamp))),
      ),
    ),
  );
  new TestScheduler((seen, expected) => expect(seen).toEqual(expected)).run(
    ({ cold, expectObservable }) => {
      host.start(startMs);
      host.advance(startMs + 100);
      const times$ = cold('-a-b|').pipe(
        timestamp(),
        map((at) => at.timestamp),
      );
      expectObservable(times$).toBe('-a-b|', { a: 1, b: 3 });
    },
  );
  expect(keysOf(host.takeIntents())).toEqual([String(startMs + 100)]);
});

describe('VirtualScheduler', () => {
  it('a repeating timer takes the same memory however long it runs', () => {
    const scheduler = new VirtualScheduler(0);
    let count = 0;
    interval(1, scheduler).subscribe(() => {
      count += 1;
    });
    for (let atMs = 1; atMs <= 50_000; atMs++) {
      scheduler.moveTo(atMs);
      scheduler.runDue();
    }
    expect([count, scheduler.size]).toEqual([50_000, 1]);
  });

  it('time never decreases', () => {
    const scheduler = new VirtualScheduler(10);
    scheduler.moveTo(5);
    expect(scheduler.now()).toBe(10);
    expect(ticks(scheduler.now())).toBe(10);
  });

  it('an action with an infinite delay never runs', () => {
    const scheduler = new VirtualScheduler(0);
    scheduler.schedule(forbid('work'), Number.POSITIVE_INFINITY);
    expect(scheduler.nextDueMs).toBe(Infinity);
  });
});
