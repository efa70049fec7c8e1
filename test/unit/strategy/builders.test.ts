/** Functions that make intents: they return what the bot takes, and name what is wrong. */
import { map, type Observable, of } from 'rxjs';
import { expect, it } from 'vitest';
import { cancel, type Intent, lotsOf, place, quote, ticksOf } from '../../../src/index.ts';

const market = { pair: 'XBTZAR' };
const terms = { side: 'BID', price: ticksOf(990_000), volume: lotsOf(10_000) } as const;

it('make intents of their kind, with options', () => {
  const orders = [{ ...terms, level: 'bid' }];
  expect(quote(market, orders, 'why', { toleranceTicks: 5, onMove: 'cancel' })).toEqual({
    ...{ kind: 'quote', pair: 'XBTZAR', orders, reason: 'why' },
    ...{ toleranceTicks: 5, onMove: 'cancel' },
  });
  expect(place(market, 'a', terms, 'why', { reduceOnly: true, tag: 'exit' })).toEqual({
    ...{ kind: 'place', pair: 'XBTZAR', key: 'a', terms, reason: 'why' },
    ...{ reduceOnly: true, tag: 'exit' },
  });
  expect(cancel(market, 'a', 'why')).toEqual({
    kind: 'cancel',
    pair: 'XBTZAR',
    key: 'a',
    reason: 'why',
  });
});

it('need no type annotation in a stream', () => {
  const intents: Observable<Intent> = of(1, 2).pipe(
    map((count) =>
      count === 1 ? quote(market, [], 'why') : place(market, `${count}`, terms, 'why'),
    ),
  );
  expect(intents).toBeDefined();
});

it.each([
  ['quote', () => quote(undefined as never, [], 'why')],
  ['place', () => place({} as never, 'a', terms, 'why')],
  ['cancel', () => cancel('XBTZAR' as never, 'a', 'why')],
])('%s names itself when it gets no market', (name, call) => {
  expect(call).toThrow(`${name}: market must be a market, such as context.pairs[0], was `);
});
