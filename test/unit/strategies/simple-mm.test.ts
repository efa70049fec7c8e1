/** simple-mm, driven through the host: when it quotes, where, and what it leaves out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/domain/intent.ts';
import type { OwnOrder } from '../../../src/strategy/own-views.ts';
import plugin from '../../../strategies/simple-mm/strategy.ts';
import {
  fillOf,
  hostOf,
  lots,
  pass,
  settings,
  startMs,
  ticks,
  topOf,
  Views,
} from '../strategy/host-fixture.ts';

const pair = 'XBTZAR';
const given = { halfSpread: '20bps', size: '0.01', refresh: '15s', tolerance: '2bps' };

function start(views: Views, parameters: Partial<typeof given> = {}, budget = settings.budget) {
  const host = hostOf(plugin, {
    views,
    parameters: plugin.parameters.parse({ ...given, ...parameters }),
    settings: { ...settings, budget },
  });
  host.start(startMs);
  return host;
}

type Quote = Extract<Intent, { kind: 'quote' }>;

function quoteOf(intents: readonly Intent[]): Quote {
  expect(intents).toHaveLength(1);
  const [intent] = intents;
  if (intent?.kind !== 'quote') throw new Error(`no quote: ${JSON.stringify(intent)}`);
  return intent;
}

const sides = (quote: Quote) => quote.orders.map(({ side, price }) => `${side} ${price}`);

function viewsOf(bid: number, ask: number): Views {
  const views = new Views();
  views.top = topOf(bid, ask);
  return views;
}

function own(side: 'BID' | 'ASK', price: number, volume: number, filled = 0): OwnOrder {
  return {
    key: `${side}1`,
    level: side.toLowerCase(),
    terms: { side, price: ticks(price), volume: lots(volume), postOnly: true },
    filled: lots(filled),
    state: 'open',
    cancelling: false,
  };
}

describe('simple-mm', () => {
  it('quotes one bid and one ask, post-only, around the mid, at start', () => {
    const quote = quoteOf(start(viewsOf(999_900, 1_000_100)).takeIntents());
    expect(quote.orders).toEqual([
      { level: 'bid', side: 'BID', price: 998_000, volume: 100, postOnly: true },
      { level: 'ask', side: 'ASK', price: 1_002_000, volume: 100, postOnly: true },
    ]);
    expect(quote.toleranceTicks).toBe(200);
    expect(quote.reason).toBe('around 9999.00 / 10001.00');
  });

  it('idles without a book, and quotes at the first top', () => {
    const views = new Views();
    const host = start(views);
    expect(host.takeIntents()).toEqual([{ kind: 'idle', pair, reason: 'the book is unusable' }]);
    views.top = topOf(999_900, undefined);
    host.deliver(startMs + 1, { kind: 'top', pair, top: topOf(999_900, undefined) });
    expect(host.takeIntents()).toEqual([
      { kind: 'idle', pair, reason: 'the book has no bid or no ask' },
    ]);
    views.top = topOf(999_900, 1_000_100);
    host.deliver(startMs + 2, { kind: 'top', pair, top: topOf(999_900, 1_000_100) });
    expect(quoteOf(host.takeIntents()).orders).toHaveLength(2);
  });

  it('quotes every refresh and after a fill, and not at each top', () => {
    const views = viewsOf(999_900, 1_000_100);
    const host = start(views);
    host.takeIntents();
    views.top = topOf(899_900, 900_100);
    host.deliver(startMs + 1, { kind: 'top', pair, top: topOf(899_900, 900_100) });
    expect(host.takeIntents()).toEqual([]);
    host.deliver(startMs + 2, { kind: 'fill', pair, fill: fillOf() });
    expect(sides(quoteOf(host.takeIntents()))).toEqual(['BID 898200', 'ASK 901800']);
    expect(pass(host, startMs + 30_000).map(({ atMs }) => atMs - startMs)).toEqual([
      15_000, 30_000,
    ]);
  });

  it('idles when the book becomes unusable, and quotes at once when it is usable again', () => {
    const views = viewsOf(999_900, 1_000_100);
    const host = start(views);
    host.takeIntents();
    views.top = undefined;
    host.deliver(startMs + 1, { kind: 'usable', pair, usable: false });
    expect(host.takeIntents()).toMatchObject([{ kind: 'idle' }]);
    views.top = topOf(999_900, 1_000_100);
    host.deliver(startMs + 2, { kind: 'usable', pair, usable: true });
    host.deliver(startMs + 2, { kind: 'top', pair, top: topOf(999_900, 1_000_100) });
    quoteOf(host.takeIntents());
  });

  it('never quotes a bid at or above its ask', () => {
    const parameters = fc.record({ bps: fc.integer({ min: 1, max: 9_999 }), tenths: fc.boolean() });
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 10 ** 6 }),
        parameters,
        (bid, spread, { bps, tenths }) => {
          const halfSpread = tenths ? `0.${(bps % 9) + 1}bps` : `${bps}bps`;
          const views = viewsOf(bid, bid + spread);
          views.available = { ZAR: '1000000000000000', XBT: '1000' };
          const quote = quoteOf(start(views, { halfSpread }, { ZAR: '1', XBT: '1' }).takeIntents());
          const [ours, theirs] = [quote.orders[0], quote.orders.at(-1)];
          for (const { side, price } of quote.orders) {
            if (side === 'BID') expect(price).toBeLessThanOrEqual(bid + spread - 1);
            else expect(price).toBeGreaterThanOrEqual(bid + 1);
          }
          if (quote.orders.length === 2) expect(ours?.price).toBeLessThan(theirs?.price ?? 0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('leaves out a side without enough balance, with the reason', () => {
    const views = viewsOf(999_900, 1_000_100);
    views.available = { ZAR: '99.7999', XBT: '1' };
    const asks = quoteOf(start(views).takeIntents());
    expect(sides(asks)).toEqual(['ASK 1002000']);
    expect(asks.reason).toMatch(/no bid: the balance leaves 99.7999 of the 99.8 ZAR needed/);
    views.market = { ...views.market, volumeMin: lots(50) };
    views.available = { ZAR: '99.8', XBT: '0.00499' };
    const bids = quoteOf(start(views).takeIntents());
    expect(sides(bids)).toEqual(['BID 998000']);
    expect(bids.reason).toMatch(
      /no ask: the balance leaves 0.00499 of the 0.01 XBT needed, .* at least 0.005 XBT/,
    );
    views.available = {};
    expect(quoteOf(start(views).takeIntents()).orders).toEqual([]);
  });

  it('offers what is left when a fee in the base currency reduced what it bought', () => {
    const views = viewsOf(999_900, 1_000_100);
    views.market = { ...views.market, volumeMin: lots(50) };
    views.available = { ZAR: '1000', XBT: '0.00999' };
    views.position = { base: lots(99), highest: lots(99), lowest: lots(99) };
    const { orders, reason } = quoteOf(start(views).takeIntents());
    expect(orders.map(({ side, volume }) => [side, volume])).toEqual([
      ['BID', 100],
      ['ASK', 99],
    ]);
    expect(reason).not.toMatch(/no ask/);
  });

  it('counts the funds of its own resting orders as available for their replacement', () => {
    const views = viewsOf(999_900, 1_000_100);
    views.available = { ZAR: '0', XBT: '0' };
    views.orders = [own('BID', 998_000, 100), own('ASK', 1_002_000, 100)];
    views.position = { base: lots(0), highest: lots(100), lowest: lots(-100) };
    expect(quoteOf(start(views).takeIntents()).orders).toHaveLength(2);
    views.orders = [own('BID', 998_000, 100, 50), own('ASK', 1_002_000, 100)];
    expect(sides(quoteOf(start(views).takeIntents()))).toEqual(['ASK 1002000']);
  });

  it('leaves out the side that would exceed the largest position', () => {
    const views = viewsOf(999_900, 1_000_100);
    views.positionMax = '0.05';
    views.position = { base: lots(401), highest: lots(401), lowest: lots(401) };
    const asks = quoteOf(start(views).takeIntents());
    expect(sides(asks)).toEqual(['ASK 1002000']);
    expect(asks.reason).toMatch(/no bid: the position would exceed 0.05 XBT/);
    views.position = { base: lots(-401), highest: lots(-401), lowest: lots(-401) };
    expect(sides(quoteOf(start(views).takeIntents()))).toEqual(['BID 998000']);
    views.position = { base: lots(400), highest: lots(400), lowest: lots(400) };
    expect(quoteOf(start(views).takeIntents()).orders).toHaveLength(2);
  });

  it("stops with the reason if the size is outside the market's range", () => {
    const host = start(viewsOf(999_900, 1_000_100), { size: '1000' });
    expect(host.takeFaults()).toMatchObject([
      { kind: 'threw', message: /size must be 0.0001 to 100 XBT, was 1000/ },
    ]);
  });

  it.each([
    [{ halfSpread: '0%' }, /must be from 0.1bps/],
    [{ halfSpread: '100%' }, /must be from 0.1bps/],
    [{ size: '0' }, /above 0/],
    [{ refresh: '0s' }, /must be a span/],
    [{ tolerance: '100%' }, /from 0bps to 99.99%/],
    [{ pair: 'XBTZAR' }, /pair/],
  ])('refuses %j', (change, message) => {
    const result = plugin.parameters.safeParse({ ...given, ...change });
    expect(result.error?.message).toMatch(message);
  });
});
