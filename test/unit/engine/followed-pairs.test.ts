/** Several markets in one engine: their independence, and an order that an earlier run left. */

import { describe, expect, test } from 'vitest';
import {
  accountsOfOrders,
  fetchAccounts,
  followedPairs,
} from '../../../src/bot/start/market-start.ts';
import type { OrderRow, StoreRecord } from '../../../src/domain/records.ts';
import { nothingRestored } from '../../../src/domain/records.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineStart } from '../../../src/engine/engine-start.ts';
import type { EngineEvent } from '../../../src/engine/event.ts';
import type { VenueReader } from '../../../src/venue/venue-reader.ts';
import { venueReplyOf, wireRequestOf } from '../../../src/venues/luno/adapter/codec.ts';
import type { OperationName } from '../../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import {
  plainChoice,
  virtualMarket,
  virtualSettings,
  virtualStart,
  virtualStrategies,
} from '../../support/virtual-bot.ts';
import { ok, refused, rowOf } from '../execution/execution-fixture.ts';

const startedMicros = 1_795_176_000_000_000;
const startedMs = startedMicros / 1000;
const settings = virtualSettings(plainChoice);
const plugins = virtualStrategies(settings, undefined);

/** An order that an earlier run left on a pair that no strategy trades any more. */
const leftover: OrderRow = rowOf({
  pair: 'ETHZAR',
  price: '50000.00',
  volume: '0.0100',
  createdMs: startedMs - 50_000,
  validUntilMs: startedMs - 40_000,
});

function startWith(orders: readonly OrderRow[]): EngineStart {
  const start = virtualStart({
    settings: { ...settings, accounts: { ...settings.accounts, ETH: '17' } },
    restored: { ...nothingRestored, intentIdNext: 9, orders },
    startedMicros,
    seed: 1,
  });
  const [first] = start.markets;
  if (first === undefined) throw new Error('one market');
  const { participants: _, ...market } = virtualMarket;
  const second = { ...first, market: { ...market, pair: 'ETHZAR', base: 'ETH' } };
  return { ...start, markets: [first, second] };
}

type Answer = (operation: OperationName, parameters: object) => Reply;

/** An engine whose calls are answered by `answer` after 100 ms. */
class Bench {
  readonly engine: Engine;
  readonly records: StoreRecord[] = [];
  readonly calls: { readonly operation: string; readonly parameters: object }[] = [];
  atMicros = startedMicros;
  readonly #answer: Answer;
  #replies: EngineEvent[] = [];

  constructor(start: EngineStart, answer: Answer) {
    this.engine = new Engine(start, plugins);
    this.#answer = answer;
    this.step({ kind: 'start' });
  }

  step(event: EngineEvent): void {
    const { records, effects } = this.engine.step(this.atMicros, event);
    this.records.push(...records);
    for (const effect of effects) {
      if (effect.kind !== 'request') continue;
      const { request, call } = effect;
      const { operation, parameters } = wireRequestOf(call, () => virtualMarket);
      this.calls.push({ operation, parameters });
      const reply = venueReplyOf(call, this.#answer(operation, parameters));
      this.#replies.push({ kind: 'reply', request, reply });
    }
  }

  pass(seconds: number): void {
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      this.atMicros += 100_000;
      for (const reply of this.#replies.splice(0)) this.step(reply);
      this.step({ kind: 'tick' });
    }
  }

  frame(pair: string, text: string): void {
    this.step({ kind: 'market-frame', pair, text, message: marketFramesOf().decode(text) });
  }
}

const stamped = (reply: Reply): Reply => ({ ...reply, exchangeTimeMs: startedMs }) as Reply;
const snapshot = (sequence: number): string =>
  `{"sequence":"${sequence}","asks":[{"id":"a","price":"1000100","volume":"1"}],` +
  `"bids":[{"id":"b","price":"999900","volume":"1"}],"status":"ACTIVE","timestamp":${startedMs}}`;

test('M16: a lost stream makes only its own book unusable', () => {
  const bench = new Bench(startWith([]), () => refused(500, 'ErrInternal'));
  for (const pair of ['XBTZAR', 'ETHZAR']) bench.frame(pair, snapshot(5));
  const usable = (): readonly boolean[] =>
    [...bench.engine.markets.values()].map((market) => market.isUsable);
  expect(usable()).toEqual([true, true]);
  bench.step({ kind: 'market-closed', pair: 'XBTZAR', reason: 'lost', end: 'lost', inARow: 1 });
  expect(usable()).toEqual([false, true]);
  bench.frame('XBTZAR', snapshot(9));
  expect(usable()).toEqual([true, true]);
});

describe('an order on a pair that the settings no longer name', () => {
  const record = {
    order_id: 'BX7',
    client_order_id: leftover.clientOrderId,
    pair: 'ETHZAR',
    side: 'BUY',
    type: 'LIMIT',
    time_in_force: 'GTC',
    limit_price: '50000',
    limit_volume: '0.01',
    base: '0.004',
    counter: '200',
    fee_base: '0',
    fee_counter: '0',
    creation_timestamp: startedMs - 50_000,
  };
  const trade = {
    order_id: 'BX7',
    client_order_id: leftover.clientOrderId,
    pair: 'ETHZAR',
    sequence: '77',
    is_buy: false,
    type: 'BID',
    price: '50000',
    volume: '0.004',
    base: '0.004',
    counter: '200',
    fee_base: '0',
    fee_counter: '0',
    timestamp: startedMs - 20_000,
  };

  test('is tracked and cancelled, because no strategy owns it, and its fills are booked', () => {
    let isStopped = false;
    const bench = new Bench(startWith([leftover]), (operation, parameters) => {
      const { pair } = parameters as { readonly pair?: string };
      if (operation === 'stoporder') isStopped = true;
      if (operation === 'stoporder') return stamped(ok({ success: true }));
      if (operation === 'listtrades')
        return stamped(ok({ trades: pair === 'ETHZAR' ? [trade] : [] }));
      if (operation !== 'getOrderV3') return stamped(refused(500, 'ErrInternal'));
      const status = isStopped ? 'COMPLETE' : 'PENDING';
      const completed = isStopped ? startedMs : 0;
      return stamped(ok({ ...record, status, completed_timestamp: completed }));
    });
    bench.pass(10);
    expect(isStopped).toBe(true);
    const fills = bench.records.flatMap((one) => (one.kind === 'fill' ? [one.row] : []));
    expect(fills.map(({ sequence, pair }) => [pair, sequence])).toEqual([['ETHZAR', '77']]);
    const orders = bench.records.flatMap((one) => (one.kind === 'order' ? [one.row] : []));
    expect(orders.at(-1)).toMatchObject({ state: 'cancelled', base: '0.004' });
  });

  test('adds its pair and accounts to those that a run reads', () => {
    expect(followedPairs(settings.strategies, [leftover])).toEqual(['XBTZAR', 'ETHZAR']);
    expect(accountsOfOrders([leftover], startWith([]).markets)).toEqual({ ETH: '11', ZAR: '13' });
  });

  test('keeps its accounts, also where the settings name none and they are not the first ones', async () => {
    const balance = (account: string, currency: string) => ({ account, currency });
    const rows = [
      balance('1', 'ETH'),
      balance('3', 'ZAR'),
      balance('11', 'ETH'),
      balance('5', 'XBT'),
    ];
    const venue = { ask: async () => ({ kind: 'ok', value: rows }) } as unknown as VenueReader;
    const { markets } = startWith([]);
    const first = { ETH: '1', ZAR: '3', XBT: '5' };
    expect(await fetchAccounts(venue, markets, [])).toEqual(first);
    expect(await fetchAccounts(venue, markets, [leftover])).toEqual({
      ...{ ETH: '11', ZAR: '13', XBT: '5' },
    });
  });

  test('halts the bot, which keeps running, if it does not fit the present scales', () => {
    const bench = new Bench(startWith([{ ...leftover, volume: '0.0000001' }]), () =>
      stamped(refused(500, 'ErrInternal')),
    );
    const incidents = bench.records.flatMap((one) => (one.kind === 'incident' ? [one] : []));
    expect(incidents.map(({ incident }) => incident.code)).toEqual(['ORDER_UNREADABLE']);
    expect(bench.records.find((one) => one.kind === 'trading-state')).toMatchObject({
      scope: 'bot',
      state: 'HALTED',
    });
  });
});
