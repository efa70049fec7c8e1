/** The shape for quotes: what becomes of a wish, also of one that makes no sense. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  amount,
  type Quote,
  type QuoteMoment,
  type QuoteParameters,
  quoteStrategy,
  share,
  span,
} from '../../../../src/index.ts';
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

function viewsAt(bid: number | undefined, ask: number | undefined): Views {
  const views = new Views();
  views.top = topOf(bid, ask);
  return views;
}

type Moment = QuoteMoment<QuoteParameters<Record<never, never>>>;

/** Starts a strategy with this wish, and returns its first intent. */
function firstOf(
  quote: (moment: Moment) => Quote | undefined,
  views = viewsAt(1_000, 1_010),
  lean: (moment: Moment) => number = () => 0,
) {
  const plugin = quoteStrategy({
    name: 'wish',
    parameters: {},
    lean: (_, moment) => lean(moment),
    quote,
  });
  const parameters = plugin.parameters.parse({ size: '0.01' });
  const host = hostOf(plugin as AnyStrategy, { views, parameters });
  host.start(startMs);
  expect(host.takeFaults()).toEqual([]);
  const [intent] = host.takeIntents();
  return intent;
}

/** The orders as texts, and the reason. */
function shownOf(intent: ReturnType<typeof firstOf>) {
  if (intent?.kind !== 'quote') throw new Error(`no quote but ${JSON.stringify(intent)}`);
  const orders = intent.orders.map(({ level, price, volume }) => `${level} ${volume} at ${price}`);
  return [...orders, intent.reason];
}

describe('a strategy that quotes', () => {
  it('passes a tag on, and leaves out a level whose tag is none', () => {
    const tagged = firstOf(() => ({ bid: { price: 990, tag: 'entry' }, ask: 1_020 }));
    expect(tagged).toMatchObject({ orders: [{ level: 'bid', tag: 'entry' }, { level: 'ask' }] });
    const wrong = firstOf(() => ({ bid: { price: 990, tag: '<b>' }, ask: 1_020 }));
    expect(shownOf(wrong)).toEqual([
      'ask 100 at 1020',
      'around 10.00 / 10.10; no bid: the tag is "<b>", and must be 1 to 64 letters, digits, dots, colons, dashes or underscores',
    ]);
  });

  it('rounds prices away from the market and never crosses it', () => {
    expect(shownOf(firstOf(() => ({ bid: 999.9, ask: 1_010.1 })))).toEqual([
      ...['bid 100 at 999', 'ask 100 at 1011', 'around 10.00 / 10.10'],
    ]);
    expect(shownOf(firstOf(() => ({ bid: 2_000, why: 'greed' })))).toEqual([
      'bid 100 at 1009',
      'greed',
    ]);
    expect(shownOf(firstOf(() => ({ ask: 3 })))[0]).toBe('ask 100 at 1001');
  });

  it('is told what requote has emitted last', () => {
    const plugin = quoteStrategy({
      name: 'signal',
      parameters: {},
      requote: (_, { every }) => every(1_000),
      quote: ({ signal = -1 }) => ({ bid: 990 + signal, why: `signal ${signal}` }),
    });
    const views = viewsAt(1_000, 1_010);
    const parameters = plugin.parameters.parse({ size: '0.01' });
    const host = hostOf(plugin as AnyStrategy, { views, parameters });
    host.start(startMs);
    expect(host.takeIntents()[0]).toMatchObject({ reason: 'signal -1' });
    pass(host, startMs + 1_000);
    expect(pass(host, startMs + 2_000)[0]?.intent).toMatchObject({
      ...{ reason: 'signal 1', orders: [{ price: 991 }] },
    });
    host.deliver(startMs + 2_500, { kind: 'fill', pair, fill: fillOf({}) } as never);
    expect(host.takeIntents()[0]).toMatchObject({ reason: 'signal 1' });
  });

  it('is done when it says so', () => {
    const done = firstOf(() => ({ bid: 999, done: 'sold it all' }));
    expect(done).toEqual({ kind: 'done', reason: 'sold it all' });
  });

  it('quotes several levels a side, each with its size, as far as the funds go together', () => {
    const views = viewsAt(1_000, 1_010);
    views.available = { ZAR: '0.25', XBT: '100' };
    const bid = [1_000, { price: 900, size: '0.02' }, 800, { price: 700, size: '0.001' }];
    expect(shownOf(firstOf(() => ({ bid }), views))).toEqual([
      ...['bid 100 at 1000', 'bid.3 100 at 800', 'bid.4 10 at 700'],
      'around 10.00 / 10.10; no bid.2: the balance leaves 0.15 of the 0.18 ZAR needed',
    ]);
  });

  it('lets what its open orders of the side use count for the new ones', () => {
    const views = viewsAt(1_000, 1_010);
    views.available = { ZAR: '0', XBT: '0' };
    const own: OwnOrder = {
      ...{ key: '1', level: 'bid', filled: lots(0), state: 'open', cancelling: false },
      terms: { side: 'BID', price: ticks(1_000), volume: lots(100), postOnly: true },
    };
    views.orders = [own];
    expect(shownOf(firstOf(() => ({ bid: 1_000, ask: 1_010 }), views))).toEqual([
      'bid 100 at 1000',
      'around 10.00 / 10.10; no ask: the balance leaves 0 of the 0.01 XBT needed, and an order needs at least 0.0001 XBT',
    ]);
  });

  it('closes a position with what is left of it, and opens none but in full', () => {
    const views = viewsAt(1_000, 1_010);
    views.available = { ZAR: '0.05', XBT: '0.0099' };
    const wish = () => ({ bid: 1_000, ask: 1_010 });
    expect(shownOf(firstOf(wish, views))).toHaveLength(1);
    views.position = { base: lots(99), highest: lots(99), lowest: lots(99) };
    expect(shownOf(firstOf(wish, views))[0]).toBe('ask 99 at 1010');
    views.position = { base: lots(-50), highest: lots(-50), lowest: lots(-50) };
    expect(shownOf(firstOf(wish, views))[0]).toBe('bid 50 at 1000');
  });

  it('moves all prices by the lean', () => {
    const views = viewsAt(1_000, 1_010);
    views.position = { base: lots(40), highest: lots(40), lowest: lots(40) };
    const leaning = firstOf(
      () => ({ bid: [990, 980], ask: 1_020 }),
      views,
      ({ market }) => -market.position.base / 10,
    );
    expect(shownOf(leaning).slice(0, 3)).toEqual([
      ...['bid 100 at 986', 'bid.2 100 at 976', 'ask 100 at 1016'],
    ]);
  });

  it.each([
    [Number.NaN, /no bid: the wanted price is NaN/],
    [Number.POSITIVE_INFINITY, /no bid: the wanted price is Infinity/],
    ['1000', /no bid: the wanted price is "1000"/],
    [null, /no bid: the wanted price is null/],
    [{ price: 1_000, size: '-1' }, /no bid: the wanted size is "-1"/],
    [{ price: 1_000, size: '0' }, /no bid: the wanted size is "0"/],
    [{ price: 1_000, size: 'much' }, /no bid: market.lots: text must be decimal text/],
    [{ price: 1_000, size: '1e9' }, /no bid: market.lots: text must be decimal text/],
    [-5, /no bid: the wanted price is -5, and must be 1 to \d+ ticks/],
    [Number.MAX_VALUE, /no bid: the wanted price is 1\.79\S+, and must be 1 to \d+ ticks/],
  ])('refuses the bid %j, says so, and goes on', (bid, reason) => {
    const [first, last = ''] = shownOf(firstOf(() => ({ bid, ask: 1_020 }) as never)).slice(-2);
    expect(first).toBe('ask 100 at 1020');
    expect(last).toMatch(reason);
  });

  it('says each mistake of a quote once, as a line, and nothing of orders without room', () => {
    const views = viewsAt(1_000, 1_010);
    const wishes: Quote[] = [
      { bid: 1_000, ask: Number.NaN },
      { bid: 1_001, ask: Number.NaN },
      { bid: 1_008, ask: 1_003 },
      { bid: 1_007, ask: 1_002 },
      { bid: { price: 1_000, size: '1000000' }, ask: 1_020 },
    ];
    const plugin = quoteStrategy({
      ...{ name: 'wish', parameters: {} },
      quote: () => wishes.shift() as Quote,
    });
    const parameters = plugin.parameters.parse({ size: '0.01', refresh: '1s' });
    const host = hostOf(plugin as AnyStrategy, { views, parameters });
    host.start(startMs);
    pass(host, startMs + 5_000);
    expect(wishes).toEqual([]);
    expect(host.outputs.takeLines().map(({ text }) => text)).toEqual([
      'no ask: the wanted price is NaN',
      'no quote: the bid of 10.08 is not below the ask of 10.03',
    ]);
  });

  it('refuses a wish whose bid is not below its ask, and a lean that is no number', () => {
    expect(shownOf(firstOf(() => ({ bid: 1_008, ask: 1_003 })))).toEqual([
      'around 10.00 / 10.10; no quote: the bid of 10.08 is not below the ask of 10.03',
    ]);
    const wish = () => ({ bid: 1_000 });
    expect(shownOf(firstOf(wish, undefined, () => Number.NaN))[0]).toMatch(
      /no bid: the wanted price is 1000, moved by NaN/,
    );
    expect(shownOf(firstOf(() => undefined))).toEqual(['wants no quote']);
  });

  it('quotes one order at a price, whatever comes together there', () => {
    expect(shownOf(firstOf(() => ({ bid: [1_050, 1_040, 1_030, 900] })))).toEqual([
      ...['bid 100 at 1009', 'bid.4 100 at 900'],
      'around 10.00 / 10.10; no bid.2, bid.3: bid has its price of 10.09',
    ]);
  });

  it('keeps the reason short enough, with many levels and with a long one of its own', () => {
    const views = viewsAt(1_000, 1_010);
    views.available = {};
    const bid = Array.from({ length: 40 }, (_, index) => 1_000 - index);
    const [reason = ''] = shownOf(firstOf(() => ({ bid, why: 'x'.repeat(990) }), views));
    expect(reason).toHaveLength(1_000);
    expect(reason).toMatch(/^x{990}; no bid.*…$/u);
  });

  it.each([
    ['a text', 'no quote: quote returned "a text", and must return bid, ask and why'],
    [7, 'no quote: quote returned 7, and must return bid, ask and why'],
    [Promise.resolve(), 'no quote: quote returned a promise, and must return bid, ask and why'],
    [{ bids: 1 }, 'no quote: quote returned bids, and must return bid, ask and why'],
    [null, 'wants no quote'],
  ])('quotes nothing if quote returns %j', (quote, reason) => {
    expect(shownOf(firstOf(() => quote as never))).toEqual([reason]);
  });

  it.each([
    [{ Levels: () => 2 }, /quoteStrategy: Levels is unknown; did you mean levels\?/u],
    [{ quote: undefined }, /quoteStrategy: quote is missing/u],
    [{ lean: 5 }, /quoteStrategy: lean must be a function, was 5/u],
    [{ parameters: undefined }, /parameters must be zod types by name/u],
  ])('refuses the options %j when it is loaded', (change, message) => {
    const options = { name: 'x', parameters: {}, quote: () => undefined, ...change };
    expect(() => quoteStrategy(options as never)).toThrow(message);
  });

  it('refuses a replaced parameter of another type, and a requote that is no stream', () => {
    const of = (parameters: object) =>
      quoteStrategy({ name: 'x', parameters: parameters as never, quote: () => undefined });
    const { error } = of({ size: z.number().default(0.02) }).parameters.safeParse({});
    expect(error?.issues).toMatchObject([
      { path: ['size'], message: 'must be an amount in the plugin' },
    ]);
    const plugin = quoteStrategy({
      ...{ name: 'x', parameters: {}, quote: () => undefined },
      requote: (() => 5) as never,
    });
    const parameters = plugin.parameters.parse({ size: '0.01' });
    const host = hostOf(plugin as AnyStrategy, { views: viewsAt(1, 2), parameters });
    host.start(startMs);
    expect(host.takeFaults()).toMatchObject([
      { message: /requote must return an Observable, was 5/u },
    ]);
  });

  it('quotes anew after an order of its own was rejected a third time in a row', () => {
    const plugin = quoteStrategy({ name: 'x', parameters: {}, quote: ({ bid }) => ({ bid }) });
    const views = viewsAt(1_000, 1_010);
    const parameters = plugin.parameters.parse({ size: '0.01' });
    const host = hostOf(plugin as AnyStrategy, { views, parameters });
    host.start(startMs);
    host.takeIntents();
    views.top = topOf(990, 1_000);
    const terms = { side: 'BID', price: ticks(1_000), volume: lots(100), postOnly: true } as const;
    const order: OwnOrder = {
      ...{ key: '1', level: 'bid', terms, filled: lots(0), state: 'rejected', cancelling: false },
    };
    host.deliver(startMs + 1, { kind: 'order', pair, order });
    expect(host.takeIntents()).toEqual([]);
    host.deliver(startMs + 1, { kind: 'order', pair, order: { ...order, key: '2' } });
    expect(host.takeIntents()).toEqual([]);
    host.deliver(startMs + 2, { kind: 'order', pair, order: { ...order, key: '3' } });
    expect(host.takeIntents()).toMatchObject([{ orders: [{ price: 990 }] }]);
  });

  it('quotes anew after `refresh`, after a fill, and when `requote` emits', () => {
    const plugin = quoteStrategy({
      name: 'again',
      parameters: { refresh: span.default(5_000) },
      requote: (market) => market.trade$,
      quote: ({ bid }) => ({ bid }),
    });
    const parameters = plugin.parameters.parse({ size: '0.01' });
    const host = hostOf(plugin as AnyStrategy, { views: viewsAt(1_000, 1_010), parameters });
    host.start(startMs);
    host.takeIntents();
    expect(pass(host, startMs + 10_000).map(({ atMs }) => atMs - startMs)).toEqual([5_000, 10_000]);
    host.deliver(startMs + 10_001, { kind: 'trade', pair, trade: tradeOf(1_000) });
    expect(host.takeIntents()).toHaveLength(1);
    host.deliver(startMs + 10_002, { kind: 'fill', pair, fill: fillOf() });
    expect(host.takeIntents()).toHaveLength(1);
  });

  it('has its parameters and those of every quote, and declares what follows from them', () => {
    const plugin = quoteStrategy({
      name: 'declared',
      parameters: { width: share, levels: z.int().min(1).max(5), size: amount.default('0.5') },
      check: ({ width, levels }) => (width * levels < 1 ? {} : { width: 'must be smaller' }),
      halfSpread: ({ width }) => width,
      levels: ({ levels }) => levels,
      quote: ({ mid, parameters: { width } }) => ({ bid: mid * (1 - width) }),
    });
    const parameters = plugin.parameters.parse({ width: '10bps', levels: 3 });
    expect(parameters).toEqual({
      ...{ width: 0.001, levels: 3, size: '0.5', refresh: 15_000, tolerance: 0.0002 },
    });
    expect(plugin.quoting?.(parameters)).toEqual({
      ...{ halfSpread: 0.001, refreshMs: 15_000, tolerance: 0.0002 },
    });
    expect(plugin.needs?.(parameters)).toMatchObject({ size: '0.5', ordersAtOnce: 6 });
    const wrong = plugin.parameters.safeParse({ width: '50%', levels: 2 });
    expect(wrong.error?.issues).toMatchObject([{ path: ['width'], message: 'must be smaller' }]);
    expect(plugin.parameters.safeParse({ width: '1%', levels: 1, wide: 1 }).success).toBe(false);
  });
});
