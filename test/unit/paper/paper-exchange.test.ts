/**
 * Several live markets on one paper account: each stream feeds its own market, and a request meets
 * every market in the state at its arrival.
 *
 * Method: XBTEUR and ETHXBT, 1 ms from the market to us, 3 ms from us to it and 2 ms back, so that
 * a request meets the messages of the next 4 ms. Timers fire only when the test fires them.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import type { BookMessage } from '../../../src/domain/book-message.ts';
import { InvariantError } from '../../../src/domain/errors.ts';
import { lotsOf, ticksOf } from '../../../src/domain/ticks-and-lots.ts';
import type { EngineEvent } from '../../../src/engine/event.ts';
import { PaperCore } from '../../../src/paper/paper-core.ts';
import { createPaperExchange } from '../../../src/paper/paper-exchange.ts';
import type { PlaceRequest } from '../../../src/venue/venue-request.ts';
import type { MarketListener } from '../../../src/venue/venue-streams.ts';
import { decodeMarketFrame } from '../../../src/venues/luno/api/market-messages.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { orderHistoryOf } from '../../support/encoded-history.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { replayMarket, replayRates } from '../../support/replay-market.ts';

const xbteur = replayMarket;
const ethxbt = { ...replayMarket, pair: 'ETHXBT', base: 'ETH', counter: 'XBT' };
const ethRates = { maker: '0', taker: '0.002' };

/** As the account numbers them: XBT, EUR, ETH. */
const xbteurAccounts = { baseAccountId: '1', counterAccountId: '2' };
const ethxbtAccounts = { baseAccountId: '3', counterAccountId: '1' };

type Line = { readonly listener: MarketListener; readonly asked: string[]; sequence: number };

let time: ManualTime;
let core: PaperCore;
let exchange: ReturnType<typeof createPaperExchange>;
let lines: Map<string, Line>;
let received: EngineEvent[];
let requests: number;

beforeEach(() => {
  time = new ManualTime();
  [lines, received, requests] = [new Map(), [], 0];
  core = new PaperCore({
    profile: lunoProfile,
    markets: [
      { market: xbteur, fees: replayRates },
      { market: ethxbt, fees: ethRates },
    ],
    balances: { XBT: '1', EUR: '1000', ETH: '20' },
    latencies: {
      feedUs: 1_000,
      request: { kind: 'fixed', us: 3_000 },
      answer: { kind: 'fixed', us: 2_000 },
    },
    seed: 1,
    onWarning: () => {},
    nowMicros: time.clock.nowMicros,
  });
  exchange = createPaperExchange({
    ...{ core, clock: time.clock, timers: time.timers },
    pairs: ['XBTEUR', 'ETHXBT'],
    connect: (pair, listener) => {
      const asked: string[] = [];
      lines.set(pair, { listener, asked, sequence: 1 });
      return {
        start: () => listener.opened(),
        reconnect: (reason) => asked.push(reason),
        close: async () => {
          asked.push('closed');
        },
      };
    },
  });
  exchange.open((event) => received.push(event));
  for (const pair of ['XBTEUR', 'ETHXBT']) {
    const asks = [{ id: `${pair} 1`, price: '1.05', volume: '0.0004' }];
    feed(pair, { bids: [], asks, status: 'ACTIVE' });
  }
});

function feed(pair: string, body: object): void {
  const line = lines.get(pair) as Line;
  const timestamp = Math.floor(time.nowMicros / 1_000);
  const text = JSON.stringify({ sequence: String(line.sequence++), timestamp, ...body });
  line.listener.frame(text, decodeMarketFrame(text) as BookMessage);
}

/** Deletes the only ask of the market. */
function withdraw(pair: string): void {
  feed(pair, { trade_updates: [], delete_update: { order_id: `${pair} 1` } });
}

/** Sends a message of the market that does not affect our orders. */
function touch(pair: string): void {
  const create = { order_id: `${pair} ${time.nowMicros}`, type: 'ASK', price: '9.00' };
  feed(pair, { trade_updates: [], create_update: { ...create, volume: '0.0001' } });
}

function bid(pair: string): void {
  const call: PlaceRequest = {
    ...{ kind: 'place', pair, side: 'BID', price: ticksOf(105), volume: lotsOf(4) },
    ...{ timeInForce: 'GTC', postOnly: false, clientOrderId: `order ${++requests}` },
    ...(pair === 'XBTEUR' ? xbteurAccounts : ethxbtAccounts),
    ...{ timestampMs: Math.floor(time.nowMicros / 1000), ttlMs: 10_000 },
  };
  exchange.request({ kind: 'request', request: requests, call, deadlineMs: 10_000 });
}

/** Returns the markets of the reported fills, in order. */
const fills = () =>
  received.flatMap((event) =>
    event.kind === 'report' && event.report.kind === 'filled' ? [event.report.pair] : [],
  );

const pairsOf = (kind: 'market-opened' | 'market-closed' | 'market-frame') =>
  received.flatMap((event) => (event.kind === kind ? [event.pair] : []));

describe('an order that is sent to one of two markets', () => {
  test.each([
    ['meets', 'what is withdrawn after it arrived', 4_001, ['XBTEUR']],
    ['does not meet', 'what was withdrawn before it arrived', 3_999, []],
  ] as const)('%s %s, whenever the other market speaks', (_, __, afterMicros, filled) => {
    bid('XBTEUR');
    time.nowMicros += afterMicros;
    touch('ETHXBT');
    withdraw('XBTEUR');
    time.nowMicros += 10_000;
    touch('ETHXBT');
    expect(fills()).toEqual(filled);
  });

  test('is placed before a later message of the other market, even without timers', () => {
    bid('XBTEUR');
    time.nowMicros += 4_500;
    touch('ETHXBT');
    const last = received.at(-1);
    expect(last).toMatchObject({ kind: 'market-frame', pair: 'ETHXBT' });
    expect(fills()).toEqual(['XBTEUR']);
  });

  test('has its fill reported before the message that shows it', () => {
    withdraw('XBTEUR');
    bid('XBTEUR');
    time.nowMicros += 10_000;
    time.fire();
    const seller = { order_id: 'seller', type: 'ASK', price: '1.05', volume: '0.0004' };
    feed('XBTEUR', { trade_updates: [], create_update: seller });
    expect(fills()).toEqual(['XBTEUR']);
    expect(received.at(-1)).toMatchObject({ kind: 'market-frame', pair: 'XBTEUR' });
  });

  test('meets each market in its own state, if orders go to both at once', () => {
    bid('XBTEUR');
    bid('ETHXBT');
    time.nowMicros += 3_999;
    withdraw('ETHXBT');
    time.nowMicros += 2;
    withdraw('XBTEUR');
    time.nowMicros += 10_000;
    time.fire();
    expect(fills()).toEqual(['XBTEUR']);
    expect(core.account.markets.get('ETHXBT')?.orders.size).toBe(1);
  });

  test('pays the fees of its market', () => {
    bid('XBTEUR');
    bid('ETHXBT');
    time.nowMicros += 10_000;
    time.fire();
    const fees = [...core.account.markets.values()].map(({ trades }) => trades.items[0]?.feeBase);
    expect(fees).toEqual([4n * 10n ** 11n, 8n * 10n ** 11n]);
  });
});

describe('the stream of each market', () => {
  test('is opened, reported and closed under its own pair', () => {
    expect(pairsOf('market-opened')).toEqual(['XBTEUR', 'ETHXBT']);
    expect(pairsOf('market-frame')).toEqual(['XBTEUR', 'ETHXBT']);
    lines.get('ETHXBT')?.listener.closed('gone', 'lost', 1);
    expect(pairsOf('market-closed')).toEqual(['ETHXBT']);
  });

  test('can be lost alone: an order in the other market keeps trading', () => {
    lines.get('ETHXBT')?.listener.closed('gone', 'lost', 1);
    const gaps = [...core.account.markets.values()].map(
      ({ replay }) => orderHistoryOf(replay).gaps.isOpen,
    );
    expect(gaps).toEqual([false, true]);
    bid('XBTEUR');
    time.nowMicros += 10_000;
    time.fire();
    expect(fills()).toEqual(['XBTEUR']);
  });

  test('can be reconnected alone, and all are closed at the end', async () => {
    exchange.reconnect({ kind: 'reconnect', stream: 'market', pair: 'ETHXBT', reason: 'a gap' });
    expect([...lines.values()].map(({ asked }) => asked)).toEqual([[], ['a gap']]);
    await exchange.close();
    expect([...lines.values()].map(({ asked }) => asked.at(-1))).toEqual(['closed', 'closed']);
  });

  test('must be one of the account', () => {
    expect(() => core.lost('XRPEUR')).toThrow(InvariantError);
  });
});
