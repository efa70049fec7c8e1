/**
 * What the adapter reads in Luno's answers: the figures of the texts, and nothing that cannot be
 * true, also in answers that were changed at random.
 */
import { describe, expect, test } from 'vitest';
import {
  type Amount,
  amountOf,
  formatAmount,
  type Sums,
} from '../../../../../src/domain/amount.ts';
import { DecodeError } from '../../../../../src/domain/errors.ts';
import { isWrong } from '../../../../../src/venue/row-checks.ts';
import type { VenueReply, WrongValue } from '../../../../../src/venue/venue-reply.ts';
import type { ReadKind, ReadRequest } from '../../../../../src/venue/venue-request.ts';
import { operationOf } from '../../../../../src/venues/luno/adapter/codec.ts';
import { movementViewOf } from '../../../../../src/venues/luno/adapter/decode-accounts.ts';
import { orderViewOf, tradeViewOf } from '../../../../../src/venues/luno/adapter/decode-orders.ts';
import { createLunoReader } from '../../../../../src/venues/luno/adapter/reader.ts';
import { decodeWith } from '../../../../../src/venues/luno/api/market-messages.ts';
import { marketRecordOf } from '../../../../../src/venues/luno/api/market-record.ts';
import type { TransactionEntry } from '../../../../../src/venues/luno/api/operations/account-operations.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../../../src/venues/luno/api/operations/order-operations.ts';
import { operations } from '../../../../../src/venues/luno/api/operations.ts';
import { parseWireJson } from '../../../../../src/venues/luno/api/wire-json.ts';
import { replayMarket } from '../../../../support/replay-market.ts';
import { SeededRandom } from '../../../../support/seeded-random.ts';
import { mutantOf } from '../../../../support/wire-mutants.ts';
import { wireEntry, wireOrder, wireReader, wireTrade } from '../../../../support/wire-reader.ts';
import { type OperationSample, readSamples } from '../api/wire-samples.ts';

/** A request of each kind, about what the samples have. */
const requests: { readonly [Kind in ReadKind]: ReadRequest & { readonly kind: Kind } } = {
  order: { kind: 'order', orderId: 'BXMC2CJ7HNB88U4' },
  orders: { kind: 'orders', which: 'open' },
  'own-trades': { kind: 'own-trades', pair: 'XBTZAR' },
  movements: { kind: 'movements', account: '8203463422864003664' },
  balances: { kind: 'balances' },
  markets: { kind: 'markets' },
  fees: { kind: 'fees', pair: 'XBTZAR' },
  'last-trade': { kind: 'last-trade', pair: 'XBTZAR' },
  prices: { kind: 'prices' },
  candles: { kind: 'candles', pair: 'XBTZAR', intervalMs: 60_000, fromMs: 1 },
};
const kinds = Object.keys(requests) as ReadKind[];
const samplesOf = (kind: ReadKind) => readSamples<OperationSample>(operationOf[kind]).responses;

/** Reads `body` as the answer to the request of `kind`; of a ledger, to one about its account. */
function readBody(kind: ReadKind, body: unknown) {
  const reader = createLunoReader(async () => ({ kind: 'ok', status: 200, body }) as never);
  const { id: account } = body as { readonly id?: string };
  if (kind === 'movements' && account !== undefined) return reader.ask({ kind, account });
  return reader.ask(requests[kind]);
}

/** The figures of a row, read here. */
function figuresOf(kind: ReadKind, row: object): object {
  switch (kind) {
    case 'orders': {
      const order = row as OrderRecord;
      return { sums: sumsOf(order), side: order.side === 'BUY' ? 'BID' : 'ASK' };
    }
    case 'own-trades': {
      const trade = row as UserTrade;
      const isBid = trade.type === 'BID' || trade.type === 'BUY';
      const side = isBid ? 'BID' : 'ASK';
      return { sums: sumsOf(trade), side, isMaker: trade.is_buy !== isBid };
    }
    case 'movements': {
      const entry = row as TransactionEntry;
      return {
        ...{ row: entry.row_index, atMs: entry.timestamp, currency: entry.currency },
        ...{ balance: amountOf(entry.balance), delta: amountOf(entry.balance_delta) },
        available: amountOf(entry.available),
        availableDelta: amountOf(entry.available_delta),
      };
    }
    default:
      return {};
  }
}

function sumsOf(row: Pick<OrderRecord, 'base' | 'counter' | 'fee_base' | 'fee_counter'>): Sums {
  return {
    ...{ base: amountOf(row.base), counter: amountOf(row.counter) },
    ...{ feeBase: amountOf(row.fee_base), feeCounter: amountOf(row.fee_counter) },
  };
}

/** What the adapter reads in a row of a list. */
function viewOf(kind: ReadKind, row: object): object | undefined {
  switch (kind) {
    case 'orders':
      return orderViewOf(row as OrderRecord);
    case 'own-trades':
      return tradeViewOf(row as UserTrade, 'XBTZAR');
    case 'movements':
      return movementViewOf(row as TransactionEntry, (row as TransactionEntry).account_id);
    default:
      return undefined;
  }
}

/** Checks that every row of a list is read as the order path reads it, or is refused. */
function compareRows(kind: ReadKind, body: unknown, reply: VenueReply<ReadKind>): void {
  if (reply.kind !== 'ok' || reply.value === undefined || !('rows' in reply.value)) return;
  const { rows, wrong } = reply.value;
  const [listed = []] = Object.values(body as object).filter((one) => Array.isArray(one));
  expect(rows.length + wrong.length).toBe(listed.length);
  for (const row of listed as object[]) {
    const view = viewOf(kind, row);
    if (view !== undefined && !isWrong(view)) expect(view).toMatchObject(figuresOf(kind, row));
  }
}

describe.each(kinds)('an answer to %s', (kind) => {
  test.each(samplesOf(kind))('is read: $name', async ({ value }) => {
    const reply = await readBody(kind, value);
    expect(reply.kind).toBe('ok');
    compareRows(kind, value, reply);
  });

  test('is read or refused when it was changed at random, and never half read', async () => {
    const random = new SeededRandom(1);
    const texts = samplesOf(kind).map(({ text }) => text);
    let read = 0;
    for (let n = 0; n < 400; n++) {
      const body = bodyOf(kind, Buffer.from(mutantOf(texts, random)).toString());
      if (body === undefined) continue;
      const reply = await readBody(kind, body);
      if (reply.kind !== 'no-answer') read++;
      expect(['ok', 'no-answer']).toContain(reply.kind);
      compareRows(kind, body, reply);
    }
    expect(read).toBeGreaterThan(20);
  });
});

/** Returns the body that the client passes on; undefined if it refuses the text. */
function bodyOf(kind: ReadKind, text: string): unknown {
  try {
    const { name, response } = operations[operationOf[kind]];
    return decodeWith(response, parseWireJson(text), name);
  } catch {
    return undefined;
  }
}

describe('a value that cannot be true is refused with its field', () => {
  const wrongOf = (read: object): Partial<WrongValue> => {
    if (!isWrong(read)) throw new Error('it was read');
    const { field, value } = read;
    return { field, value };
  };

  test.each<[Partial<OrderRecord>, string, string]>([
    [{ limit_volume: '-0.01' }, 'volume', '-0.01'],
    [{ limit_volume: '0.00' }, 'volume', '0'],
    [{ limit_price: '-1' }, 'price', '-1'],
    [{ limit_price: `0.${'0'.repeat(18)}1` }, 'price', `0.${'0'.repeat(18)}1`],
    [{ base: '0.02' }, 'filled volume', '0.02'],
    [{ base: '-0.01' }, 'filled volume', '-0.01'],
    [{ counter: '-1' }, 'filled value', '-1'],
    [{ order_id: '' }, 'order id', '""'],
    [{ pair: '' }, 'pair', '""'],
    [{ side: 'NORTH' }, 'side', 'NORTH'],
    [{ time_in_force: 'GTD' }, 'time in force', 'GTD'],
  ])('of an order: %j', (change, field, value) => {
    expect(wrongOf(orderViewOf(wireOrder(change)))).toEqual({ field, value });
  });

  test('a market order has neither a price nor a time in force', () => {
    const order = wireOrder({
      ...{ type: 'MARKET', limit_price: '0', limit_volume: '0', base: '1', time_in_force: '' },
    });
    expect(orderViewOf(order)).toMatchObject({ type: 'market', price: 0n, timeInForce: undefined });
  });

  test.each<[Partial<UserTrade>, string, string]>([
    [{ pair: 'ETHZAR' }, 'pair', 'ETHZAR'],
    [{ volume: '-0.01' }, 'volume', '-0.01'],
    [{ price: '0' }, 'price', '0'],
    [{ base: '0' }, 'base', '0'],
    [{ counter: '-0.1' }, 'counter', '-0.1'],
    [{ order_id: '' }, 'order id', '""'],
    [{ type: 'MIDDLE' }, 'side', 'MIDDLE'],
    [{ fee_base: `0.${'1'.repeat(19)}` }, 'base fee', `0.${'1'.repeat(19)}`],
  ])('of a trade: %j', (change, field, value) => {
    expect(wrongOf(tradeViewOf(wireTrade(change), 'XBTZAR'))).toEqual({ field, value });
  });

  test('of a ledger row', () => {
    expect(wrongOf(movementViewOf(wireEntry({ row_index: 0 }), '11'))).toEqual({
      field: 'row',
      value: '0',
    });
    expect(() => movementViewOf(wireEntry({ account_id: '12' }), '11')).toThrow(DecodeError);
    expect(() => movementViewOf(wireEntry({ account_id: '12' }), '11')).toThrow(
      'row 1 of account 11: account 12 must be 11',
    );
  });

  test.each([
    ['a negative price', { last_trade: '-1' }, 'ticker of XBTZAR: last trade -1 must not be neg'],
    ['no price', { last_trade: `0.${'1'.repeat(19)}` }, 'must have at most 18 decimals'],
  ])('of a ticker: %s', async (_, change, why) => {
    const [sample] = samplesOf('last-trade');
    const reply = await readBody('last-trade', { ...(sample?.value as object), ...change });
    expect(reply).toMatchObject({ kind: 'no-answer', why: expect.stringContaining(why) });
  });

  test.each([
    ['off its scale', { min_price: '0.001' }, 'min_price', '0.001'],
    ['beyond 2^53', { max_volume: '9007199254740993' }, 'max_volume', '9007199254740993'],
    ['a negative limit', { min_volume: '-1' }, 'min_volume', '-1'],
    ['too fine a scale', { volume_scale: 19 }, 'volume_scale', '19'],
  ])('of a market: %s', async (_, change, field, value) => {
    const markets = [{ ...marketRecordOf(replayMarket), ...change }];
    const reply = await readBody('markets', { markets });
    expect(reply).toMatchObject({ kind: 'ok', value: { rows: [], wrong: [{ field, value }] } });
  });
});

describe('a list', () => {
  test('of trades begins where it is asked to', async () => {
    const asked: unknown[] = [];
    const venue = wireReader({
      listtrades: async ({ since, after_seq: from }) => {
        asked.push([since, from]);
        return { trades: [] };
      },
    });
    const request = { kind: 'own-trades', pair: 'XBTZAR' } as const;
    for (const bounds of [{}, { sinceMs: -0.5 }, { sinceMs: 9.5 }, { from: '4' }, { cursor: '5' }])
      await venue.ask({ ...request, ...bounds });
    expect(asked).toEqual([
      [undefined, '1'],
      [0, undefined],
      [9, undefined],
      [undefined, '4'],
      [undefined, '5'],
    ]);
  });
});

test('amounts are those of the texts', () => {
  const order = orderViewOf(wireOrder({ limit_price: '1000000.10', limit_volume: '0.0100' }));
  const { price, volume } = order as { readonly price: Amount; readonly volume: Amount };
  expect([price, volume]).toEqual([amountOf('1000000.1'), amountOf('0.01')]);
  expect(formatAmount(price)).toBe('1000000.1');
});
