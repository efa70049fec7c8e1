/** Named state of a strategy and its parts. */
import { concat, EMPTY, map, merge, NEVER, type Observable, of, startWith, switchMap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Context, Intent } from '../../../../src/index.ts';
import type { Slot } from '../../../../src/strategy/parts/slot.ts';
import { hostOf, pluginOf, startMs } from '../host-fixture.ts';

type Run = (context: Context<unknown, unknown>) => Observable<unknown>;

function started(run: Run, state?: unknown) {
  const host = hostOf(pluginOf(run), { state });
  host.start(startMs);
  return host;
}

const stored = (intents: readonly Intent[]): readonly unknown[] =>
  intents.flatMap((intent) => (intent.kind === 'remember' ? [intent.state] : []));

const periods = {};

describe('a slot', () => {
  it('has its initial value, then what was remembered, and is stored with the state', () => {
    const seen: unknown[] = [];
    const host = started((context) => {
      const slot = context.slot('count', z.number(), 1);
      seen.push(slot.value);
      return concat(
        of(slot.remember(2), { kind: 'remember', state: 'mine' }),
        of(0).pipe(
          map(() => {
            seen.push(slot.value);
            return slot.remember(3);
          }),
        ),
        NEVER,
      );
    });
    expect(seen).toEqual([1, 2]);
    expect(stored(host.takeIntents())).toEqual([
      { version: 2, state: 'mine', slots: { count: 3 }, periods },
    ]);
  });

  it('of a part is under its name, also through the parts around it', () => {
    const host = started((context) =>
      context.part('a', (a) =>
        merge(
          of(a.slot('x', z.number(), 0).remember(1)),
          a.part('b', (b) => merge(of(b.slot('x', z.number(), 0).remember(2)), NEVER)),
          NEVER,
        ),
      ),
    );
    expect(stored(host.takeIntents())).toMatchObject([{ slots: { 'a/x': 1, 'a/b/x': 2 } }]);
  });

  it('has what an earlier run remembered, frozen; what is not opened stays', () => {
    let seen: unknown;
    const host = started(
      (context) => {
        const slot = context.slot('list', z.array(z.number()), []);
        seen = slot.value;
        return merge(of(slot.remember([...slot.value, 2])), NEVER);
      },
      { version: 2, slots: { list: [1], other: 'kept' }, periods },
    );
    expect(seen).toEqual([1]);
    expect(Object.isFrozen(seen)).toBe(true);
    expect(stored(host.takeIntents())).toMatchObject([{ slots: { list: [1, 2], other: 'kept' } }]);
  });

  it('opens the states of version 1, and without slots that version is written', () => {
    const host = started(
      (context) => merge(of({ kind: 'remember', state: [context.state()] }), NEVER) as typeof NEVER,
      { version: 1, state: 'old', periods },
    );
    expect(stored(host.takeIntents())).toEqual([{ version: 1, state: ['old'], periods }]);
  });

  it.each<[string, (slot: Slot<unknown>) => unknown, RegExp]>([
    ['NaN', (slot) => slot.remember(Number.NaN), /slot s must be finite, was NaN/u],
    ['another type', (slot) => slot.remember('x'), /slot s does not fit its schema/u],
  ])('of %s stops the strategy', (_what, remember, problem) => {
    const host = started((context) =>
      of(remember(context.slot('s', z.number(), 0) as Slot<unknown>)),
    );
    expect(host.takeFaults()).toMatchObject([{ kind: 'state' }]);
    expect(host.stopReason).toMatch(problem);
  });

  it('whose remembered value no longer fits stops the strategy, as the state does', () => {
    const host = started(
      (context) => merge(of(context.slot('s', z.string(), '').remember('x')), NEVER),
      { version: 2, slots: { s: 7 }, periods },
    );
    expect(host.takeFaults()).toMatchObject([
      { kind: 'state', message: expect.stringContaining('slot s does not fit its schema') },
    ]);
  });

  it('is refused if it is not open, and the strategy goes on', () => {
    const host = started((context) =>
      merge(
        of({ kind: 'remember', slot: 'none', state: 1 }),
        context.part('p', () => NEVER),
      ),
    );
    expect(host.takeInvalid()).toMatchObject([
      { problem: 'there is no open slot none, as context.slot makes it' },
    ]);
    expect(host.status).toBe('running');
  });

  it('has at most 256 kB together with all others', () => {
    const host = started((context) => {
      const slots = ['a', 'b'].map((name) => context.slot(name, z.string(), ''));
      return concat(...slots.map((slot) => of(slot.remember('x'.repeat(140_000)))), NEVER);
    });
    expect(host.takeFaults()[0]?.message).toMatch(
      /state and slots together must be at most 262144 bytes, was 2800/u,
    );
  });

  it.each<[string, (context: Context<unknown, unknown>) => unknown, string]>([
    [
      'a name that is open',
      (context) => context.slot('a', z.number(), 1) && context.slot('a', z.number(), 1),
      'name must be one that is not open already, was "a"',
    ],
    [
      'more than 256',
      (context) => Array.from({ length: 257 }, (_, at) => context.slot(`s${at}`, z.null(), null)),
      'name must be one of at most 256 open slots, was "s256"',
    ],
    [
      'an initial value that does not fit',
      (context) => context.slot('a', z.number(), 'x' as unknown as number),
      'initial must be JSON that fits the schema, was "x"',
    ],
  ])('cannot be opened with %s', (_what, open, problem) => {
    const host = started((context) => {
      open(context);
      return NEVER;
    });
    expect(host.takeFaults()[0]?.message).toContain(`context.slot: ${problem}`);
  });
});

describe('the slots of a part', () => {
  it('are dropped when it ends, and begin anew with the next part of the name', () => {
    const seen: number[] = [];
    const host = started((context) =>
      context.every(1_000).pipe(
        startWith(0),
        switchMap(() =>
          context.part('p', (part) => {
            const slot = part.slot('n', z.number(), 0);
            seen.push(slot.value);
            return concat(of(slot.remember(slot.value + 1)), NEVER);
          }),
        ),
      ),
    );
    host.advance(startMs + 1_000);
    expect(seen).toEqual([0, 0]);
    expect(stored(host.takeIntents())).toMatchObject([{ slots: { 'p/n': 1 } }]);
  });

  it('are gone from the store in the event of its end', () => {
    const host = started((context) =>
      merge(
        context.part('p', (part) => of(part.slot('n', z.number(), 0).remember(1))),
        NEVER,
      ),
    );
    expect(stored(host.takeIntents())).toEqual([{ version: 1, state: null, periods }]);
  });

  it('are kept over a restart if it is opened again, and dropped otherwise', () => {
    let seen: unknown;
    const host = started(
      (context) =>
        context.part('kept', (part) => {
          seen = part.slot('n', z.number(), 0).value;
          return NEVER;
        }),
      {
        version: 2,
        slots: { 'kept/n': 5, 'gone/n': 6, own: 7 },
        periods: {
          'gone: */5 * * * * UTC': '2026-01-05T05:55:00.000Z',
          '*/5 * * * * UTC': '2026-01-05T05:55:00.000Z',
        },
      },
    );
    expect(seen).toBe(5);
    expect(stored(host.takeIntents())).toEqual([
      {
        ...{ version: 2, state: null, slots: { 'kept/n': 5, own: 7 } },
        periods: { '*/5 * * * * UTC': '2026-01-05T05:55:00.000Z' },
      },
    ]);
  });

  it('end with nothing to store if there were none', () => {
    const host = started((context) =>
      merge(
        context.part('p', () => EMPTY),
        NEVER,
      ),
    );
    expect(host.takeIntents()).toEqual([]);
  });
});
