/** Parameters: what is allowed, what is told of them, and mistakes of their author. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { amount, exactShare, param, share, span } from '../../../../src/index.ts';
import { paramsOf } from '../../../../src/strategy/parameters/param.ts';

const description = 'What it does.';

describe('a parameter', () => {
  it.each([
    ['a share', share, '1bps', '2%', ['1bps', '150bps', '2%'], ['0bps', '2.01%']],
    ['an exact share', exactShare, '0%', '50%', ['0%', '50%'], ['50.1%']],
    ['a span', span, '1s', '1m', ['1s', '60s'], ['999ms', '61s']],
    ['an amount', amount, '0.1', '1', ['0.1', '1.00'], ['0.09', '1.0000001']],
    ['a number', z.int(), 2, 5, [2, 5], [1, 6, 2.5]],
  ] as const)('that is %s has its range', (_, type, from, to, right, wrong) => {
    const bounded = param<unknown, unknown>(type as z.ZodType, { description, from, to });
    for (const value of right) expect(bounded.safeParse(value).success, String(value)).toBe(true);
    for (const value of wrong) {
      const { error } = bounded.safeParse(value);
      expect(error?.issues[0]?.message).toMatch(
        value === 2.5 ? /integer|int/u : `must be from ${from} to ${to}`,
      );
    }
    expect(bounded.safeParse(undefined).success).toBe(false);
  });

  it('may be bounded on one side, and may have a default as the settings would have it', () => {
    const one = param(span, { description, from: '1s', default: '15s' });
    expect(one.parse(undefined)).toBe(15_000);
    expect(one.safeParse('1ms').error?.issues[0]?.message).toBe('must be at least 1s');
    const other = param(z.int(), { description, to: 3 });
    expect(other.safeParse(4).error?.issues[0]?.message).toBe('must be at most 3');
  });

  it.each([
    [() => param(share, { description, from: 'much' }), /^param: from must be a value/u],
    [() => param(z.string(), { description, to: 'z' }), /^param: to must be a value/u],
    [() => param(span, { description, default: '15' }), /^param: default: must be a span/u],
    [
      () => param(share, { description, to: '1%', default: '2%' }),
      /^param: default: must be at most 1%/u,
    ],
  ])('refuses a bound or a default of its author that is none', (make, message) => {
    expect(make).toThrow(message);
  });

  it('is found in a schema with what was said of it; a plain type has its default', () => {
    const about = { description, unit: 'candles', from: 1, to: 9, step: 2, default: 3 };
    const schema = z.strictObject({
      count: param(z.int(), about),
      size: amount,
      n: z.int().default(7),
      odd: z.any().refine((value) => value.length > 0),
    });
    expect(paramsOf(schema.superRefine(() => {}))).toEqual([
      ['count', about],
      ['size', undefined],
      ['n', { description: '', default: 7 }],
      ['odd', undefined],
    ]);
    expect(paramsOf(z.unknown())).toEqual([]);
  });
});
