/**
 * Every function of the strategy contract checks its arguments: with a wrong one it names itself,
 * the argument and what it got. The functions are found in a real context, so a new one without a
 * check, or without a line here, fails.
 */
import { isObservable, NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Context, Decimal, decimalOf, defineStrategy } from '../../../src/index.ts';
import { hostOf, pluginOf, startMs, topOf, Views } from './host-fixture.ts';

/** Valid arguments of each function, by its path in the context. */
const valid: Readonly<Record<string, readonly unknown[]>> = {
  'context.state': [],
  'context.available': ['XBT'],
  'context.budget': ['ZAR'],
  'context.balance': ['ZAR'],
  'context.profit': ['ZAR'],
  'context.fees': ['XBT'],
  'context.callsLeft': [],
  'context.feed': ['reference'],
  'context.every': [1_000],
  'context.schedule': ['0 9 * * *', 'UTC'],
  'context.part': ['exit', () => NEVER],
  'context.slot': ['bought', z.number(), 0],
  'context.nowMs': [],
  'context.random': [],
  'market.book.volumeAt': ['BID', 100],
  'market.book.levels': ['BID', 5],
  'market.book.vwap': ['ASK', 10],
  'market.book.imbalance': [1],
  'market.candle$': [60_000],
  'market.filledOf': ['k1'],
  'market.fillsSince': [startMs],
  'market.ticks': ['1.25'],
  'market.lots': ['0.0125'],
  'market.nearestTick': ['1.255', 'up'],
  'market.marketPrice': ['BID'],
  'market.nearestLot': [new Decimal('0.01'), 'down'],
  'market.round': [10.5, 'down'],
  'market.lotsFor': ['100', 12_345],
  'market.room': ['BID', 100, 1],
  'market.valueOf': [100, 1],
  'market.amountOf': [1],
  'market.priceOf': [100],
  'market.priceText': [100],
};

/** Those that leave a wrong argument out and say so in a line, with their number of arguments. */
const outputs: Readonly<Record<string, number>> = {
  'context.log': 2,
  'context.metric': 2,
  'market.plot': 3,
};

/** Wrong for every argument, as a misspelt member of the parameters or a wrong type is. */
const wrong: readonly (readonly [value: unknown, shown: string])[] = [
  [undefined, 'undefined'],
  [null, 'null'],
  [Number.NaN, 'NaN'],
  [{}, 'an object'],
  ['', '""'],
  ['one', '"one"'],
  [new Decimal(Number.NaN), 'the Decimal NaN'],
  [() => 1, 'a function'],
];

/** What is right there, by function and place of the argument: any word is a name. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'context.part 0': ['"one"'],
  'context.part 1': ['a function'],
  'context.slot 0': ['"one"'],
  'market.filledOf 0': ['"one"'],
};

type Called = (...values: readonly unknown[]) => unknown;

/** Returns the functions of `value` and of the objects in it, by path. */
function functionsIn(value: object, path: string): readonly (readonly [string, Called])[] {
  return Object.entries(value).flatMap(([name, member]): (readonly [string, Called])[] => {
    const inner = `${path}.${name}`;
    if (typeof member === 'function') return [[inner, member as Called]];
    // Of RxJS, whose operators call them; decimals are of decimal.js.
    const isForeign = isObservable(member) || name === 'scheduler' || Decimal.isDecimal(member);
    if (typeof member !== 'object' || member === null || isForeign) return [];
    return name === 'pairs'
      ? [...functionsIn((member as object[])[0] ?? {}, 'market')]
      : [...functionsIn(member, inner)];
  });
}

function functionsOfContract(): readonly (readonly [string, Called])[] {
  const views = new Views();
  views.top = topOf(99, 101);
  let context: Context<unknown, unknown> | undefined;
  const plugin = pluginOf((given) => {
    context = given;
    return NEVER;
  });
  const feeds = new Map([['reference', { latest: undefined, isUsable: false }]]);
  hostOf(plugin, { views, parameters: {}, feeds }).start(startMs);
  if (context === undefined) throw new Error('the strategy was not started');
  return functionsIn(context, 'context');
}

const functions = functionsOfContract();

describe('the contract', () => {
  it('has exactly the functions whose arguments are checked below', () => {
    const listed = [...Object.keys(valid), ...Object.keys(outputs)];
    expect(functions.map(([path]) => path).sort()).toEqual(listed.sort());
    for (const [path, call] of functions)
      expect([path, call.length]).toEqual([path, valid[path]?.length ?? outputs[path]]);
  });

  const refusing = functions.filter(([path]) => outputs[path] === undefined);

  it.each(refusing)('%s refuses each wrong argument by name', (path, call) => {
    const given = valid[path] ?? [];
    expect(() => call(...given)).not.toThrow();
    for (let at = 0; at < given.length; at++)
      for (const [value, shown] of wrong) {
        if (allowed[`${path} ${at}`]?.includes(shown) === true) continue;
        const values = given.map((one, index) => (index === at ? value : one));
        let error: unknown;
        try {
          call(...values);
        } catch (thrown) {
          error = thrown;
        }
        expect(error, `${path} with ${shown} at ${at}`).toBeInstanceOf(RangeError);
        const { message } = error as RangeError;
        expect(message.startsWith(`${path}: `)).toBe(true);
        expect(message).toMatch(/^\S+: \w+ must be /u);
        expect(message.endsWith(`, was ${shown}`), message).toBe(true);
      }
  });

  it('refuses wrong arguments of what else a strategy imports', () => {
    expect(() => decimalOf(undefined as unknown as string)).toThrow(
      /plain decimal, was "undefined"/u,
    );
    const define = defineStrategy as unknown as Called;
    expect(() => define(undefined)).toThrow(/^defineStrategy: strategy must be an object/);
    const state = { name: 'x', parameters: { safeParse: () => {} }, pairs: 1, state: {} };
    expect(() => define(state)).toThrow(/state must be an object with schema/);
  });
});
