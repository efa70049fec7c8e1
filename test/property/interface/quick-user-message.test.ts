/**
 * The quick decoders of user messages and of answers, and the schemas: whatever a quick one
 * decodes, the schema decodes to the same, and the documented form never needs the schema.
 */
import { describe, expect, test } from 'vitest';
import {
  decodeWith,
  isKeepAlive,
  parseFrame,
} from '../../../src/venues/luno/api/market-messages.ts';
import { operations } from '../../../src/venues/luno/api/operations.ts';
import { quickAnswer } from '../../../src/venues/luno/api/quick-answer.ts';
import { quickUserMessage } from '../../../src/venues/luno/api/quick-user-message.ts';
import { decodeUserFrame, decodeUserMessage } from '../../../src/venues/luno/api/user-messages.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { mutate } from '../../support/wire-mutants.ts';

type Body = Readonly<Record<string, unknown>>;
type Decoders = {
  readonly samples: readonly string[];
  readonly quick: (body: Body) => unknown;
  readonly schema: (body: Body) => unknown;
};

const order = '"order_id":"BX1","client_order_id":"b1-a-1","market_id":"XBTZAR"';
const fill =
  '"base_fill":"0.2","counter_fill":"200","base_delta":"0.1","counter_delta":"100",' +
  '"base_fee":"0","counter_fee":"0.01","base_fee_delta":"0","counter_fee_delta":"-0.01"';
const balance =
  '"row_index":796,"balance":"1000.00","balance_delta":"0.00","available":"9.6","available_delta":"-990.3"';
const none = { status: 'null', fill: 'null', balance: 'null' };

function message(type: string, updates: Partial<typeof none>): string {
  const { status, fill: filled, balance: changed } = { ...none, ...updates };
  return `{"type":"${type}","timestamp":1528884331021,"order_status_update":${status},"order_fill_update":${filled},"balance_update":${changed}}`;
}

const user: Decoders = {
  samples: [
    message('order_status', { status: `{${order},"status":"PENDING"}` }),
    message('order_status', { status: `{${order},"status":"NEW","new_member":[1]}` }),
    message('order_fill', { fill: `{${order},${fill}}` }),
    message('balance_update', { balance: `{"account_id":"8530547527774927743",${balance}}` }),
    message('balance_update', { balance: `{"account_id":17,${balance}}` }),
    `{"type":"order_status","timestamp":0,"order_status_update":{${order},"status":"COMPLETE"}}`,
  ],
  quick: quickUserMessage,
  schema: decodeUserMessage,
};

type Answered = 'postorder' | 'stoporder' | 'getOrderV3' | 'listOrdersV2';
const answersOf = (name: Answered, samples: readonly string[]): Decoders => ({
  samples,
  quick: (body) => quickAnswer(name, body),
  schema: (body) => decodeWith(operations[name].response, body, name),
});

const record = (more: string): string =>
  '{"order_id":"BX1","client_order_id":"b1-a-1","pair":"XBTZAR","side":"BUY","type":"LIMIT",' +
  '"status":"COMPLETE","time_in_force":"GTC","limit_price":"990033","limit_volume":"0.001",' +
  '"base":"0.0005","counter":"495.01","fee_base":"0.00","fee_counter":"0.2",' +
  '"base_account_id":8530547527774927736,"counter_account_id":8530547527774927743,' +
  '"creation_timestamp":1795692422817,"completed_timestamp":1795692422836,' +
  `"expiration_timestamp":0,"stop_direction":"",${more}}`;
const records = [
  record('"stop_price":"0","leverage":0'),
  record('"stop_price":"","new_member":[1]'),
  record('"stop_price":"0.00"').replace('8530547527774927736', '17'),
];

const all = {
  'user messages': user,
  postorder: answersOf('postorder', ['{"order_id":"BX1"}', '{"order_id":"BX2","new_member":1}']),
  stoporder: answersOf('stoporder', ['{"success":true}', '{"success":false,"new_member":"x"}']),
  getOrderV3: answersOf('getOrderV3', records),
  listOrdersV2: answersOf('listOrdersV2', [
    '{"orders":[]}',
    `{"orders":[${records.join(',')}],"new_member":1}`,
  ]),
};

function bodyOf(text: string): Body | undefined {
  try {
    return parseFrame(text);
  } catch {
    return undefined;
  }
}

function resultOf(decode: (body: Body) => unknown, body: Body): unknown {
  try {
    return decode(body);
  } catch {
    return 'refused';
  }
}

describe.each(Object.entries(all))('%s', (_name, { samples, quick, schema }) => {
  test.each(samples)('the quick decoder decodes %s', (text) => {
    const body = bodyOf(text) ?? {};
    expect(quick(body)).toStrictEqual(schema(body));
  });

  test.each([1, 2, 3, 4])(
    'changed at random, they are decoded as by the schema, seed %i',
    (seed) => {
      const random = new SeededRandom(seed);
      const met = { quick: 0, left: 0, refused: 0 };
      for (let count = 0; count < 10_000; count++) {
        let text = random.pick(samples);
        for (let changes = random.integer(1, 3); changes > 0; changes--)
          text = mutate(text, random);
        const body = bodyOf(text);
        if (body === undefined) continue;
        const [decoded, expected] = [quick(body), resultOf(schema, body)];
        if (decoded !== undefined) expect(decoded, text).toStrictEqual(expected);
        if (expected === 'refused') met.refused++;
        met[decoded === undefined ? 'left' : 'quick']++;
      }
      expect(Math.min(met.quick, met.left, met.refused)).toBeGreaterThan(50);
    },
  );
});

test('a long account id is the same as a number and as text', () => {
  const id = '8530547527774927743';
  const texts = [`{"account_id":${id},${balance}}`, `{${balance},"account_id":"${id}"}`];
  for (const text of [...texts, `{${balance},"account_id":${id}}`])
    expect(decodeUserFrame(message('balance_update', { balance: text }))).toMatchObject({
      update: { account_id: id },
    });
});

test.each([1, 2, 3, 4])('whole frames are decoded as by the schema, seed %i', (seed) => {
  const random = new SeededRandom(seed);
  const wide = `{"account_id":8530547527774927743,${balance}}`;
  const frames = [...user.samples, message('balance_update', { balance: wide })];
  const shown = (decode: (frame: string) => unknown, frame: string): unknown => {
    try {
      return decode(frame);
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
  let compared = 0;
  for (let count = 0; count < 10_000; count++) {
    let frame = random.pick(frames);
    for (let changes = random.integer(1, 3); changes > 0; changes--) frame = mutate(frame, random);
    // Frames of another kind never come to the schema.
    if (isKeepAlive(frame) || !('type' in (bodyOf(frame) ?? { type: '' }))) continue;
    const expected = shown((text) => decodeUserMessage(parseFrame(text)), frame);
    expect(shown(decodeUserFrame, frame), frame).toStrictEqual(expected);
    compared++;
  }
  expect(compared).toBeGreaterThan(5_000);
});

test.each([
  [
    'an account id beyond 64 bits',
    'account_id',
    '9223372036854775808',
    /account_id: not a 64-bit/u,
  ],
  ['a row that is rounded', 'row_index', '1.0000000000000000001', /row_index: not a safe integer/u],
])('a message with %s is refused by the schema', (_what, member, value, problem) => {
  const members = `{"account_id":1,${balance}}`.replace(
    new RegExp(`"${member}":\\d+`, 'u'),
    `"${member}":${value}`,
  );
  expect(() => decodeUserFrame(message('balance_update', { balance: members }))).toThrow(problem);
});

test('a message whose type names another member is left to the schema', () => {
  const status = `{${order},"status":"PENDING"}`;
  expect(decodeUserFrame(message('order_fill', { status }))).toEqual({
    kind: 'unknown',
    type: 'order_fill',
  });
});

test('an order id of 101 characters, or of none, is left to the schema', () => {
  for (const id of ['', 'B'.repeat(101)])
    expect(quickAnswer('postorder', { order_id: id })).toBe(undefined);
  expect(quickAnswer('balance', { order_id: 'BX1', success: true })).toBe(undefined);
});

test.each([
  ['a stop price', '"stop_price":"0"', '"stop_price":"980000"'],
  ['no stop price', '"stop_price":"0",', ''],
  ['an amount as a number', '"base":"0.0005"', '"base":0.0005'],
  ['a time as text', '1795692422817', '"2026-11-26T11:27:02Z"'],
  ['an account beyond 64 bits', '8530547527774927736', '9223372036854775808'],
  ['no order id', '"order_id":"BX1"', '"order_id":""'],
])('a record with %s, alone or in a list, is left to the schema', (_what, before, after) => {
  const [usual = ''] = records;
  const text = usual.replace(before, after);
  expect(text).not.toBe(usual);
  expect(quickAnswer('getOrderV3', parseFrame(text))).toBe(undefined);
  expect(quickAnswer('listOrdersV2', parseFrame(`{"orders":[${usual},${text}]}`))).toBe(undefined);
});
