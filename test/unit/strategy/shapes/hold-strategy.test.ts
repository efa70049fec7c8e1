/** The shape for holdings: how it works towards what is wanted, and what it does with nonsense. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Intent } from '../../../../src/domain/intent.ts';
import type { Market } from '../../../../src/domain/market.ts';
import type { Candle } from '../../../../src/domain/market-view.ts';
import { type Hold, holdStrategy } from '../../../../src/index.ts';
import type { AnyStrategy } from '../../../../src/strategy/contract.ts';
import type { OwnOrder } from '../../../../src/strategy/own-views.ts';
import {
  fillOf,
  hostOf,
  lots,
  pass,
  startMs,
  ticks,
  topOf,
  tradeOf,
  Views,
} from '../host-fixture.ts';

const pair = 'XBTZAR';
const minute = 60_000;

type Options = {
  readonly on?: 'candle' | 'change';
  readonly by?: 'taking' | 'resting';
  readonly history?: () => number;
};

/** A host whose strategy wants what `wish` returns. */
function start(
  wish: (candles: readonly Candle[]) => Hold | undefined,
  options: Options = {},
  rules: Partial<Market> = {},
) {
  const plugin = holdStrategy({
    name: 'holder',
    parameters: {},
    on: options.on ?? 'candle',
    by: options.by ?? 'taking',
    history: options.history ?? (() => 0),
    hold: ({ candles }) => wish(candles),
  });
  const views = new Views();
  views.market = { ...views.market, ...rules };
  views.top = topOf(999_900, 1_000_100);
  const parameters = plugin.parameters.parse({ size: '0.01', slip: '10bps' });
  const host = hostOf(plugin as AnyStrategy, { views, parameters });
  host.start(startMs);
  expect(host.takeFaults()).toEqual([]);
  let atMs = startMs;
  const take = () => host.takeIntents()[0];
  return {
    ...{ views, host, take },
    /** Ends a candle with a trade at this price. */
    close(price = 1_000): Intent | undefined {
      host.deliver(atMs + 1, { kind: 'trade', pair, trade: tradeOf(price) });
      atMs += minute;
      return pass(host, atMs)[0]?.intent;
    },
    /** Changes the best prices `afterMs` after the start. */
    move(bid: number, ask: number, afterMs: number): Intent | undefined {
      views.top = topOf(bid, ask);
      host.deliver(startMs + afterMs, { kind: 'top', pair, top: topOf(bid, ask) });
      return take();
    },
  };
}

const all: Hold = { share: 1, why: 'in' };
const none: Hold = { share: 0, why: 'out' };
const position = (volume: number) => ({
  ...{ base: lots(volume), highest: lots(volume), lowest: lots(volume) },
});
const shown = (intent: Intent | undefined) => {
  if (intent?.kind === 'place' && !('type' in intent.terms))
    return `${intent.terms.side} ${intent.terms.volume} at ${intent.terms.price}`;
  if (intent?.kind !== 'quote') return intent?.kind === 'idle' ? intent.reason : intent;
  const [order] = intent.orders;
  return order === undefined
    ? `none: ${intent.reason}`
    : `rests ${order.side} ${order.volume} at ${order.price}`;
};

describe('a strategy that holds', () => {
  it('buys up to the wanted share, and sells down to it, with one order a candle', () => {
    let wanted = all;
    const { views, close } = start(() => wanted);
    const first = close();
    expect(shown(first)).toBe('BID 100 at 1001100');
    expect(first).toMatchObject({ key: String(startMs), reason: 'in' });
    views.position = position(40);
    expect(shown(close())).toBe('BID 60 at 1001100');
    views.position = position(100);
    expect(shown(close())).toBe('holds what it wants: in');
    wanted = { share: 0.5, why: 'half' };
    expect(shown(close())).toBe('ASK 50 at 998901');
    wanted = none;
    expect(shown(close())).toBe('ASK 100 at 998901');
  });

  it('is done when it holds what it wants last', () => {
    const { views, close } = start(() => ({ share: 0, why: 'sell all', isLast: true }));
    views.position = position(100);
    expect(shown(close())).toBe('ASK 100 at 998901');
    views.position = position(60);
    expect(shown(close())).toBe('ASK 60 at 998901');
    views.position = position(0);
    expect(close()).toEqual({ kind: 'done', reason: 'holds what it wants: sell all' });
    expect(close()).toBeUndefined();
  });

  it('leaves a small difference, and no remainder that could not be sold', () => {
    const wanted = { share: 1, why: 'in' };
    const { views, close } = start(() => wanted, {}, { volumeMin: lots(20) });
    views.position = position(96);
    expect(shown(close())).toBe('holds what it wants: in');
    wanted.share = 0.1;
    expect(shown(close())).toBe('ASK 96 at 998901');
    views.position = position(19);
    wanted.share = 0;
    expect(shown(close())).toBe('holds what it wants, with a remainder of 0.0019 XBT: in');
    wanted.share = 0.3;
    expect(shown(close())).toBe('BID 20 at 1001100');
  });

  it('orders no more than there is room for, and says why there is none', () => {
    const { views, close } = start(() => all);
    views.available = { ZAR: '50', XBT: '100' };
    const less = close();
    expect(shown(less)).toBe('BID 49 at 1001100');
    expect(less).toMatchObject({
      reason: 'in; the balance leaves 50 of the 100.11 ZAR needed',
    });
    views.available = {};
    expect(shown(close())).toBe(
      'no bid: the balance leaves 0 of the 100.11 ZAR needed, and an order needs at least 0.0001 XBT at 10011.00 ZAR',
    );
  });

  it.each([
    [Number.NaN, 'the wanted share is NaN, and must be a number from 0 to 1'],
    [Number.POSITIVE_INFINITY, 'the wanted share is Infinity, and must be a number from 0 to 1'],
    [-0.5, 'the wanted share is -0.5, and must be a number from 0 to 1'],
    ['1', 'the wanted share is "1", and must be a number from 0 to 1'],
    [2, 'the wanted share is 2, and must be a number from 0 to 1'],
  ])('places nothing for the share %j, and goes on', (share, reason) => {
    let wanted: Hold = { share, why: 'nonsense' } as Hold;
    const { close } = start(() => wanted);
    expect(shown(close())).toBe(reason);
    wanted = all;
    expect(shown(close())).toBe('BID 100 at 1001100');
  });

  it.each([
    [1, 'hold returned 1, and must return share and why'],
    [Promise.resolve(all), 'hold returned a promise, and must return share and why'],
    [null, 'no wish yet'],
  ])('places nothing if hold returns %j', (wish, reason) => {
    expect(shown(start(() => wish as never).close())).toBe(reason);
  });

  it('has a reason of its own where a plugin has none, and cuts one that is too long', () => {
    let why: unknown = '';
    const { close } = start(() => ({ share: 1, why }) as never);
    expect(close()).toMatchObject({ kind: 'place', reason: 'no reason given' });
    why = 'x'.repeat(10_000);
    expect(close()).toMatchObject({ kind: 'place', reason: `${'x'.repeat(999)}…` });
  });

  it.each([
    [{ paramters: {} }, /holdStrategy: paramters is unknown; did you mean parameters\?/u],
    [{ hold: undefined }, /holdStrategy: hold is missing/u],
    [{ hold: 1 }, /holdStrategy: hold must be a function, was 1/u],
    [{ on: 'tick' }, /holdStrategy: on must be candle or change, was "tick"/u],
    [{ by: 'maker' }, /holdStrategy: by must be taking or resting, was "maker"/u],
    [{ parameters: z.strictObject({}) }, /parameters must be zod types by name/u],
    [{ parameters: { a: 1 } }, /parameters must be zod types by name, .* a was 1/u],
  ])('refuses the options %j when it is loaded', (change, message) => {
    const options = { name: 'x', parameters: {}, hold: () => undefined, ...change };
    expect(() => holdStrategy(options as never)).toThrow(message);
  });

  it('has candles of any length without a history', () => {
    const plugin = holdStrategy({ name: 'x', parameters: {}, hold: () => undefined });
    const parameters = plugin.parameters.parse({ size: '1', candle: '10s' });
    expect(plugin.warmUp?.(parameters)).toEqual({ intervalMs: 60_000, candles: 0 });
  });

  it('waits for its candles, shows the last ones, and keeps its wish without a new one', () => {
    const seen: number[][] = [];
    const { close } = start(
      (candles) => {
        seen.push(candles.map(({ close: price }) => price));
        return seen.length === 1 ? all : undefined;
      },
      { history: () => 2 },
    );
    expect(shown(close(1))).toBe('1 of 2 candles');
    expect(shown(close(2))).toBe('BID 100 at 1001100');
    expect(shown(close(3))).toBe('BID 100 at 1001100');
    expect(seen).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('can be asked at each change of the best prices, with an order a second at most', () => {
    const { views, move } = start(() => all, { on: 'change' });
    expect(shown(move(999_900, 1_000_000, 10))).toBe('BID 100 at 1000999');
    expect(shown(move(999_900, 1_000_200, 20))).toBe('an order was placed within a second');
    const second = move(999_900, 1_000_000, 1_010);
    expect(second).toMatchObject({ kind: 'place', key: `${startMs + 1_010}.2` });
    views.position = position(100);
    expect(shown(move(999_900, 1_000_300, 3_000))).toBe('holds what it wants: in');
  });

  it('can rest at the best price of its own side, and follow it', () => {
    let wanted = all;
    const { views, host, close, move, take } = start(() => wanted, { by: 'resting' });
    expect(shown(close())).toBe('rests BID 100 at 999900');
    const own: OwnOrder = {
      ...{ key: 'a', level: 'hold', filled: lots(60), state: 'open', cancelling: false },
      terms: { side: 'BID', price: ticks(999_900), volume: lots(100), postOnly: true },
    };
    views.orders = [own];
    views.position = position(60);
    views.available = { ZAR: '0' };
    expect(shown(move(1_000_000, 1_000_200, minute + 5))).toMatch(/rests BID (39|40) at 1000000/u);
    views.position = position(100);
    host.deliver(startMs + minute + 6, { kind: 'fill', pair, fill: fillOf() });
    expect(shown(take())).toBe('none: holds what it wants: in');
    wanted = none;
    views.orders = [];
    views.available = { XBT: '1' };
    expect(shown(close())).toBe('rests ASK 100 at 1000200');
    views.top = topOf(999_900, undefined);
    expect(shown(close())).toBe('none: its own side of the book is empty');
  });
});
