/** What `quoteStrategy` does, as a part of a strategy. */
import { merge } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../../../../src/domain/errors.ts';
import { defineStrategy, type QuoteMoment, quoting } from '../../../../src/index.ts';
import { fakeContext } from '../../../../src/testing.ts';

const parameters = z.strictObject({ size: z.string(), refresh: z.number().optional() });
type Parameters = z.infer<typeof parameters>;
const values = ({ size, refresh }: Parameters) => ({
  size,
  ...(refresh === undefined ? {} : { refresh }),
});

/** Bids and asks in parts of their own. */
function twoSided(asked: { readonly askAt?: number } = {}) {
  const { askAt } = asked;
  return defineStrategy({
    name: 'two',
    parameters,
    pairs: 1,
    run: (context) =>
      merge(
        context.part(
          'buy',
          quoting({ values, quote: ({ mid }: QuoteMoment<Parameters>) => ({ bid: mid * 0.9 }) }),
        ),
        context.part(
          'sell',
          quoting({ values, quote: ({ mid }) => ({ ask: askAt ?? mid * 1.25 }) }),
        ),
      ),
  });
}

const top = { a: { bid: '9999', ask: '10001' }, b: { bid: '10999', ask: '11001' } };
const available = { ZAR: '100000', XBT: '1' };

describe('quoting', () => {
  it('keeps the orders of each part where its quote wants them', () => {
    const { orders, lines } = fakeContext(twoSided(), {
      ...{ parameters: { size: '0.01', refresh: 1_000 }, top: ['ab', top], available, for: '3s' },
    });
    const resting = orders['XBTZAR']?.map(({ level, terms: { price } }) => [level, price]);
    expect(resting).toEqual([
      ['buy/bid', 9_900],
      ['sell/ask', 13_750],
    ]);
    expect(lines[0]).toBe(
      '0ms quote XBTZAR of buy: BID 0.01 at 9000 post-only (around 9999 / 10001)',
    );
  });

  it('quotes anew every 15 seconds, within 2 bps, unless it is told otherwise', () => {
    const { intents } = fakeContext(twoSided(), {
      ...{ parameters: { size: '0.01' }, top: ['a', top], available, for: '20s' },
    });
    expect(
      intents.map(({ atMs, intent }) => [
        atMs,
        'toleranceTicks' in intent && intent.toleranceTicks,
      ]),
    ).toEqual([
      [0, 2],
      [0, 2],
      [15_000, 2],
      [15_000, 2],
    ]);
  });

  it('is refused where it would cross the other part', () => {
    const { orders, refusals } = fakeContext(twoSided({ askAt: 8_000 }), {
      parameters: { size: '0.01' },
      top: ['a', { a: { bid: '7000', ask: '11000' } }],
      ...{ available, for: '1s' },
    });
    expect(orders['XBTZAR']?.map(({ level }) => level)).toEqual(['buy/bid']);
    expect(refusals).toEqual([
      {
        ...{ key: 'sell/ask', codes: ['QUOTE_CROSSED'] },
        ...{ observed: 'ASK sell/ask at 8000', limit: 'BID buy/bid at 8100' },
      },
    ]);
  });

  it.each<[object, string]>([
    [{ quote: () => undefined }, 'quoting: values is missing'],
    [{ values, quote: 7 }, 'quoting: quote must be a function, was 7'],
    [{ values, quote: () => undefined, name: 'x' }, 'quoting: name is unknown'],
    [{ values, qoute: () => undefined }, 'quoting: qoute is unknown; did you mean quote?'],
  ])('names a wrong option: %o', (options, problem) => {
    const make = () => quoting(options as never);
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(problem);
  });
});
