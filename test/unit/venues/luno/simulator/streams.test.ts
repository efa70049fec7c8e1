/** The market stream and the user stream, without sockets. */
import { expect, test } from 'vitest';
import {
  decodeMarketFrame,
  isKeepAlive,
} from '../../../../../src/venues/luno/api/market-messages.ts';
import {
  decodeUserFrame,
  type UserMessage,
} from '../../../../../src/venues/luno/api/user-messages.ts';
import type { Simulator } from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import type {
  SessionOutput,
  StreamSession,
} from '../../../../../src/venues/luno/simulator/world/stream-sessions.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  readKey,
  second,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

const marketPath = '/api/1/stream/XBTZAR';
const userPath = '/api/1/userstream';

class Listener {
  readonly outputs: SessionOutput[] = [];
  readonly session: StreamSession;

  constructor(simulator: Simulator, path: string, timeMicros = startMicros) {
    const session = simulator.openSession(path, (output) => this.outputs.push(output), timeMicros);
    if (session === undefined) throw new Error(`nothing is streamed at ${path}`);
    this.session = session;
  }

  authenticate(key: { id: string; secret: string }, timeMicros = startMicros): this {
    const credentials = { api_key_id: key.id, api_key_secret: key.secret };
    this.session.receive(JSON.stringify(credentials), timeMicros);
    return this;
  }

  get frames(): string[] {
    return this.outputs.flatMap((output) => (output.kind === 'frame' ? [output.text] : []));
  }

  /** Returns the messages since the last call, without keep-alives. */
  take(): string[] {
    const frames = this.frames.filter((frame) => !isKeepAlive(frame));
    this.outputs.length = 0;
    return frames;
  }

  takeUser(): UserMessage[] {
    return this.take().map(decodeUserFrame);
  }

  get closedWith(): number | undefined {
    const last = this.outputs.at(-1);
    return last?.kind === 'close' ? last.code : undefined;
  }
}

const setUp = () => {
  const simulator = simulatorFor(quietSettings);
  const desk = new Caller(simulator, botKey);
  const other = new Caller(simulator, otherKey);
  return { simulator, desk, other };
};

test('the market stream begins with the whole book, order by order', () => {
  const { simulator, desk } = setUp();
  const id = desk.place('BID', 1_000_000, '0.01')['order_id'];
  desk.place('BID', 1_000_010, '0.02');
  desk.place('ASK', 1_000_020, '0.03');
  const [frame] = new Listener(simulator, marketPath).authenticate(readKey).take();
  const snapshot = JSON.parse(frame ?? '');
  expect(snapshot).toMatchObject({
    sequence: '3',
    status: 'ACTIVE',
    timestamp: startMicros / 1000,
  });
  expect(snapshot.bids.map((order: { price: string }) => order.price)).toEqual([
    '1000010',
    '1000000',
  ]);
  expect(snapshot.bids[1]).toEqual({ id, price: '1000000', volume: '0.010000' });
  expect(snapshot.asks).toHaveLength(1);
});

test('an order that trades in part is one message: its trades and its resting volume', () => {
  const { simulator, desk, other } = setUp();
  const first = desk.place('ASK', 1_000_000, '0.01')['order_id'];
  const next = desk.place('ASK', 1_000_010, '0.01')['order_id'];
  const listener = new Listener(simulator, marketPath).authenticate(botKey);
  listener.take();
  const taker = other.place('BID', 1_000_010, '0.05')['order_id'];
  const frames = listener.take();
  expect(frames).toHaveLength(1);
  expect(JSON.parse(frames[0] ?? '')).toEqual({
    sequence: '3',
    trade_updates: [
      {
        sequence: 1,
        base: '0.010000',
        counter: '10000.000000',
        maker_order_id: first,
        taker_order_id: taker,
        order_id: first,
      },
      {
        sequence: 2,
        base: '0.010000',
        counter: '10000.100000',
        maker_order_id: next,
        taker_order_id: taker,
        order_id: next,
      },
    ],
    create_update: { order_id: taker, type: 'BID', price: '1000010', volume: '0.030000' },
    delete_update: null,
    status_update: null,
    timestamp: startMicros / 1000,
  });
});

test('a cancel is one delete, a full trade has no create, a killed order sends nothing', () => {
  const { simulator, desk, other } = setUp();
  const listener = new Listener(simulator, marketPath).authenticate(botKey);
  const resting = desk.place('ASK', 1_000_000, '0.02')['order_id'] as string;
  listener.take();
  other.place('BID', 1_000_000, '0.01');
  other.place('BID', 1_000_000, '1', { time_in_force: 'FOK' });
  desk.post('/api/1/stoporder', { order_id: resting });
  const [trade, deletion, ...rest] = listener.take().map((frame) => JSON.parse(frame));
  expect(trade).toMatchObject({ create_update: null, trade_updates: [{ base: '0.010000' }] });
  expect(deletion).toMatchObject({ trade_updates: [], delete_update: { order_id: resting } });
  expect(rest).toEqual([]);
});

test('prices on the stream have the decimals of the market', () => {
  const { simulator, desk } = setUp();
  const listener = new Listener(simulator, '/api/1/stream/ETHXBT').authenticate(botKey);
  listener.take();
  desk.place('BID', '0.05', '1', { pair: 'ETHXBT' });
  expect(listener.take()[0]).toContain('"price":"0.05000","volume":"1.0000"');
});

test('a change of status is its own message, and the snapshot shows it', () => {
  const { simulator } = setUp();
  const listener = new Listener(simulator, marketPath).authenticate(botKey);
  listener.take();
  simulator.control({ kind: 'set-status', pair: 'XBTZAR', status: 'POST_ONLY' }, startMicros);
  expect(JSON.parse(listener.take()[0] ?? '')).toMatchObject({
    status_update: { status: 'POSTONLY' },
    trade_updates: [],
  });
  const [late] = new Listener(simulator, marketPath).authenticate(botKey).take();
  expect(JSON.parse(late ?? '')).toMatchObject({ status: 'POSTONLY' });
});

test('a stream carries a keep-alive every 20 s, also between other messages', () => {
  const { simulator, desk } = setUp();
  const listener = new Listener(simulator, marketPath).authenticate(botKey);
  for (let s = 1; s <= 60; s++) {
    desk.timeMicros = startMicros + s * second;
    desk.place('BID', 1_000_000 - s, '0.001');
  }
  expect(listener.frames.filter(isKeepAlive)).toHaveLength(3);
  simulator.setKeepAlive(false);
  simulator.advance(startMicros + 100 * second);
  expect(listener.frames.filter(isKeepAlive)).toHaveLength(3);
});

test('a quiet stream carries a keep-alive every 20 s and an empty message every 5 minutes', () => {
  const { simulator } = setUp();
  const listener = new Listener(simulator, marketPath).authenticate(botKey);
  listener.outputs.length = 0;
  for (let s = 1; s <= 300; s++) simulator.advance(startMicros + s * second);
  const frames = listener.frames;
  expect(frames.filter(isKeepAlive)).toHaveLength(15);
  expect(frames.filter((frame) => !isKeepAlive(frame)).map((frame) => JSON.parse(frame))).toEqual([
    {
      sequence: '1',
      trade_updates: [],
      create_update: null,
      delete_update: null,
      status_update: null,
      timestamp: startMicros / 1000 + 300_000,
    },
  ]);
});

test.each([
  ['no JSON', 'hello', 'invalid_credentials'],
  ['a list', '[]', 'invalid_credentials'],
  ['half of the credentials', '{"api_key_id":"x"}', 'invalid_credentials'],
  ['an unknown key', '{"api_key_id":"x","api_key_secret":"y"}', 'invalid_credentials'],
  [
    'a wrong secret',
    JSON.stringify({ api_key_id: botKey.id, api_key_secret: 'y' }),
    'invalid_credentials',
  ],
])('a first frame with %s is refused, and the stream is closed', (_, frame, code) => {
  const listener = new Listener(setUp().simulator, marketPath);
  listener.session.receive(frame, startMicros);
  expect(listener.closedWith).toBe(1000);
  expect(decodeMarketFrame(listener.frames[0] ?? '')).toMatchObject({ kind: 'error', code });
  expect(listener.outputs).toHaveLength(2);
});

test('a first frame of {} opens a market stream, but not a user stream', () => {
  const { simulator } = setUp();
  const market = new Listener(simulator, marketPath);
  market.session.receive('{}', startMicros);
  expect(decodeMarketFrame(market.frames[0] ?? '')).toMatchObject({ kind: 'snapshot' });
  simulator.advance(startMicros + 60 * second);
  expect(market.frames.length).toBeGreaterThan(1);
  expect(market.closedWith).toBeUndefined();
  const user = new Listener(simulator, userPath);
  user.session.receive('{}', startMicros + 60 * second);
  expect(user.frames.at(-1)).toContain('invalid_credentials');
  expect(user.closedWith).toBe(1000);
});

test('sessions without credentials are limited like those of one customer', () => {
  const { simulator } = setUp();
  const open = () => {
    const listener = new Listener(simulator, marketPath);
    listener.session.receive('{}', startMicros);
    return listener.frames[0] ?? '';
  };
  for (let i = 0; i < 50; i++) expect(open()).toContain('"asks"');
  expect(open()).toContain('session_limit_exceeded');
});

test('a stream without credentials is closed after ten seconds', () => {
  const { simulator } = setUp();
  const listener = new Listener(simulator, marketPath);
  simulator.advance(startMicros + 10 * second - 1);
  expect(listener.outputs).toEqual([]);
  simulator.advance(startMicros + 10 * second);
  expect(listener.frames[0]).toBe(
    '{"error_code":"auth_timeout","error":"you took too long to provide credentials"}',
  );
  expect(listener.closedWith).toBe(1000);
});

test('an unknown pair is reported after the credentials', () => {
  const { simulator } = setUp();
  const listener = new Listener(simulator, '/api/1/stream/XBTZZZ');
  expect(listener.outputs).toEqual([]);
  listener.authenticate(botKey);
  expect(listener.frames).toEqual(['{"error_code":"invalid_market","error":"XBTZZZ"}']);
  expect(listener.closedWith).toBe(1000);
});

test('a path without a stream opens no session', () => {
  const { simulator } = setUp();
  for (const path of ['/', '/api/1/stream/', '/api/1/stream/X/Y', '/api/1/ticker'])
    expect(simulator.openSession(path, () => {}, startMicros)).toBeUndefined();
});

test('the fifty-first session of a user is refused until one ends', () => {
  const { simulator } = setUp();
  const open = () => new Listener(simulator, marketPath).authenticate(botKey);
  const sessions = Array.from({ length: 50 }, open);
  const refused = open();
  expect(refused.frames).toEqual([
    '{"error_code":"session_limit_exceeded","error":"session limit exceeded"}',
  ]);
  expect(refused.closedWith).toBe(1000);
  sessions[0]?.session.close(startMicros);
  expect(open().closedWith).toBeUndefined();
  expect(new Listener(simulator, marketPath).authenticate(otherKey).closedWith).toBeUndefined();
});

test('a revoked key ends its streams', () => {
  const { simulator } = setUp();
  const listener = new Listener(simulator, marketPath).authenticate(botKey);
  simulator.control({ kind: 'revoke-key', keyId: botKey.id }, startMicros);
  expect(listener.closedWith).toBe(1000);
});

test('the user stream reports every change of orders and balances, with cumulative amounts', () => {
  const { simulator, desk, other } = setUp();
  const listener = new Listener(simulator, userPath).authenticate(botKey);
  const named = { client_order_id: 'mr-1' };
  const orderId = desk.place('BID', 1_000_000, '0.03', named)['order_id'];
  other.place('ASK', 1_000_000, '0.01');
  other.place('ASK', 1_000_000, '0.02');
  const frames = listener.take();
  expect(frames.map((frame) => JSON.parse(frame).type)).toEqual([
    'balance_update',
    'order_status',
    'order_fill',
    'balance_update',
    'balance_update',
    'order_fill',
    'balance_update',
    'balance_update',
    'order_status',
  ]);
  const messages = frames.map(decodeUserFrame);
  expect(messages[1]).toMatchObject({
    kind: 'order-status',
    timestamp: startMicros / 1000,
    update: { order_id: orderId, client_order_id: 'mr-1', market_id: 'XBTZAR', status: 'PENDING' },
  });
  expect(messages[5]).toMatchObject({
    kind: 'order-fill',
    update: {
      order_id: orderId,
      client_order_id: 'mr-1',
      base_fill: '0.030000',
      counter_fill: '30000.000000',
      base_delta: '0.020000',
      counter_delta: '20000.000000',
      base_fee: '0.000015',
      base_fee_delta: '0.00001',
      counter_fee: '0.00',
      counter_fee_delta: '0.00',
    },
  });
  const zar = simulator.truth('desk').accounts.find((account) => account.currency === 'ZAR');
  expect(messages[6]).toMatchObject({
    kind: 'balance',
    update: { account_id: zar?.id, row_index: 4, balance: '9970000.00', available_delta: '0.00' },
  });
  expect(frames[6]).toContain(`"account_id":${zar?.id},`);
  expect(messages[8]).toMatchObject({ update: { status: 'COMPLETE' } });
});

test("no user receives messages about another user's orders", () => {
  const { simulator, other } = setUp();
  const listener = new Listener(simulator, userPath).authenticate(botKey);
  other.place('BID', 1_000_000, '0.01');
  expect(listener.take()).toEqual([]);
});

test.each([
  [1, 2],
  [299, 2],
  [300, 2],
  [301, 0],
  [7200, 0],
])('a client that was disconnected for %i s receives %i missed messages', (seconds, count) => {
  const { simulator, desk } = setUp();
  const first = new Listener(simulator, userPath).authenticate(botKey);
  const gone = startMicros + 60 * second;
  simulator.advance(gone);
  first.session.close(gone);
  desk.timeMicros = gone + 1000;
  desk.place('BID', 1_000_000, '0.01');
  const back = gone + seconds * second;
  const again = new Listener(simulator, userPath, back).authenticate(botKey, back);
  expect(again.takeUser()).toHaveLength(count);
  expect(first.take()).toEqual([]);
});

test('delivered messages are not sent again, and another key is another client', () => {
  const { simulator, desk } = setUp();
  const first = new Listener(simulator, userPath).authenticate(botKey);
  desk.place('BID', 1_000_000, '0.01');
  const gone = startMicros + second;
  simulator.advance(gone);
  first.session.close(gone);
  const again = new Listener(simulator, userPath, gone).authenticate(botKey, gone);
  expect(again.take()).toEqual([]);
  const otherClient = new Listener(simulator, userPath, gone).authenticate(readKey, gone);
  expect(otherClient.take()).toHaveLength(2);
  desk.timeMicros = gone;
  desk.place('BID', 1_000_000, '0.01');
  expect(again.take()).toEqual(otherClient.take());
});
