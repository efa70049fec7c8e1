/**
 * The market stream against a real websocket server, with fake time.
 *
 * The random number is always 0.5, so every delay is half of its maximum.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BookMessage } from '../../src/domain/book-message.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import type { VenueStream } from '../../src/venue/venue-streams.ts';
import {
  createMarketStream,
  type MarketStreamOptions,
} from '../../src/venues/luno/client/market-stream-client.ts';
import { type FrameSamples, readSamples } from '../unit/venues/luno/api/wire-samples.ts';
import { FakeTimers } from '../unit/venues/luno/client/fake-timers.ts';
import { startRawServer } from '../unit/venues/luno/client/raw-server.ts';
import { selfSignedCertificate } from '../unit/venues/luno/client/self-signed-certificate.ts';
import {
  RecordingListener,
  type Session,
  type StreamServer,
  startStreamServer,
} from '../unit/venues/luno/client/stream-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'keysecret' };
const timeMs = 1746473170125;
const snapshot = (sequence: string | number) =>
  `{"sequence":"${sequence}","asks":[],"bids":[],"status":"ACTIVE","timestamp":${timeMs}}`;
const update = (sequence: string | number) =>
  `{"sequence":"${sequence}","trade_updates":null,"create_update":null,"timestamp":${timeMs}}`;

let server: StreamServer;
let timers: FakeTimers;
let listener: RecordingListener<BookMessage>;
let stream: VenueStream;

const create = (change: Partial<MarketStreamOptions> = {}): VenueStream =>
  createMarketStream({
    url: server.url,
    pair: 'XBTZAR',
    credentials,
    ...{ clock: timers.clock, timers },
    random: { next: () => 0.5 },
    listener,
    ...change,
  });

/** Starts the stream and returns the server's connection, after reading the credentials. */
async function open(): Promise<Session> {
  stream.start();
  return nextSession();
}
async function nextSession(): Promise<Session> {
  const session = await server.session();
  await session.received();
  expect(await listener.next()).toEqual({ kind: 'opened' });
  return session;
}
const nextEnd = async () => {
  const heard = await listener.next();
  expect(heard.kind).toBe('closed');
  return heard.kind === 'closed' ? heard : undefined;
};

beforeEach(async () => {
  server = await startStreamServer();
  timers = new FakeTimers();
  listener = new RecordingListener();
  stream = create();
});
afterEach(async () => {
  const ended = stream.close();
  timers.advance(2_000);
  await ended;
  await server.close();
});

test('credentials are the first frame, on the documented path, uncompressed', async () => {
  stream.start();
  const session = await server.session();
  expect(session.path).toBe('/api/1/stream/XBTZAR');
  expect(session.headers['sec-websocket-extensions']).toBe(undefined);
  expect(session.headers['authorization']).toBe(undefined);
  const { hello } = readSamples<{ hello: string }>('market-stream');
  expect(await session.received()).toBe(hello);
});

test('the golden frames are delivered unchanged, without the keep-alives', async () => {
  const { frames } = readSamples<FrameSamples>('market-stream');
  const inOrder = frames.slice(
    0,
    frames.findIndex((one) => one.message.kind === 'error'),
  );
  const numbered = inOrder.filter((one) => one.name !== 'no trades as null');
  const session = await open();
  for (const { text } of numbered) session.socket.send(text);
  for (const { text, message } of numbered.filter((one) => one.message.kind !== 'keep-alive'))
    expect(await listener.next()).toEqual({ kind: 'frame', text, message });
  expect(numbered.length).toBeGreaterThan(8);
});

describe('the first frame that does not fit ends the connection and is not delivered', () => {
  test.each([
    ['M1: a gap', [snapshot(5), update(7)], 'out of sequence: 7 after 5'],
    ['M1: a frame twice', [snapshot(5), update(6), update(6)], 'out of sequence: 6 after 6'],
    ['M1: an older frame', [snapshot(5), update(6), update(5)], 'out of sequence: 5 after 6'],
    ['M3: an update first', [update(6)], 'update 6 before the snapshot'],
    ['a second snapshot', [snapshot(5), snapshot(5)], 'second snapshot'],
    ['M4: broken JSON', [snapshot(5), '{"sequence":'], 'frame is not JSON'],
    ['a number', [snapshot(5), '7'], 'frame is not a JSON object'],
    ['null', [snapshot(5), 'null'], 'frame is not a JSON object'],
    ['no sequence', [snapshot(5), '{}'], 'market update: sequence'],
    ['a negative sequence', [snapshot(-1)], 'market snapshot: sequence'],
    ['an exponent as sequence', [snapshot('1e3')], 'market snapshot: sequence'],
    ['a time in microseconds', [snapshot(5).replace(`${timeMs}`, `${timeMs}000`)], 'timestamp'],
    ['a snapshot without a side', [snapshot(5).replace('"bids":[],', '')], 'bids'],
    ['a gap beyond 2^53', [snapshot('9007199254740992'), update('9007199254740994')], '0994 after'],
  ])('%s', async (_name, frames, reason) => {
    const session = await open();
    for (const frame of frames) session.socket.send(frame);
    for (const text of frames.slice(0, -1))
      expect(await listener.next()).toMatchObject({ kind: 'frame', text });
    const end = await nextEnd();
    expect(end?.end).toBe('bad-frame');
    expect(end?.reason).toContain(reason);
    await session.ended;
  });
  test('a binary frame', async () => {
    const session = await open();
    session.socket.send(Buffer.from(snapshot(5)));
    expect(await nextEnd()).toMatchObject({ end: 'bad-frame', reason: 'binary frame' });
  });
});

test('consecutive numbers above 2^53 are in sequence', async () => {
  const session = await open();
  session.socket.send(snapshot('9007199254740992'));
  session.socket.send(update('9007199254740993'));
  expect(await listener.next()).toMatchObject({ kind: 'frame' });
  expect(await listener.next()).toMatchObject({ kind: 'frame' });
});

test('M2: frames after a bad one are not delivered, and a new connection starts afresh', async () => {
  const session = await open();
  for (const frame of [snapshot(5), update(7), update(6), update(8)]) session.socket.send(frame);
  expect(await listener.next()).toMatchObject({ kind: 'frame', text: snapshot(5) });
  await nextEnd();
  await session.ended;
  expect(listener.waitingCount).toBe(0);
  timers.advance(500);
  const second = await nextSession();
  second.socket.send(snapshot(3));
  expect(await listener.next()).toMatchObject({ kind: 'frame', text: snapshot(3) });
});

describe('a connection that ends is opened again', () => {
  test('at once, then after half of 1, 2, 4, 8, 10, 10 seconds', async () => {
    stream.start();
    for (const delayMs of [0, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      const session = await server.session();
      await listener.next();
      session.socket.close(1011, 'oops');
      expect(await nextEnd()).toMatchObject({ reason: 'closed with code 1011 oops' });
      expect(timers.delaysMs).toEqual([delayMs]);
      const before = server.connectionCount();
      timers.advance(delayMs - 1);
      expect(timers.delaysMs).toEqual([delayMs]);
      timers.advance(1);
      expect(server.connectionCount()).toBe(before);
    }
  });
  test('M10: without a delay only after ten seconds of health', async () => {
    let session = await open();
    const breakAfter = async (healthMs: number, inARow: number): Promise<readonly number[]> => {
      session.socket.send(snapshot(1));
      await listener.next();
      timers.advance(healthMs);
      session.socket.send(update(2));
      await listener.next();
      session.socket.terminate();
      expect(await nextEnd()).toMatchObject({ end: 'lost', inARow });
      const delays = timers.delaysMs;
      timers.advance(delays[0] ?? 0);
      session = await nextSession();
      return delays;
    };
    expect(await breakAfter(0, 1)).toEqual([0]);
    expect(await breakAfter(9_999, 2)).toEqual([500]);
    expect(await breakAfter(0, 3)).toEqual([1_000]);
    expect(await breakAfter(10_000, 1)).toEqual([0]);
  });
  test('when its owner asks, once', async () => {
    const session = await open();
    session.socket.send(snapshot(1));
    await listener.next();
    stream.reconnect('crossed book');
    stream.reconnect('crossed book');
    expect(await nextEnd()).toEqual({
      kind: 'closed',
      reason: 'crossed book',
      end: 'asked',
      inARow: 1,
    });
    await session.ended;
    timers.advance(500);
    await nextSession();
    expect(listener.waitingCount).toBe(0);
  });
});

describe('silence', () => {
  test('M8: of 60 seconds ends a connection', async () => {
    const session = await open();
    session.socket.pause();
    timers.advance(59_999);
    expect(listener.waitingCount).toBe(0);
    timers.advance(1);
    expect(await nextEnd()).toMatchObject({ end: 'silent' });
    session.socket.terminate();
  });
  test('is detected by the configured times', async () => {
    stream = create({ settings: { deadAfterMs: 50, pingEveryMs: 20 } });
    const session = await open();
    session.socket.pause();
    timers.advance(50);
    expect(await nextEnd()).toMatchObject({ reason: 'nothing received for 50 ms', end: 'silent' });
    session.socket.terminate();
  });
  /** Resolves when the stream has noted what `cause` leads to. */
  const noted = async (cause: () => void) => {
    const before = timers.readings;
    cause();
    await vi.waitFor(() => expect(timers.readings).toBeGreaterThan(before));
  };
  test.each<[string, (session: Session) => void]>([
    ['M7: a keep-alive', (session) => session.socket.send('""')],
    ['M7: an empty frame', (session) => session.socket.send('')],
    ['M8: a ping', (session) => session.socket.ping()],
    ['M8: a pong', (session) => session.socket.pong()],
    ['M8: a frame', (session) => session.socket.send(snapshot(1))],
  ])('%s breaks it', async (_name, sign) => {
    stream = create({ settings: { pingEveryMs: 1_000_000 } });
    const session = await open();
    timers.advance(45_000);
    await noted(() => sign(session));
    const delivered = listener.waitingCount;
    timers.advance(59_999);
    expect(listener.waitingCount).toBe(delivered);
    timers.advance(1);
    if (delivered > 0) await listener.next();
    expect(await nextEnd()).toMatchObject({ end: 'silent' });
  });
  test('M8: does not include the answer to our ping, which is sent every 20 seconds', async () => {
    const session = await open();
    timers.advance(19_999);
    expect(session.pingCount()).toBe(0);
    await noted(() => timers.advance(1));
    expect(session.pingCount()).toBe(1);
  });
});

describe('refusals are distinguished', () => {
  test.each([
    ['{"error_code":"invalid_credentials","error":"no"}', 'refused-key'],
    ['{"error_code":"auth_timeout","error":"late"}', 'refused-key'],
    ['{"error_code":"ErrApiKeyRevoked","error":"revoked"}', 'refused-key'],
    ['{"error_code":"invalid_market","error":"XBTZZZ"}', 'error-frame'],
    ['{"error_code":"session_limit_exceeded","error":""}', 'session-limit'],
    ['{"error":"session limit exceeded"}', 'session-limit'],
    ['session limit exceeded', 'session-limit'],
  ])('%s is %s', async (frame, end) => {
    const session = await open();
    session.socket.send(frame);
    expect(await nextEnd()).toMatchObject({ end });
  });
  test('M11: after the session limit, the client waits at least a minute', async () => {
    const session = await open();
    session.socket.send('{"error":"session limit exceeded"}');
    await nextEnd();
    expect(timers.delaysMs).toEqual([60_000]);
  });
  test('M12: refusals of a key are counted, and attempts continue', async () => {
    stream.start();
    for (const inARow of [1, 2, 3, 4]) {
      const session = await server.session();
      await listener.next();
      session.socket.send('{"error_code":"invalid_credentials","error":"no"}');
      expect(await nextEnd()).toMatchObject({ end: 'refused-key', inARow });
      timers.advance(60_000);
    }
  });
  test('a close before any frame is unanswered, after a frame it is lost', async () => {
    const first = await open();
    first.socket.close(1000);
    expect(await nextEnd()).toMatchObject({ end: 'unanswered', inARow: 1 });
    timers.advance(500);
    const second = await nextSession();
    second.socket.send(snapshot(1));
    await listener.next();
    second.socket.close(1000);
    expect(await nextEnd()).toMatchObject({ end: 'lost', inARow: 1 });
  });
  test.each([
    [401, 'refused-key'],
    [403, 'refused-key'],
    [307, 'lost'],
    [503, 'lost'],
  ])('an upgrade answered with %d is %s', async (status, end) => {
    server.refuseWith = status;
    stream.start();
    expect(await nextEnd()).toMatchObject({
      reason: `upgrade answered with status ${status}`,
      end,
    });
    expect(timers.delaysMs).toEqual([0]);
  });
  test('a server with a self-signed certificate gets no credentials', async () => {
    const secure = await startRawServer(selfSignedCertificate());
    stream = create({ url: secure.url.replace('https:', 'wss:') });
    stream.start();
    expect(await nextEnd()).toMatchObject({
      reason: 'socket error: DEPTH_ZERO_SELF_SIGNED_CERT',
      end: 'lost',
    });
    expect(secure.requests).toHaveLength(0);
    await secure.close();
  });
  test('M13: a message in more than 4,096 pieces is lost', async () => {
    const session = await open();
    for (let piece = 0; piece <= 4_096; piece++)
      session.socket.send('x', { fin: false, binary: false });
    expect(await nextEnd()).toMatchObject({ end: 'lost' });
  });
  test('M13: a frame of more than 32 MiB is lost', async () => {
    const session = await open();
    session.socket.send('x'.repeat(32 * 1024 * 1024 + 1));
    expect(await nextEnd()).toMatchObject({
      reason: 'socket error: WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
      end: 'lost',
    });
  });
  test('a refused port is lost', async () => {
    stream = create({ url: 'ws://127.0.0.1:1' });
    stream.start();
    expect(await nextEnd()).toMatchObject({ reason: 'socket error: ECONNREFUSED', end: 'lost' });
  });
});

test('a secret that the exchange sends back is not in the reason', async () => {
  const session = await open();
  session.socket.send('{"error_code":"invalid_credentials","error":"bad keysecret"}');
  expect((await nextEnd())?.reason).toBe('error frame: invalid_credentials bad [secret]');
});

describe('close', () => {
  test('closes the socket and calls no listener any more', async () => {
    const session = await open();
    const code = new Promise((resolve) => session.socket.once('close', resolve));
    await stream.close();
    expect(await code).toBe(1000);
    expect(timers.delaysMs).toEqual([]);
    expect(listener.waitingCount).toBe(0);
  });
  test('ends the wait for the next connection', async () => {
    const session = await open();
    session.socket.terminate();
    await nextEnd();
    await stream.close();
    timers.advance(120_000);
    expect(server.connectionCount()).toBe(1);
  });
  test('does not wait for a server that does not answer', async () => {
    const session = await open();
    session.socket.pause();
    const ended = stream.close();
    timers.advance(1_000);
    await ended;
  });
  test('ends a connection that is not open yet, and one that was never started', async () => {
    stream.start();
    await stream.close();
    await create().close();
    expect(listener.waitingCount).toBe(0);
  });
});

test.each([
  [{ url: 'ws://exchange.example' }, /wss:\/\//u],
  [{ url: 'https://exchange.example' }, /wss:\/\//u],
  [{ pair: 'XBT ZAR' }, /must be like "XBTZAR", was "XBT ZAR"/u],
  [{ pair: '' }, /must be like "XBTZAR", was ""/u],
  [{ pair: undefined as never }, /must be like "XBTZAR"/u],
  [{ settings: { pingEveryMs: 0 } }, /pingEveryMs must be at least 1 ms, was 0/u],
  [{ settings: { deadAfterMs: Number.NaN } }, /deadAfterMs must be at least 1 ms, was NaN/u],
  [{ pathOverride: 'stream' }, /is not a path such as/u],
  [{ credentials: { keyId: 'a', keySecret: 'short' } }, /secret/u],
])('%j is refused', (change, message) => {
  expect(() => create(change)).toThrow(ConfigError);
  expect(() => create(change)).toThrow(message);
});
