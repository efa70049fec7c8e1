/** Parameters that an operator sets while a strategy runs: what holds, and what is refused. */
import { EMPTY } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  holdStrategy,
  param,
  quoteStrategy,
  share,
  span,
} from '../../../../src/index.ts';
import type { AnyStrategy } from '../../../../src/strategy/contract.ts';
import { changeParameters } from '../../../../src/strategy/parameters/change-parameters.ts';

const description = 'What it does.';
const mayChange = true;
const strategy = defineStrategy({
  name: 'grid',
  pairs: 1,
  parameters: z
    .object({
      width: param(share, { description, from: '1bps', to: '5%', mayChange }),
      size: param(amount, { description, from: '0.001', to: '1', default: '0.01', mayChange }),
      wait: param(span, { description, from: '1s', to: '1m', default: '15s', mayChange }),
      levels: param(z.int(), { description, from: 1, to: 9, default: 3, mayChange }),
      sides: param(z.enum(['both', 'bid', 'ask']), { description, default: 'both', mayChange }),
      isShy: param(z.boolean(), { description, default: false, mayChange }),
      seed: param(z.int(), { description, default: 1 }),
      note: z.string().default(''),
    })
    .superRefine(({ levels, size }, context) => {
      if (levels * Number(size) > 5)
        context.addIssue({ code: 'custom', path: ['levels'], message: 'must fit size' });
    }),
  run: () => EMPTY,
}) as unknown as AnyStrategy;
const settings = {
  ...{ id: 'mm', plugin: 'grid', pairs: ['XBTZAR'] },
  parameters: { width: '10bps', seed: 4 },
};
const set = (texts: Record<string, string>) => changeParameters(strategy, settings, texts);

describe('parameters that are set', () => {
  it('hold together with those that stay, as the schema parses them', () => {
    const { fitted, given, changes } = set({ width: '20bps', levels: '5', isShy: 'true' });
    expect(fitted.parameters).toEqual({
      ...{ width: 0.002, size: '0.01', wait: 15_000, levels: 5 },
      ...{ sides: 'both', isShy: true, seed: 4, note: '' },
    });
    expect(given).toEqual({ width: '20bps', seed: 4, levels: 5, isShy: true });
    expect(changes).toEqual([
      { name: 'width', was: '10bps', is: '20bps' },
      { name: 'levels', was: '3', is: '5' },
      { name: 'isShy', was: 'false', is: 'true' },
    ]);
  });

  it('are no change if they are as before', () => {
    expect(set({ width: '10bps', sides: 'both' }).changes).toEqual([]);
  });

  it.each([
    [{ width: '9%' }, 'width was "9%": must be from 1bps to 5%'],
    [
      { width: '20' },
      'width was "20": must be a share such as "20bps" or "2%"; did you mean 20bps?',
    ],
    [{ wait: '20 sec' }, /^wait was "20 sec": must be a span .*; did you mean 20s\?$/u],
    [{ size: 'NaN' }, /^size was "NaN": must be a decimal amount above 0/u],
    [{ levels: 'NaN' }, 'levels was "NaN": must be a number from 1 to 9'],
    [{ levels: '2.5' }, 'levels was "2.5": must be a whole number from 1 to 9'],
    [{ levels: 'Infinity' }, 'levels was "Infinity": must be a number from 1 to 9'],
    [{ levels: '1e400' }, 'levels was "1e400": must be a number from 1 to 9'],
    [{ sides: 'bids' }, 'sides was "bids": must be one of "both"|"bid"|"ask"; did you mean bid?'],
    [{ isShy: 'yes' }, 'isShy was "yes": must be true or false'],
    [{ widht: '20bps' }, 'mm has no parameter widht; did you mean width?'],
    [JSON.parse('{"__proto__":"1"}'), /^mm has no parameter __proto__; it has width, /u],
    [
      { seed: '5' },
      'seed of mm cannot change while the bot runs (width, size, wait, levels, sides, isShy can): change it in the settings file and restart the bot',
    ],
    [{ note: '<script>alert(1)</script>' }, /^note of mm cannot change while the bot runs/u],
    [
      { width: '<script>alert(1)</script>' },
      'width was "<script>alert(1)</script>": must be a share such as "20bps" or "2%"',
    ],
    [{ levels: '9', size: '1' }, 'the values do not fit together: levels must fit size'],
    [
      { width: '20bps', levels: '10', seed: '5' },
      /^levels was "10": must be from 1 to 9; seed of mm cannot change/u,
    ],
  ])('are refused: %j', (texts, problem) => {
    expect(() => set(texts as Record<string, string>)).toThrow(problem);
  });

  it('are refused if more candles from before the start would be needed', () => {
    const hold = holdStrategy({
      name: 'hold',
      parameters: { count: param(z.int(), { description, from: 1, to: 50, mayChange }) },
      history: ({ count }) => count,
      hold: () => undefined,
    }) as unknown as AnyStrategy;
    const given = { ...settings, parameters: { size: '1', count: 20 } };
    expect(() => changeParameters(hold, given, { count: '40' })).toThrow(
      'with these values the strategy would need 40 candles of 1m from before its start instead ' +
        'of 20 candles of 1m: change them in the settings file and restart the bot',
    );
    expect(changeParameters(hold, given, { slip: '20bps' }).changes).toEqual([
      { name: 'slip', was: '10bps', is: '20bps' },
    ]);
  });

  it('are refused if code of the plugin throws on them, or makes nonsense of them', () => {
    const made = (more: object) =>
      quoteStrategy({
        name: 'odd',
        parameters: { width: param(share, { description, from: '1bps', to: '5%', mayChange }) },
        quote: () => undefined,
        ...more,
      }) as unknown as AnyStrategy;
    const given = { ...settings, parameters: { size: '1', width: '10bps' } };
    const throws = ({ width }: { width: number }) => {
      if (width > 0.01) throw new Error('too wide');
      return {};
    };
    expect(() => changeParameters(made({ check: throws }), given, { width: '2%' })).toThrow(
      /^plugin odd: its parameters threw: too wide/u,
    );
    const nonsense = ({ width }: { width: number }) => (width > 0.01 ? Number.NaN : width);
    expect(() => changeParameters(made({ halfSpread: nonsense }), given, { width: '2%' })).toThrow(
      'strategies.mm: odd quotes with a halfSpread of NaN',
    );
  });
});

describe('an author who says that a parameter may change', () => {
  it.each([
    () => param(share, { description, from: '1bps', mayChange }),
    () => param(z.string(), { description, mayChange }),
  ])('says in which range', (make) => {
    expect(make).toThrow('param: mayChange needs from and to');
  });

  it('is refused for the candle of a strategy that holds', () => {
    const candle = param(span, { description, from: '1m', to: '1h', default: '1m', mayChange });
    const make = () => holdStrategy({ name: 'h', parameters: { candle }, hold: () => undefined });
    expect(make).toThrow('strategy "h": candle cannot change while it runs: leave out mayChange');
  });
});
