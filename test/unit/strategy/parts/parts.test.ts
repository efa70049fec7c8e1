/** Parts of a strategy: what they ask for, what they see, and what is left of them at their end. */
import {
  concat,
  EMPTY,
  filter,
  from,
  map,
  merge,
  mergeMap,
  NEVER,
  of,
  startWith,
  switchMap,
  take,
  throwError,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../src/index.ts';
import { fakeContext } from '../../../../src/testing.ts';
import { fillOf, lots, pluginOf, startMs, ticks, topOf, Views } from '../host-fixture.ts';
import { order, own, pair, place, quote, started, texts } from './parts-fixture.ts';

describe('what parts ask for', () => {
  it('is stored under their names, and each part has its own quote', () => {
    const host = started((context) =>
      merge(
        context.part('maker', () => of(quote(order('b', 'BID', 90)), quote(order('c', 'BID', 91)))),
        context.part('exit', (exit) =>
          merge(
            from<Intent[]>([
              quote(order('a', 'ASK', 110)),
              place('k'),
              { kind: 'cancel', pair, key: 'j', reason: 'old' },
              { kind: 'idle', pair, reason: 'waits' },
            ]),
            exit.part('near', () => merge(of(quote(order('n', 'ASK', 105))), NEVER)),
            NEVER,
          ),
        ),
        of(quote(order('own', 'BID', 80))),
        NEVER,
      ),
    );
    expect(texts(host.takeIntents())).toEqual([
      'quote of maker: maker/c',
      'cancelAll of maker (part maker has ended)',
      'quote of exit: exit/a',
      'place of exit exit/k',
      'cancel of exit exit/j',
      'idle of exit (waits)',
      'quote of exit/near: exit/near/n',
      'quote: own',
    ]);
    expect(host.takeInvalid()).toEqual([]);
  });

  it('is frozen, copied, and the same object while it repeats', () => {
    const host = started((context) =>
      context.part('exit', (part) =>
        part.every(1_000).pipe(map(() => quote(order('a', 'ASK', 110)))),
      ),
    );
    host.advance(startMs + 1_000);
    const [first] = host.takeIntents();
    host.advance(startMs + 2_000);
    const [second] = host.takeIntents();
    expect(first).toBe(second);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('is refused if it names a part that is not open, or another part', () => {
    const asked: unknown[] = [
      { ...quote(), part: 'nobody' },
      { ...quote(), part: 7 },
      { ...quote(), part: '<script>alert(1)</script>' },
    ];
    const host = started((context) =>
      merge(
        of(...asked),
        context.part('maker', () => NEVER),
        context.part('exit', () =>
          merge(of({ kind: 'cancelAll', pair, part: 'maker', reason: 'mine' } as Intent), NEVER),
        ),
      ),
    );
    expect(host.takeInvalid().map(({ problem }) => problem)).toEqual([
      'part must be a part that is open, as context.part makes it, was "nobody"',
      'part must be a part that is open, as context.part makes it, was 7',
      'part must be a part that is open, as context.part makes it, was "<script>alert(1)</script>"',
      'part must be a part that is open, as context.part makes it, was "exit/maker"',
    ]);
    expect(host.status).toBe('running');
  });

  it('names the part in the refusal of an invalid intent', () => {
    const host = started((context) =>
      context.part('exit', () =>
        merge(of({ ...place('k'), terms: { side: 'BID', price: Number.NaN } } as Intent), NEVER),
      ),
    );
    expect(host.takeInvalid()).toMatchObject([{ key: 'exit/k', code: 'INVALID_INTENT' }]);
  });
});

describe('what a part sees', () => {
  it('is its own orders, fills and refusals, as it named them', () => {
    const views = new Views();
    views.top = topOf(99, 101);
    views.orders = [own('exit/b.1', 'exit/b'), own('exit/k'), own('exit/near/x'), own('maker/b')];
    const seen: unknown[] = [];
    const host = started(
      (context) =>
        context.part('exit', ({ pairs: [market] }) => {
          if (market === undefined) return NEVER;
          seen.push(market.orders.map(({ key, level }) => [key, level]));
          expect(market.orders).toBe(market.orders);
          expect(market.top?.bid).toBe(99);
          return merge(
            market.order$.pipe(map(({ key, level }) => ['order', key, level])),
            market.fill$.pipe(map(({ key, level }) => ['fill', key, level])),
            market.refusal$.pipe(map(({ key }) => ['refusal', key])),
          ).pipe(
            filter((one) => {
              seen.push(one);
              return false;
            }),
            map(() => quote()),
          );
        }),
      { views },
    );
    for (const name of ['maker/b', 'exit/b', 'b', 'exits/b']) {
      host.deliver(startMs, { kind: 'order', pair, order: own(`${name}.1`, name) });
      host.deliver(startMs, {
        kind: 'fill',
        pair,
        fill: fillOf({ key: `${name}.1`, level: name }),
      });
      const refusal = { key: name, codes: ['FUNDS'], observed: '1', limit: '2' };
      host.deliver(startMs, { kind: 'refusal', pair, refusal });
    }
    expect(seen).toEqual([
      [
        ['b.1', 'b'],
        ['k', undefined],
        ['near/x', undefined],
      ],
      ['order', 'b.1', 'b'],
      ['fill', 'b.1', 'b'],
      ['refusal', 'b'],
    ]);
    expect(host.status).toBe('running');
  });

  it('includes what it has asked for in the same event', () => {
    let seen: readonly (string | undefined)[] = [];
    started((context) =>
      context.part('exit', ({ pairs: [market] }) =>
        concat(
          of(quote(order('a', 'ASK', 110)), place('k')),
          of(0).pipe(
            map(() => {
              seen = market?.orders.map(({ key }) => key) ?? [];
              return place('last');
            }),
          ),
          NEVER,
        ),
      ),
    );
    expect(seen).toEqual(['k', 'a']);
  });

  it('is what its own orders have traded, by the keys that it wrote', () => {
    const terms = { side: 'BID', price: ticks(90), volume: lots(1_000) } as const;
    const strategy = pluginOf((context) =>
      context.part('exit', ({ pairs: [market], nowMs, log }) =>
        merge(
          from<Intent[]>([{ kind: 'place', pair, key: 'k', terms, reason: 'test' }]),
          (market?.fill$ ?? EMPTY).pipe(
            mergeMap((): Intent[] => {
              log('filled', { lots: market?.filledOf('k')?.volume ?? 'nothing' });
              log(JSON.stringify(market?.fillsSince(nowMs() - 1_000).map(({ key }) => key)));
              return [];
            }),
          ),
        ),
      ),
    );
    const { logged } = fakeContext(strategy, {
      top: ['a', { a: { bid: '99', ask: '101' } }],
      fills: ['-f', { f: { key: 'exit/k' } }],
      ...{ available: { ZAR: '1000' }, for: '3s' },
    });
    expect(logged).toEqual([
      { text: 'exit: filled', fields: { lots: 1_000 } },
      { text: 'exit: ["k"]', fields: {} },
    ]);
  });

  it('gives metrics, plots and lines its name', () => {
    const host = started((context) =>
      context.part('exit', (part) => {
        part.metric('done', 1);
        part.pairs[0]?.plot('stop', 100);
        part.log('begins', { at: 1 });
        part.log(7 as unknown as string);
        return NEVER;
      }),
    );
    expect(host.outputs.takePoints().map(({ name }) => name)).toEqual(['exit/done', 'exit/stop']);
    expect(host.outputs.takeLines().map(({ text }) => text)).toEqual([
      'exit: begins',
      'context.log: text must be 1 to 1000 characters, was 7; it is left out',
    ]);
  });
});

describe('the end of a part', () => {
  it('cancels its orders and those of the parts in it, once', () => {
    const host = started((context) =>
      concat(
        context.part('entry', (entry) =>
          merge(
            of(quote(order('b', 'BID', 90))),
            entry.part('deep', () => concat(of(place('k')), NEVER)),
            NEVER,
          ).pipe(take(2)),
        ),
        of(quote(order('a', 'ASK', 110))),
        NEVER,
      ),
    );
    expect(texts(host.takeIntents())).toEqual([
      'quote of entry: entry/b',
      'place of entry/deep entry/deep/k',
      'cancelAll of entry (part entry has ended)',
      'quote: a',
    ]);
  });

  it('comes with an unsubscription, before the next part of that name begins', () => {
    const host = started((context) =>
      context.every(1_000).pipe(
        startWith(-1),
        switchMap((at) => context.part('p', () => concat(of(place(`k${at}`)), NEVER))),
      ),
    );
    host.takeIntents();
    host.advance(startMs + 1_000);
    expect(texts(host.takeIntents())).toEqual([
      'cancelAll of p (part p has ended)',
      'place of p p/k0',
    ]);
    expect(host.takeInvalid()).toEqual([]);
  });

  it('comes with done, which does not end the strategy', () => {
    const host = started((context) =>
      concat(
        context.part('p', () => from<Intent[]>([place('k'), { kind: 'done', reason: 'all sold' }])),
        of(quote()),
        NEVER,
      ),
    );
    expect(texts(host.takeIntents())).toEqual([
      'place of p p/k',
      'cancelAll of p (part p is done: all sold)',
      'quote: ',
    ]);
    expect(host.status).toBe('running');
  });

  it('asks for nothing on a pair where the part has nothing', () => {
    const host = started((context) =>
      concat(
        context.part('p', () => EMPTY),
        NEVER,
      ),
    );
    expect(host.takeIntents()).toEqual([]);
  });

  it('leaves nothing to come after it', () => {
    const host = started((context) =>
      merge(
        context
          .part('p', () => of(place('k')))
          .pipe(
            mergeMap((intent) =>
              concat(
                of(intent),
                context.every(1_000).pipe(
                  map(() => intent),
                  take(1),
                ),
              ),
            ),
          ),
        NEVER,
      ),
    );
    host.takeIntents();
    host.advance(startMs + 1_000);
    expect(host.takeIntents()).toEqual([]);
    expect(host.takeInvalid()).toMatchObject([{ code: 'INVALID_INTENT' }]);
  });

  it('is the end of the strategy if it is an error', () => {
    const host = started((context) => context.part('p', () => throwError(() => new Error('no'))));
    expect(host.takeFaults()).toMatchObject([{ kind: 'threw' }]);
    expect(host.takeIntents()).toEqual([]);
  });

  it('is not told when the strategy is done: its settings say what its orders do', () => {
    const host = started((context) =>
      merge(
        context.part('p', () => concat(of(place('k')), NEVER)),
        of({ kind: 'done', reason: 'finished' }),
      ),
    );
    expect(texts(host.takeIntents())).toEqual(['place of p p/k', 'done (finished)']);
  });
});
