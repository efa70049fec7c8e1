/** Parts that are refused, and what a restart finds of parts. */
import { concat, EMPTY, merge, NEVER, Observable, of, switchMap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Context, Intent } from '../../../../src/index.ts';
import { startMs, Views } from '../host-fixture.ts';
import { own, place, started, texts } from './parts-fixture.ts';

describe('a part that is refused', () => {
  it('has the name of an open one: it asks for nothing, and the strategy goes on', () => {
    let built = 0;
    const twice = (context: Context<unknown, unknown>) =>
      context.part('p', () => {
        built++;
        return merge(of(place(`k${built}`)), NEVER);
      });
    const host = started((context) => merge(twice(context), twice(context)));
    expect(texts(host.takeIntents())).toEqual(['place of p p/k1']);
    expect(host.takeInvalid()).toMatchObject([
      {
        code: 'INVALID_INTENT',
        problem:
          'part p is open already: two parts at a time must have different names; what the second ' +
          'one asks for is left out',
      },
    ]);
    expect([built, host.status]).toEqual([1, 'running']);
  });

  it('is one of more than 100', () => {
    const names = Array.from({ length: 102 }, (_, at) => `p${at}`);
    const host = started((context) =>
      merge(...names.map((name) => context.part(name, () => concat(of(place('k')), NEVER)))),
    );
    expect(host.takeIntents()).toHaveLength(100);
    expect(host.takeInvalid().map(({ problem }) => problem)).toEqual([
      'part p100 would be one of more than 100 open parts',
      'part p101 would be one of more than 100 open parts',
    ]);
  });

  it('stops the strategy if there are more than ten in a minute', () => {
    const host = started((context) =>
      merge(
        context.part('p', () => NEVER),
        ...Array(11).fill(context.part('p', () => NEVER)),
      ),
    );
    expect(host.takeFaults()).toMatchObject([{ kind: 'invalid-intent' }]);
  });

  it('is inside a part that has ended', () => {
    let inner: Observable<Intent> = NEVER;
    const host = started((context) =>
      concat(
        context.part('p', (part) => {
          inner = part.part('q', () => of(place('k')));
          return EMPTY;
        }),
        of(0).pipe(switchMap(() => inner)),
      ),
    );
    expect(host.takeInvalid()).toMatchObject([{ problem: 'part p/q is in a part that has ended' }]);
  });

  it('is opened without end', () => {
    const host = started((context) => {
      const again = (): Observable<Intent> => context.part('p', () => EMPTY);
      return new Observable<Intent>((subscriber) => {
        for (let at = 0; at < 60_002 && !subscriber.closed; at++) again().subscribe();
      });
    });
    expect(host.takeFaults()).toMatchObject([
      { kind: 'flooded', message: 'more than 60000 intents in one minute' },
    ]);
  });
});

describe('a wrong argument', () => {
  it.each([
    ['a name of 10 kB', 'x'.repeat(10_000), `"${'x'.repeat(80)}"`],
    ['a slash', 'a/b', '"a/b"'],
    ['a script', '<script>', '"<script>"'],
    ['the name of orders that were found', 'lost', '"lost"'],
  ])('is %s', (_what, name, shown) => {
    const host = started((context) => context.part(name, () => NEVER));
    const [fault] = host.takeFaults();
    expect(fault?.message).toContain('context.part: name must be ');
    expect(fault?.message).toContain(`, was ${shown}`);
  });

  it('is a name that is too long with those around it', () => {
    const deep = (context: Context<unknown, unknown>): Observable<Intent> =>
      context.part('x'.repeat(32), deep);
    expect(started(deep).takeFaults()[0]?.message).toContain('short enough for 100 characters');
  });

  it('is a function that returns no stream', () => {
    const host = started((context) => context.part('p', () => 7 as unknown as typeof NEVER));
    expect(host.takeFaults()[0]?.message).toContain('part p must return an Observable, was 7');
  });
});

describe('after a restart', () => {
  const views = new Views();
  views.orders = [own('maker/b.1', 'maker/b'), own('exit/k'), own('lost/b1-x'), own('plain:k')];

  it('the orders of a part that is not opened again are cancelled', () => {
    const host = started(
      (context) =>
        merge(
          context.part('maker', () => NEVER),
          of(place('first')),
        ),
      { views },
    );
    expect(texts(host.takeIntents())).toEqual([
      'place first',
      'cancelAll of exit (part exit was not opened again after the restart)',
    ]);
    host.advance(startMs + 60_000);
    expect(host.takeIntents()).toEqual([]);
  });

  it('a part that is opened again and ends cancels what the earlier run left', () => {
    const host = started(
      (context) =>
        merge(
          context.part('maker', () => EMPTY),
          context.part('exit', () => NEVER),
        ),
      { views },
    );
    expect(texts(host.takeIntents())).toEqual(['cancelAll of maker (part maker has ended)']);
  });
});
