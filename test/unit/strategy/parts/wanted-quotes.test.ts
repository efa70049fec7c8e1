/** The quotes of several parts, taken together. */
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../src/domain/intent.ts';
import type { Side } from '../../../../src/domain/market.ts';
import { WantedQuotes } from '../../../../src/strategy/parts/wanted-quotes.ts';
import { lots, ticks } from '../host-fixture.ts';

type Quote = Extract<Intent, { kind: 'quote' }>;

/** `part` is empty for the strategy itself; an order is its level, side and price. */
function quote(part: string, ...orders: readonly (readonly [string, Side, number])[]): Quote {
  const name = (level: string): string => (part === '' ? level : `${part}/${level}`);
  return {
    ...{ kind: 'quote', pair: 'XBTZAR', reason: `of ${part}` },
    ...(part === '' ? {} : { part }),
    orders: orders.map(([level, side, price]) => ({
      ...{ level: name(level), side, price: ticks(price), volume: lots(1) },
    })),
  };
}

const levels = (quotes: WantedQuotes) => quotes.wanted?.orders.map(({ level }) => level);
const crossed = (quotes: WantedQuotes) =>
  quotes.crossed.map(({ order, against }) => [order.level, against.level]);

function wanted(...all: readonly Quote[]): WantedQuotes {
  const quotes = new WantedQuotes();
  for (const one of all) quotes.set(one);
  return quotes;
}

describe('without parts', () => {
  it('is the quote itself', () => {
    const only = quote('', ['b', 'BID', 90]);
    const quotes = wanted(quote('', ['a', 'ASK', 80]), only);
    expect(quotes.wanted).toBe(only);
    expect(quotes.parts).toBeUndefined();
    quotes.end('exit');
    expect(quotes.wanted).toBe(only);
    quotes.end();
    expect(quotes.wanted).toBeUndefined();
  });
});

describe('with parts', () => {
  it('has the orders of all, and each part replaces its own', () => {
    const quotes = wanted(
      quote('', ['b', 'BID', 90]),
      quote('exit', ['a', 'ASK', 110]),
      quote('exit', ['c', 'ASK', 111]),
    );
    expect(levels(quotes)).toEqual(['b', 'exit/c']);
    expect(quotes.wanted?.reason).toBe('of ; exit: of exit');
    expect(quotes.quoteOf('exit/c')).toBe(quotes.of('exit'));
    expect([quotes.covers('exit/x'), quotes.covers('b'), quotes.covers('other/x')]).toEqual([
      ...[true, true, false],
    ]);
  });

  it('ends a part with those in it, and becomes the plain quote again', () => {
    const plain = quote('', ['b', 'BID', 90]);
    const quotes = wanted(
      ...[plain, quote('exit', ['a', 'ASK', 110]), quote('exit/near', ['a', 'ASK', 105])],
      quote('exits', ['a', 'ASK', 120]),
    );
    quotes.end('exit');
    expect(levels(quotes)).toEqual(['b', 'exits/a']);
    quotes.end('exits');
    expect(quotes.wanted).toBe(plain);
    expect(quotes.parts).toBeUndefined();
  });

  it('leaves out the order of the later one that crosses, until the other moves or ends', () => {
    const quotes = wanted(quote('maker', ['b', 'BID', 100]), quote('exit', ['a', 'ASK', 100]));
    expect([levels(quotes), crossed(quotes)]).toEqual([['maker/b'], [['exit/a', 'maker/b']]]);
    // What waits is no obstacle for the one that was first.
    quotes.set(quote('maker', ['b', 'BID', 101]));
    expect([levels(quotes), crossed(quotes)]).toEqual([['maker/b'], [['exit/a', 'maker/b']]]);
    quotes.set(quote('maker', ['b', 'BID', 99]));
    expect([levels(quotes), crossed(quotes)]).toEqual([['maker/b', 'exit/a'], []]);
    quotes.set(quote('maker', ['b', 'BID', 100], ['c', 'BID', 98]));
    expect(crossed(quotes)).toEqual([['maker/b', 'exit/a']]);
    expect(levels(quotes)).toEqual(['exit/a', 'maker/c']);
    quotes.end('exit');
    expect([levels(quotes), crossed(quotes)]).toEqual([['maker/b', 'maker/c'], []]);
  });
});
