/** Simulated participants: an active market within bounds, in which a market maker is filled. */
import { expect, test } from 'vitest';
import { defaultSimulatorSettings } from '../../../../../src/venues/luno/simulator/core/simulator-settings.ts';
import { settingsWithMarkets } from '../../../../../src/venues/luno/simulator/server/known-markets.ts';
import {
  botKey,
  Caller,
  second,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

/** Quotes at the mid ± 20 bps every 15 s for a minute. Returns the number of fills. */
function fillsOfMaker(seed: number): number {
  const simulator = simulatorFor(defaultSimulatorSettings, { seed });
  const caller = new Caller(simulator, botKey);
  for (let elapsed = 0; elapsed < 60; elapsed += 15) {
    caller.timeMicros = startMicros + elapsed * second;
    for (const order of caller.get('/api/exchange/2/listorders')['orders'] ?? [])
      caller.post('/api/1/stoporder', { order_id: order['order_id'] as string });
    const ticker = caller.get('/api/1/ticker', { pair: 'XBTZAR' });
    const mid =
      (Number.parseInt(ticker['bid'] as string, 10) +
        Number.parseInt(ticker['ask'] as string, 10)) /
      2;
    caller.place('BID', Math.floor(mid * 0.998), '0.01', { post_only: 'true' });
    caller.place('ASK', Math.ceil(mid * 1.002), '0.01', { post_only: 'true' });
  }
  simulator.advance(startMicros + 60 * second);
  expect(simulator.faults()).toEqual([]);
  return simulator.truth('desk').trades.length;
}

test('a maker 20 bps from the mid is filled at least five times a minute, for most seeds', () => {
  const fills = Array.from({ length: 20 }, (_, seed) => fillsOfMaker(seed));
  expect(fills.filter((count) => count >= 5).length, `fills by seed: ${fills}`).toBeGreaterThan(12);
  expect(fills.filter((count) => count === 0)).toEqual([]);
});

test('the book is full at once and stays within its bounds for ten minutes', () => {
  const simulator = simulatorFor(defaultSimulatorSettings);
  const caller = new Caller(simulator, undefined);
  const prices: number[] = [];
  for (let elapsed = 0; elapsed <= 600; elapsed += 5) {
    caller.timeMicros = startMicros + elapsed * second;
    for (const { pair, participants } of defaultSimulatorSettings.markets) {
      const book = caller.get('/api/1/orderbook', { pair });
      const most = participants?.ordersPerSide ?? 0;
      for (const side of ['bids', 'asks']) {
        expect(book[side]?.length).toBeLessThanOrEqual(most);
        expect(book[side]?.length).toBeGreaterThan(most / 4);
      }
      if (pair === 'XBTZAR') prices.push(Number.parseInt(`${book['bids']?.[0]?.['price']}`, 10));
    }
  }
  // The price moves and comes back: it stays within 10 % of the start price.
  expect(Math.max(...prices) - Math.min(...prices)).toBeGreaterThan(2_000);
  expect(Math.max(...prices)).toBeLessThan(1_100_000);
  expect(Math.min(...prices)).toBeGreaterThan(900_000);
  expect(simulator.faults()).toEqual([]);
});

test('takers do not trade in a market that is not active', () => {
  const simulator = simulatorFor(defaultSimulatorSettings);
  const caller = new Caller(simulator, undefined, startMicros + 10 * second);
  const lastTrade = () => {
    caller.timeMicros += second;
    return caller.get('/api/1/ticker', { pair: 'XBTZAR' })['rolling_24_hour_volume'];
  };
  simulator.control({ kind: 'set-status', pair: 'XBTZAR', status: 'POST_ONLY' }, caller.timeMicros);
  const before = lastTrade();
  caller.timeMicros += 20 * second;
  expect(lastTrade()).toBe(before);
  expect(simulator.faults()).toEqual([]);
});

/** Returns the mids of each pair, second by second, for ten minutes. */
function midsOf(pairs: readonly string[], seed = 1): readonly (readonly number[])[] {
  const simulator = simulatorFor(settingsWithMarkets(pairs), { seed });
  const caller = new Caller(simulator, undefined);
  const mids = pairs.map((): number[] => []);
  for (let elapsed = 1; elapsed <= 600; elapsed++) {
    caller.timeMicros = startMicros + elapsed * second;
    for (const [index, pair] of pairs.entries()) {
      const ticker = caller.get('/api/1/ticker', { pair });
      const [bid, ask] = [ticker['bid'], ticker['ask']].map(Number);
      mids[index]?.push(((bid ?? Number.NaN) + (ask ?? Number.NaN)) / 2);
    }
  }
  expect(simulator.faults()).toEqual([]);
  return mids;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ofA, ofB] = [mean(a), mean(b)];
  const product = (x: readonly number[], y: readonly number[], ofX: number, ofY: number) =>
    mean(x.map((value, index) => (value - ofX) * ((y[index] ?? ofY) - ofY)));
  return product(a, b, ofA, ofB) / Math.sqrt(product(a, a, ofA, ofA) * product(b, b, ofB, ofB));
}

test('ETHZAR closes the triangle of XBTZAR and ETHXBT, and is apart from it now and then', () => {
  const [xbtzar = [], ethxbt = [], ethzar = []] = midsOf(['XBTZAR', 'ETHXBT', 'ETHZAR']);
  const apart = ethzar.map(
    (price, index) => price / ((xbtzar[index] ?? 0) * (ethxbt[index] ?? 0)) - 1,
  );
  const average = apart.reduce((sum, one) => sum + one, 0) / apart.length;
  expect(Math.abs(average)).toBeLessThan(0.001);
  expect(Math.max(...apart.map(Math.abs))).toBeLessThan(0.01);
  expect(apart.filter((one) => Math.abs(one) > 0.001).length).toBeGreaterThan(30);
  expect(correlation(xbtzar, ethzar)).toBeGreaterThan(0.5);
});

test('markets of XBT move together', () => {
  const [xbtzar = [], xbteur = []] = midsOf(['XBTZAR', 'XBTEUR']);
  expect(correlation(xbtzar, xbteur)).toBeGreaterThan(0.5);
});

test('a market that follows others leaves their prices as they are', () => {
  const [xbtzar, ethxbt] = midsOf(['XBTZAR', 'ETHXBT', 'ETHZAR']);
  expect(midsOf(['XBTZAR', 'ETHXBT'])).toEqual([xbtzar, ethxbt]);
});
