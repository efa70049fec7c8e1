/**
 * Laws of parts that begin, quote and end in any order: what rests at the end is the union of what
 * the open parts want, none of it crosses, and nothing of an ended part is left.
 */
import fc from 'fast-check';
import { EMPTY, merge, mergeMap, type Observable, Subject, switchMap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { partOf } from '../../../src/domain/part-name.ts';
import {
  type Context,
  defineStrategy,
  type Intent,
  type Lots,
  type OwnOrder,
  type QuotedOrder,
  type Side,
  type Ticks,
} from '../../../src/index.ts';
import { wouldTrade } from '../../../src/strategy/quote-planner.ts';
import { fakeContext } from '../../../src/testing.ts';
import { begin } from '../../support/scripted-world.ts';

const parts = ['a', 'b', 'a/b'] as const;
type PartName = (typeof parts)[number];

/** An order in steps from the middle, which the test turns into a price. */
type Wanted = { readonly level: string; readonly side: Side; readonly steps: number };

type Operation = { readonly part: PartName | '' } & (
  | { readonly kind: 'begin' | 'end' }
  | { readonly kind: 'quote'; readonly orders: readonly Wanted[]; readonly tolerance: number }
);

/** What is done in each second. */
type Program = readonly (readonly Operation[])[];

type PriceOf = (wanted: Wanted) => number;

/** Plays a program with parts that a strategy opens when the program says so. */
function run(program: Program, context: Context<unknown, undefined>, priceOf: PriceOf) {
  const pair = context.pairs[0]?.pair ?? '';
  const doors = new Map<string, Subject<boolean>>(parts.map((part) => [part, new Subject()]));
  const quotes = new Map<string, Subject<Intent>>(
    [...parts, ''].map((part) => [part, new Subject()]),
  );
  const quote$ = (part: string): Observable<Intent> => quotes.get(part) ?? EMPTY;
  const of = (part: PartName, outer: Context<unknown, undefined>): Observable<Intent> =>
    ((doors.get(part) ?? EMPTY) as Observable<boolean>).pipe(
      switchMap((isOpen: boolean): Observable<Intent> => {
        if (!isOpen) return EMPTY;
        return outer.part(part.slice(part.lastIndexOf('/') + 1), (inner) =>
          merge(quote$(part), part === 'a' ? of('a/b', inner) : EMPTY),
        );
      }),
    );
  const steps$ = context.every(1_000).pipe(
    mergeMap((at) => {
      for (const operation of program[at] ?? []) {
        const { part } = operation;
        if (operation.kind === 'quote')
          quotes.get(part)?.next({
            ...{ kind: 'quote', pair, reason: 'test', toleranceTicks: operation.tolerance },
            orders: operation.orders.map((one) => orderOf(one, priceOf)),
          });
        else if (part !== '') doors.get(part)?.next(operation.kind === 'begin');
      }
      return EMPTY;
    }),
  );
  return merge(of('a', context), of('b', context), quote$(''), steps$);
}

const orderOf = (wanted: Wanted, priceOf: PriceOf): QuotedOrder => ({
  ...{ level: wanted.level, side: wanted.side, postOnly: true },
  ...{ price: priceOf(wanted) as Ticks, volume: 1_000 as Lots },
});

/** What each part wants at the end, by part; a part that is not open wants nothing. */
function wantedAtEnd(program: Program): ReadonlyMap<string, readonly Wanted[]> {
  const open = new Set<string>(['']);
  const wanted = new Map<string, readonly Wanted[]>();
  const close = (part: string): void => {
    for (const name of [...open])
      if (name === part || (part !== '' && name.startsWith(`${part}/`))) open.delete(name);
    for (const name of wanted.keys()) if (!open.has(name)) wanted.delete(name);
  };
  for (const operation of program.flat()) {
    const { part } = operation;
    if (operation.kind === 'quote') {
      if (open.has(part)) wanted.set(part, operation.orders);
      continue;
    }
    close(part);
    const whole = partOf(part);
    if (operation.kind === 'begin' && (whole === '' || open.has(whole))) open.add(part);
  }
  return wanted;
}

const steps = (least: number, most: number) => fc.integer({ min: least, max: most });

/** A quote does not cross itself: the asks of one are above its bids. */
function quoteOf(isApart: boolean) {
  const side = (which: Side, least: number, most: number) =>
    fc.uniqueArray(
      fc.record({
        level: fc.constantFrom('1', '2', '3').map((level) => `${which}.${level}`),
        side: fc.constant(which),
        steps: steps(least, most),
      }),
      { selector: ({ level }) => level, maxLength: 3 },
    );
  return fc
    .integer({ min: -6, max: 6 })
    .chain((middle) =>
      isApart
        ? fc.tuple(side('BID', -9, -1), side('ASK', 1, 9))
        : fc.tuple(side('BID', middle - 5, middle), side('ASK', middle + 1, middle + 6)),
    )
    .map(([bids, asks]) => [...bids, ...asks]);
}

const programOf = (isApart: boolean): fc.Arbitrary<Program> =>
  fc.array(
    fc.array(
      fc.oneof(
        {
          weight: 2,
          arbitrary: fc.record({
            kind: fc.constantFrom('begin' as const, 'end' as const),
            part: fc.constantFrom(...parts),
          }),
        },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constant('quote' as const),
            part: fc.constantFrom(...parts, '' as const),
            orders: quoteOf(isApart),
            tolerance: steps(0, 2),
          }),
        },
      ),
      { maxLength: 4 },
    ),
    { minLength: 1, maxLength: 8 },
  );

type Resting = Pick<OwnOrder, 'terms'> & { readonly level?: string | undefined };

/** Checks what rests against what is wanted. */
function check(program: Program, resting: readonly Resting[], priceOf: PriceOf): void {
  const wanted = [...wantedAtEnd(program)].flatMap(([part, orders]) =>
    orders.map((one) => ({
      ...orderOf(one, priceOf),
      level: part === '' ? one.level : `${part}/${one.level}`,
    })),
  );
  const levels = resting.map(({ level }) => level);
  expect(new Set(levels).size, 'a level has two orders').toBe(levels.length);
  for (const one of resting)
    for (const other of resting)
      expect(wouldTrade(one.terms as QuotedOrder, other.terms), 'own orders cross').toBe(false);
  const names = wanted.map(({ level }) => level);
  expect(names, 'an order that nobody wants').toEqual(expect.arrayContaining(levels));
  for (const order of wanted) {
    const found = resting.find(({ level }) => level === order.level);
    if (found !== undefined)
      expect(Math.abs(found.terms.price - order.price)).toBeLessThanOrEqual(2);
    else {
      const others = wanted.filter(({ level }) => partOf(level) !== partOf(order.level));
      expect(
        others.some((other) => levels.includes(other.level) && wouldTrade(order, other)),
        `${order.level} is missing, and crosses nothing that rests`,
      ).toBe(true);
    }
  }
}

const middle = 1_000;

describe('parts', () => {
  it('leave the union of what the open ones want, without what crosses', () => {
    fc.assert(
      fc.property(programOf(false), (program) => {
        const priceOf: PriceOf = (one) => middle + one.steps;
        const strategy = defineStrategy({
          name: 'parts',
          parameters: z.strictObject({}),
          pairs: 1,
          run: (context) => run(program, context as Context<unknown, undefined>, priceOf),
        });
        const { orders } = fakeContext(strategy, {
          top: ['a', { a: { bid: '900', ask: '1100' } }],
          ...{ available: { ZAR: '1000000000', XBT: '1000' }, for: '12s' },
        });
        check(program, orders['XBTZAR'] ?? [], priceOf);
      }),
      { numRuns: 400 },
    );
  });

  it('do so in the whole bot, where orders and cancels take their time', () => {
    fc.assert(
      fc.property(programOf(true), (program) => {
        let mid = 0;
        const priceOf: PriceOf = ({ side, steps: away }) =>
          Math.floor(mid * (side === 'BID' ? 0.97 : 1.03)) + away;
        const world = begin(
          (context, { top }) => {
            mid = ((top?.bid ?? 0) + (top?.ask ?? 0)) / 2;
            return run(program, context, priceOf);
          },
          { isRoomy: true },
          0,
        );
        world.pass(40);
        const live = world.engine?.orders.tracker.live ?? [];
        check(program, live, priceOf);
        world.stop();
        expect(world.witness.violations).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
