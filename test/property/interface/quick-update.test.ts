/**
 * The quick decoder of updates and their schema: whatever the quick one decodes, the schema decodes
 * to the same, and updates of the documented form never need the schema.
 */
import { describe, expect, test } from 'vitest';
import {
  decodeMarketFrame,
  decodeMarketUpdate,
  parseFrame,
} from '../../../src/venues/luno/api/market-messages.ts';
import { quickUpdate } from '../../../src/venues/luno/api/quick-update.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { mutate } from '../../support/wire-mutants.ts';

const trade =
  '{"sequence":7,"base":"0.1","counter":"123.4","maker_order_id":"BX1","taker_order_id":"BX2","order_id":"BX1"}';
const update = (members: string): string =>
  `{"sequence":"24353",${members},"timestamp":1528884332447}`;
const documented = [
  update('"trade_updates":null,"create_update":null,"delete_update":null,"status_update":null'),
  update(`"trade_updates":[${trade},${trade}],"delete_update":{"order_id":"BX3"}`),
  update('"create_update":{"order_id":"BX4","type":"BID","price":"1000.00","volume":"0.5"}'),
  update('"create_update":{"order_id":"BX5","type":"ASK","price":"1","volume":"2"}'),
  update('"trade_updates":[],"status_update":{"status":"POSTONLY"},"new_member":{"a":[1]}'),
];

type Body = Readonly<Record<string, unknown>>;

function bodyOf(text: string): Body | undefined {
  try {
    return parseFrame(text);
  } catch {
    return undefined;
  }
}

function bySchema(body: Body): unknown {
  try {
    return decodeMarketUpdate(body);
  } catch {
    return 'refused';
  }
}

test.each(documented)('the quick decoder decodes %s', (text) => {
  const body = bodyOf(text) ?? {};
  expect(quickUpdate(body)).toEqual(decodeMarketUpdate(body));
});

describe.each([1, 2, 3, 4])('changed at random, seed %i', (seed) => {
  test('updates are decoded as by the schema, or left to it', () => {
    const random = new SeededRandom(seed);
    const met = { quick: 0, schema: 0, refused: 0 };
    for (let count = 0; count < 10_000; count++) {
      let text = random.pick(documented);
      for (let changes = random.integer(1, 3); changes > 0; changes--) text = mutate(text, random);
      const body = bodyOf(text);
      if (body === undefined) continue;
      const [quick, expected] = [quickUpdate(body), bySchema(body)];
      if (quick !== undefined) expect(quick, text).toEqual(expected);
      met[quick !== undefined ? 'quick' : expected === 'refused' ? 'refused' : 'schema']++;
    }
    expect(Math.min(met.quick, met.schema, met.refused)).toBeGreaterThan(50);
  });
});

test('a frame that the quick decoder leaves is still decoded, or refused with its member', () => {
  const numbers = update('"create_update":{"order_id":"B","type":"BID","price":1000,"volume":0.5}');
  expect(decodeMarketFrame(numbers)).toMatchObject({
    update: { create: { price: '1000', volume: '0.5' } },
  });
  const wrong = update('"create_update":{"order_id":"B","type":"BUY","price":"1","volume":"1"}');
  expect(() => decodeMarketFrame(wrong)).toThrow(/market update: create_update\.type/u);
});
