/** Exact conversions of a pair: nothing is rounded unless the name says so. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf } from '../../../src/domain/money.ts';
import { createMarketContext } from '../../../src/strategy/market-context.ts';
import { MarketStreams } from '../../../src/strategy/market-streams.ts';
import { VirtualScheduler } from '../../../src/strategy/virtual-scheduler.ts';
import { lots, ticks, topOf, Views } from './host-fixture.ts';

const views = new Views();
const context = createMarketContext({
  part: '',
  access: views.access(),
  own: views.access(),
  pendingUse: () => ({ base: 0n, counter: 0n }),
  streams: new MarketStreams(),
  scheduler: new VirtualScheduler(0),
  seen: () => undefined,
  outputs: { plot: () => {} },
});

describe('a pair', () => {
  it('has its views as members of its own, which a copy has, and shares nothing to change', () => {
    const names = ['top', 'position', 'holding', 'isDust', 'orders'] as const;
    expect(Object.keys(context)).toEqual(expect.arrayContaining([...names]));
    const copy = { ...context };
    for (const name of names) expect(copy[name]).toEqual(context[name]);
    const shared = Object.getOwnPropertyNames(Object.getPrototypeOf(context));
    expect(shared).toEqual(['constructor']);
    expect(Object.isFrozen(context)).toBe(true);
  });

  it('parses exact texts and refuses all others', () => {
    expect([context.ticks('123.45'), context.lots('0.0100')]).toEqual([12_345, 100]);
    for (const text of ['123.456', '1e3', '', ' 1', 'NaN', '1,5']) {
      expect(() => context.ticks(text)).toThrow(RangeError);
    }
    expect(() => context.lots('0.00001')).toThrow(
      'market.lots: text must be a volume of XBTZAR with at most 4 decimals and below 2^53 lots ' +
        '(market.nearestLot rounds one with more), was "0.00001"',
    );
    expect([context.rules.priceScale, context.rules.volumeScale]).toEqual([2, 4]);
  });

  it('rounds a decimal to whole ticks or lots in the direction that is given', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
        fc.integer({ min: 0, max: 6 }),
        (units, decimals) => {
          const price = decimalOf(`${units}`).div(10 ** decimals);
          const [down, up] = (['down', 'up'] as const).map((to) => context.nearestTick(price, to));
          const [low, high] = [decimalOf(`${down}`), decimalOf(`${up}`)];
          const exact = price.times(100);
          expect(low.lessThanOrEqualTo(exact) && exact.minus(low).lessThan(1)).toBe(true);
          expect(high.greaterThanOrEqualTo(exact) && high.minus(exact).lessThan(1)).toBe(true);
          if (exact.isInteger()) expect(down).toBe(context.ticks(price.toFixed()));
        },
      ),
    );
    // The nearest to 1 from below with 41 digits, which a product of 40 digits would round to 1.
    expect(context.nearestTick(`0.${'9'.repeat(30)}`, 'down')).toBe(99);
    expect(context.nearestTick('-0.001', 'up')).toBe(0);
    expect(context.nearestLot('0.00999', 'down')).toBe(99);
    expect(context.nearestLot('0.00999', 'up')).toBe(100);
    expect(() => context.nearestLot(`1${'0'.repeat(20)}`, 'up')).toThrow(/below 2\^53 lots, was/u);
  });

  it('rounds computed prices as asked, and refuses what is no number', () => {
    expect([
      context.round(10.2, 'down'),
      context.round(10.2, 'up'),
      context.round(-0.3, 'up'),
    ]).toEqual([10, 11, 0]);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
      expect(() => context.round(bad, 'down')).toThrow(RangeError);
    }
  });

  it('values a volume exactly', () => {
    expect(context.valueOf(ticks(12_345), lots(3)).toFixed()).toBe('0.037035');
    expect(context.amountOf(lots(3)).toFixed()).toBe('0.0003');
    expect(context.priceText(ticks(5))).toBe('0.05');
  });

  it('buys as many lots as an amount pays for, and not one more', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 13n }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        (units, price) => {
          const counter = decimalOf(`${units}`).div(10_000);
          const volume = context.lotsFor(counter.toFixed(), ticks(price));
          const paid = (count: number) => context.valueOf(ticks(price), lots(count));
          expect(paid(volume).lessThanOrEqualTo(counter)).toBe(true);
          expect(paid(volume + 1).greaterThan(counter)).toBe(true);
        },
      ),
    );
    expect(() => context.lotsFor('1', ticks(0))).toThrow(RangeError);
    expect(() => context.lotsFor('-1', ticks(1))).toThrow(RangeError);
    expect(() => context.lotsFor(`1${'0'.repeat(25)}`, ticks(1))).toThrow(RangeError);
  });

  it('shows the views as they are now', () => {
    expect(context.top).toBeUndefined();
    views.top = topOf(99, 101);
    expect(context.top?.bid).toBe(99);
    expect(context.mid).toBe(100);
    views.book = {
      bestPrice: () => ticks(99),
      volumeAt: () => lots(10),
      priceAfter: () => undefined,
    };
    expect(context.book.volumeAt('BID', ticks(99))).toBe(10);
    expect(context.priceOf(ticks(99)).toFixed()).toBe(context.priceText(ticks(99)));
    expect(() => {
      (context as { pair: string }).pair = 'other';
    }).toThrow(TypeError);
  });
});
