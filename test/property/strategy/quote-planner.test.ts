/**
 * Laws of the planner in a small world of orders: requests may be unknown for a while, cancels
 * take a while, fills come at any time, and the wish changes. The engine's part is to plan again
 * after each event.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuotedOrder } from '../../../src/domain/intent.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { isFinal, type OrderState } from '../../../src/domain/order.ts';
import type { OwnOrder } from '../../../src/strategy/own-views.ts';
import { QuotePlanner } from '../../../src/strategy/quote-planner.ts';

type Live = { -readonly [Name in keyof OwnOrder]: OwnOrder[Name] };

class World {
  readonly orders: Live[] = [];
  readonly #plan = new QuotePlanner<Live>();
  placed = 0;
  cancelled = 0;

  plan(wanted: readonly QuotedOrder[], toleranceTicks: number): boolean {
    const plan = this.#plan;
    const missing = plan.make(wanted, toleranceTicks, this.orders);
    for (const { level, ...terms } of plan.places) {
      for (const other of this.live()) {
        expect(other.level, 'a second order on a level').not.toBe(level);
        const [bid, ask] = terms.side === 'BID' ? [terms, other.terms] : [other.terms, terms];
        if (bid.side !== ask.side) expect(bid.price, 'own orders meet').toBeLessThan(ask.price);
      }
      this.placed += 1;
      const key = `k${this.placed}`;
      this.orders.push({
        key,
        level,
        terms,
        filled: 0 as Lots,
        state: 'sending',
        cancelling: false,
      });
    }
    for (const order of plan.cancels) {
      expect(order.cancelling, 'a second cancel').toBe(false);
      order.cancelling = true;
      this.cancelled += 1;
    }
    if (missing === 0) expect(plan.places.length).toBe(0);
    return plan.places.length + plan.cancels.length === 0;
  }

  live(): Live[] {
    return this.orders.filter((order) => !isFinal(order.state));
  }

  /** Lets one order take a step of its life. */
  step(which: number, choice: number): void {
    const live = this.live();
    const order = live[which % Math.max(1, live.length)];
    if (order === undefined) return;
    const next: Partial<Record<OwnOrder['state'], readonly OrderState[]>> = {
      sending: ['open', 'unknown', 'rejected'],
      unknown: ['open', 'absent'],
      open: order.cancelling ? ['completing', 'cancelled'] : ['open', 'open', 'completing'],
      completing: ['cancelled', 'filled'],
    };
    const states = next[order.state] ?? [];
    const rest = order.terms.volume - order.filled;
    if (order.state === 'open' && choice % 3 === 0 && rest > 1) {
      order.filled = (order.filled + 1 + (choice % (rest - 1))) as Lots;
      return;
    }
    order.state = states[choice % states.length] ?? order.state;
  }

  /** Lets everything that is under way come to its end. */
  settle(): void {
    for (const order of this.live()) {
      if (order.state === 'sending' || order.state === 'unknown') order.state = 'open';
      if (order.state === 'completing' || order.cancelling) order.state = 'cancelled';
    }
  }
}

const quote = fc
  .record({
    mid: fc.integer({ min: 20, max: 26 }),
    levels: fc.uniqueArray(
      fc.record({
        level: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        off: fc.integer({ min: -4, max: 3 }),
        volume: fc.integer({ min: 2, max: 3 }),
        postOnly: fc.boolean(),
      }),
      { selector: (one) => one.level },
    ),
  })
  .map(({ mid, levels }) =>
    levels.map(({ level, off, volume, postOnly }): QuotedOrder => {
      const bid = off < 0;
      return {
        level,
        side: bid ? 'BID' : 'ASK',
        price: (mid + off) as Ticks,
        volume: volume as Lots,
        postOnly,
      };
    }),
  );

const act = fc.oneof(
  fc.record({ kind: fc.constant('quote' as const), wanted: quote }),
  fc.record({ kind: fc.constant('step' as const), which: fc.nat(9), choice: fc.nat(30) }),
);

describe('QuotePlanner', () => {
  it('never has two orders on a level or meets itself, and comes to rest at what is wanted', () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 60 }),
        fc.integer({ min: 0, max: 6 }),
        (acts, tolerance) => {
          const world = new World();
          let wanted: readonly QuotedOrder[] = [];
          for (const one of acts) {
            if (one.kind === 'quote') wanted = one.wanted;
            else world.step(one.which, one.choice);
            world.plan(wanted, tolerance);
          }
          let rounds = 0;
          for (let quiet = false; !quiet; rounds++) {
            expect(rounds, 'does not come to rest').toBeLessThan(8);
            world.settle();
            quiet = world.plan(wanted, tolerance);
          }
          const standing = new Map(world.live().map((order) => [order.level, order]));
          expect(standing.size).toBe(world.live().length);
          expect([...standing.keys()].sort()).toEqual(wanted.map(({ level }) => level).sort());
          for (const order of wanted) {
            const { terms, filled, state } = standing.get(order.level) as Live;
            expect(state).toBe('open');
            expect(terms.side).toBe(order.side);
            expect(Math.abs(terms.price - order.price)).toBeLessThanOrEqual(tolerance);
            expect(terms.volume - filled).toBeLessThanOrEqual(order.volume);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does nothing when nothing changed, and nothing for a move within the tolerance', () => {
    fc.assert(
      fc.property(quote, fc.integer({ min: -3, max: 3 }), (wanted, move) => {
        const world = new World();
        world.plan(wanted, 0);
        world.settle();
        const { placed, cancelled } = world;
        expect(world.plan(wanted, 0)).toBe(true);
        const moved = wanted.map((order) => ({ ...order, price: (order.price + move) as Ticks }));
        const narrow = wanted.some((bid) =>
          moved.some((ask) => bid.side === 'BID' && ask.side === 'ASK' && bid.price >= ask.price),
        );
        fc.pre(!narrow);
        expect(world.plan(moved, 3)).toBe(true);
        expect([world.placed, world.cancelled]).toEqual([placed, cancelled]);
      }),
    );
  });
});
