/** What every adapter says about markets, and how it says that it knows nothing. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import { formatLots } from '../../../src/domain/market.ts';
import { readList } from '../../../src/venue/venue-reader.ts';
import type { Reason } from '../../../src/venue/venue-reply.ts';
import type { ReadRequest } from '../../../src/venue/venue-request.ts';
import { ask, bid } from './order-behaviours.ts';
import type { Behaviour, ReaderFault, VenueWorld } from './venue-world.ts';

const minuteMs = 60_000;

/** A request of every kind. */
function everyRequest({ market, nowMs }: VenueWorld): readonly ReadRequest[] {
  const { pair } = market;
  return [
    { kind: 'orders', which: 'open' },
    { kind: 'own-trades', pair },
    { kind: 'movements', account: '1' },
    { kind: 'balances' },
    { kind: 'markets' },
    { kind: 'fees', pair },
    { kind: 'last-trade', pair },
    { kind: 'prices' },
    { kind: 'candles', pair, intervalMs: minuteMs, fromMs: nowMs - minuteMs },
  ];
}

/** Kinds that need no key, so that no key can be refused. */
const isPublic = ({ kind }: ReadRequest): boolean =>
  kind === 'markets' || kind === 'last-trade' || kind === 'prices';

async function checkRefused(
  world: VenueWorld,
  fault: ReaderFault,
  reason: Reason,
  asks: (request: ReadRequest) => boolean = () => true,
): Promise<void> {
  const reader = world.failingReader(fault);
  for (const request of everyRequest(world).filter(asks)) {
    const reply = await reader.ask(request);
    ok(reply.kind === 'refused', `${request.kind} is ${reply.kind}`);
    equal(reply.reason, reason);
    ok(reply.code !== '');
  }
}

async function checkFailed(
  world: VenueWorld,
  fault: ReaderFault,
  kind: 'not-sent' | 'no-answer',
): Promise<void> {
  const reader = world.failingReader(fault);
  for (const request of everyRequest(world)) {
    const reply = await reader.ask(request);
    ok(reply.kind === kind, `${request.kind} is ${reply.kind}`);
    ok(reply.why !== '');
  }
}

async function marketIn({ reader, market }: VenueWorld) {
  const reply = await reader.ask({ kind: 'markets', pairs: [market.pair] });
  ok(reply.kind === 'ok');
  const [found, ...others] = reply.value.rows;
  ok(found !== undefined);
  return { found, others };
}

async function candlesOf(world: VenueWorld, fromMs: number) {
  const { pair } = world.market;
  const request = { kind: 'candles', pair, intervalMs: minuteMs, fromMs } as const;
  return (await readList(world.reader, request, { prefix: '' })).rows;
}

export const marketBehaviours: readonly Behaviour[] = [
  {
    name: 'a market has its scales, limits and status',
    check: async (world) => {
      const { found } = await marketIn(world);
      const { priceScale, volumeScale, feeScale, priceMin, priceMax, volumeMin, volumeMax } = found;
      const { market } = world;
      deepEqual(
        [priceScale, volumeScale, feeScale],
        [market.priceScale, market.volumeScale, market.feeScale],
      );
      deepEqual([priceMin, priceMax], [market.priceMin, market.priceMax]);
      deepEqual([volumeMin, volumeMax], [market.volumeMin, market.volumeMax]);
      equal(found.status, 'ACTIVE');
    },
  },
  {
    name: 'only the markets that were asked for are listed, and without a choice all',
    check: async (world) => {
      deepEqual((await marketIn(world)).others, []);
      const every = await world.reader.ask({ kind: 'markets' });
      ok(every.kind === 'ok' && every.value.rows.length > 1);
    },
  },
  {
    name: 'a pair that is not listed is absent, not an error',
    check: async ({ reader }) => {
      const reply = await reader.ask({ kind: 'markets', pairs: ['ABCDEF'] });
      ok(reply.kind === 'ok');
      deepEqual(reply.value.rows, []);
    },
  },
  {
    name: 'a market that changes its status says so',
    check: async (world) => {
      for (const status of ['POST_ONLY', 'SUSPENDED', 'ACTIVE'] as const) {
        world.setStatus(status);
        equal((await marketIn(world)).found.status, status);
      }
    },
  },
  {
    name: 'the fees are fractions as decimals',
    check: async ({ reader, market }) => {
      const reply = await reader.ask({ kind: 'fees', pair: market.pair });
      ok(reply.kind === 'ok');
      deepEqual(
        [amountOf(reply.value.maker), amountOf(reply.value.taker)],
        [amountOf('0.0005'), amountOf('0.001')],
      );
    },
  },
  {
    name: 'a market without a trade has no last one',
    needs: 'last-trade',
    check: async ({ reader, market }) => {
      const reply = await reader.ask({ kind: 'last-trade', pair: market.pair });
      ok(reply.kind === 'ok');
      equal(reply.value, undefined);
    },
  },
  {
    name: 'the last trade has the price at which it was made',
    needs: 'last-trade',
    check: async (world) => {
      const { reader, market } = world;
      world.placeAsOther({ ...ask, price: '910000' });
      world.place({ ...bid, price: '920000' });
      world.advance(2_000);
      const reply = await reader.ask({ kind: 'last-trade', pair: market.pair });
      ok(reply.kind === 'ok');
      equal(reply.value?.price, amountOf('910000'));
    },
  },
  {
    name: 'candles have the prices and the volume of their trades',
    needs: 'candles',
    check: async (world) => {
      const fromMs = Math.ceil(world.nowMs / minuteMs) * minuteMs;
      world.advance(fromMs - world.nowMs);
      for (const price of ['910000', '930000', '900000', '920000']) {
        world.placeAsOther({ ...ask, price });
        world.place({ ...bid, price });
        world.advance(1_000);
      }
      world.advance(minuteMs);
      const [first] = await candlesOf(world, fromMs);
      const { startMs, open, high, low, close, volume } = first ?? {};
      const prices = [open, high, low, close].map((price = 0n) => formatAmount(price));
      deepEqual([startMs, ...prices], [fromMs, '910000', '930000', '900000', '920000']);
      equal(volume, amountOf(formatLots(world.market.volumeMin, world.market)) * 400n);
    },
  },
  {
    name: 'candles are oldest first, none before the time that was asked for',
    needs: 'candles',
    check: async (world) => {
      for (let n = 0; n < 3; n++) {
        world.placeAsOther(ask);
        world.place(bid);
        world.advance(minuteMs);
      }
      const fromMs = Math.floor(world.nowMs / minuteMs) * minuteMs - 2 * minuteMs;
      const starts = (await candlesOf(world, fromMs)).map(({ startMs }) => startMs);
      ok(starts.length >= 2 && starts.every((startMs) => startMs >= fromMs));
      deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      );
    },
  },
  {
    name: "an answer's clock is never ahead of the venue's",
    check: async (world) => {
      const reply = await world.reader.ask({ kind: 'balances' });
      ok(reply.kind === 'ok' && reply.venueTimeMs !== undefined);
      ok(reply.venueTimeMs <= world.nowMs && reply.venueTimeMs > world.nowMs - 60_000);
    },
  },
  {
    name: 'a key that is unknown is refused as the key, whatever is asked',
    needs: 'calls',
    check: (world) =>
      checkRefused(world, 'unknown-key', 'key-refused', (request) => !isPublic(request)),
  },
  {
    name: 'too many calls are refused as such, whatever is asked',
    needs: 'calls',
    check: (world) => checkRefused(world, 'throttled', 'throttled'),
  },
  {
    name: 'a venue that fails has proven nothing, whatever is asked',
    needs: 'calls',
    check: (world) => checkRefused(world, 'failing', 'unclear'),
  },
  {
    name: 'a page without a code of the venue is no answer, whatever is asked',
    needs: 'calls',
    check: (world) => checkFailed(world, 'page', 'no-answer'),
  },
  {
    name: 'what did not leave says so, whatever is asked',
    needs: 'calls',
    check: (world) => checkFailed(world, 'unreachable', 'not-sent'),
  },
];
