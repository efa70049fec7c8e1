/** Intents of an event appear at once in the strategy's orders and position. */
import { concatMap, from, map, merge, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/domain/intent.ts';
import type { MarketContext } from '../../../src/strategy/contract.ts';
import { fillOf, hostOf, lots, pluginOf, startMs, ticks, topOf, Views } from './host-fixture.ts';

const pair = 'XBTZAR';
const place = (key: string, side: 'BID' | 'ASK', price: number, volume: number): Intent => {
  const terms = { side, price: ticks(price), volume: lots(volume) };
  return { kind: 'place', pair, key, terms, reason: 'test' };
};

/** Returns what a strategy sees after each of `intents`, all emitted in one event. */
function seenAfter(intents: readonly Intent[], views = new Views()): string[] {
  const seen: string[] = [];
  const host = hostOf(
    pluginOf(({ pairs: [market], available }) =>
      (market as MarketContext).top$.pipe(
        concatMap(() =>
          from([...intents, undefined]).pipe(
            map((intent) => {
              const { orders, position } = market as MarketContext;
              const texts = orders.map(
                ({ key, level, state, terms }) =>
                  `${key}${level === undefined ? '' : `@${level}`} ${state} ${terms.side} ${terms.volume}`,
              );
              seen.push(`${texts.join(', ')} | ${position.lowest} to ${position.highest}`);
              seen.push(`${available('ZAR')} ZAR, ${available('XBT')} XBT`);
              return intent ?? { kind: 'idle', pair, reason: 'end' };
            }),
          ),
        ),
      ),
    ),
    { views },
  );
  host.start(startMs);
  host.deliver(startMs, { kind: 'top', pair, top: topOf(99, 101) });
  host.takeIntents();
  return seen;
}

describe('a pending intent', () => {
  it('counts an order by key until it is cancelled or judged', () => {
    const views = new Views();
    views.position = { base: lots(5), highest: lots(7), lowest: lots(4) };
    const cancel: Intent = { kind: 'cancel', pair, key: 'a', reason: 'test' };
    expect(
      seenAfter([place('a', 'BID', 100, 20), place('b', 'ASK', 120, 3), cancel], views),
    ).toEqual([
      ...[' | 4 to 7', '1000000 ZAR, 100 XBT'],
      ...['a pending BID 20 | 4 to 27', '999999.998 ZAR, 100 XBT'],
      ...['a pending BID 20, b pending ASK 3 | 1 to 27', '999999.998 ZAR, 99.9997 XBT'],
      ...['b pending ASK 3 | 1 to 7', '1000000 ZAR, 99.9997 XBT'],
    ]);
  });

  it('counts the orders that a quote would place, until a cancelAll, also after an idle', () => {
    const views = new Views();
    const terms = { side: 'BID', price: ticks(99), volume: lots(2) } as const;
    const held = { filled: lots(0), state: 'open', cancelling: false } as const;
    views.orders = [{ key: 'bid.1', level: 'bid', terms, ...held }];
    const orders = [
      { level: 'bid', ...terms },
      { level: 'ask', side: 'ASK', price: ticks(101), volume: lots(3) } as const,
    ];
    const quote: Intent = { kind: 'quote', pair, orders, reason: 'test' };
    const all: Intent = { kind: 'cancelAll', pair, reason: 'test' };
    const idle: Intent = { kind: 'idle', pair, reason: 'test' };
    const seen = seenAfter([quote, all, quote, idle], views).filter((_, at) => at % 2 === 0);
    expect(seen).toEqual([
      'bid.1@bid open BID 2 | 0 to 0',
      'bid.1@bid open BID 2, ask@ask pending ASK 3 | -3 to 0',
      'bid.1@bid open BID 2 | 0 to 0',
      'bid.1@bid open BID 2, ask@ask pending ASK 3 | -3 to 0',
      'bid.1@bid open BID 2, ask@ask pending ASK 3 | -3 to 0',
    ]);
  });

  it('keeps a strategy that checks its orders from placing the same order twice', () => {
    let keys = 0;
    const host = hostOf(
      pluginOf(({ pairs: [first] }) => {
        const market = first as MarketContext;
        return merge(market.fill$, market.order$, market.top$).pipe(
          map(() =>
            market.orders.length > 0
              ? ({ kind: 'idle', pair, reason: 'an order is there' } as const)
              : place(`exit-${keys++}`, 'ASK', 101, 1),
          ),
        );
      }),
    );
    host.start(startMs);
    host.deliver(startMs, { kind: 'fill', pair, fill: fillOf() });
    host.deliver(startMs, { kind: 'top', pair, top: topOf(99, 101) });
    expect(host.takeIntents().map(({ kind }) => kind)).toEqual(['place', 'idle']);
    // After its judgement the engine shows the order, unless it was refused.
    host.deliver(startMs, { kind: 'top', pair, top: topOf(98, 101) });
    expect(host.takeIntents().map(({ kind }) => kind)).toEqual(['place']);
  });

  it('returns the same frozen objects until something changes', () => {
    const views = new Views();
    const own = views.access();
    const orders = own.orders();
    const position = own.position();
    const access = { ...own, orders: () => orders, position: () => position };
    let isSame = false;
    const host = hostOf(
      pluginOf(({ pairs: [first] }) => {
        const { orders: before } = first as MarketContext;
        return of(place('a', 'BID', 100, 1), place('b', 'BID', 100, 1)).pipe(
          map((intent, index) => {
            const { orders, position } = first as MarketContext;
            const again = first as MarketContext;
            isSame = orders === again.orders && position === again.position;
            expect(Object.isFrozen(orders)).toBe(true);
            expect(orders).toHaveLength(index);
            expect(before).toHaveLength(0);
            return intent;
          }),
        );
      }),
      { views: Object.assign(views, { access: () => access }) },
    );
    host.start(startMs);
    expect(host.takeFaults().map(({ kind }) => kind)).toEqual(['completed']);
    expect(isSame).toBe(true);
  });
});
