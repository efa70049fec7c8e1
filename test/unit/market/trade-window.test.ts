/** The median of recent trades, against a sorted list. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ticks } from '../../../src/domain/money.ts';
import { TradeWindow } from '../../../src/market/feed/trade-window.ts';

test('without trades there is no median', () => {
  expect(new TradeWindow(60, 10).median(0)).toBeUndefined();
});

test('the median equals that of the sorted prices of the last trades within the window', () => {
  const trades = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.nat(20)), { maxLength: 60 });
  fc.assert(
    fc.property(trades, fc.integer({ min: 1, max: 8 }), (steps, tradesMax) => {
      const window = new TradeWindow(60, tradesMax);
      const seen: { readonly price: number; readonly at: number }[] = [];
      let at = 0;
      for (const [price, pause] of steps) {
        at += pause;
        window.add(price as Ticks, at);
        seen.push({ price, at });
        const held = seen.slice(-tradesMax).filter((trade) => trade.at > at - 60);
        const prices = held.map((trade) => trade.price).sort((a, b) => a - b);
        expect(window.median(at)).toBe(prices[Math.floor((prices.length - 1) / 2)]);
      }
    }),
  );
});
