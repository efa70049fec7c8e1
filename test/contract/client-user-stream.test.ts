/** The user stream against a real websocket server. A bad message does not end the connection. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { VenueStream } from '../../src/venue/venue-streams.ts';
import { createUserStream } from '../../src/venues/luno/client/user-stream-client.ts';
import { reportIn } from '../support/user-frames.ts';
import { type FrameSamples, readSamples } from '../unit/venues/luno/api/wire-samples.ts';
import { FakeTimers } from '../unit/venues/luno/client/fake-timers.ts';
import {
  RecordingListener,
  type StreamServer,
  startStreamServer,
} from '../unit/venues/luno/client/stream-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'keysecret' };
const { frames } = readSamples<FrameSamples>('user-stream');

let server: StreamServer;
let timers: FakeTimers;
let listener: RecordingListener<never>;
let stream: VenueStream;
const create = (pathOverride?: string): VenueStream =>
  createUserStream({
    url: server.url,
    credentials,
    clock: timers.clock,
    timers,
    random: { next: () => 0.5 },
    pathOverride,
    listener,
  });

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

test('credentials are sent first, then the golden frames are delivered as reports', async () => {
  stream.start();
  const session = await server.session();
  expect(session.path).toBe('/api/1/userstream');
  expect(await session.received()).toBe('{"api_key_id":"keyid","api_key_secret":"keysecret"}');
  expect(await listener.next()).toEqual({ kind: 'opened' });
  const hints = frames.filter((one) => !['keep-alive', 'error'].includes(one.message.kind));
  for (const { text } of [{ text: '""' }, ...hints, { text: '' }]) session.socket.send(text);
  for (const { text } of hints)
    expect(await listener.next()).toEqual({ kind: 'report', report: reportIn(text) });
  expect(hints.length).toBeGreaterThan(4);
});

test('the user stream needs a key', () => {
  expect(() =>
    createUserStream({
      ...{ url: server.url, credentials: undefined, timers, listener },
      clock: timers.clock,
      random: { next: () => 0.5 },
    }),
  ).toThrow('the user stream needs an API key');
});

test('the path can be changed', async () => {
  stream = create('/api/2/mystream');
  stream.start();
  expect((await server.session()).path).toBe('/api/2/mystream');
});

test('an unreadable message is reported, and the connection stays open', async () => {
  stream.start();
  const session = await server.session();
  await listener.next();
  const fill = frames.find((one) => one.name === 'order fill')?.text ?? '';
  const bad = [
    ['{"type":', 'frame is not JSON'],
    ['[]', 'frame is not a JSON object'],
    ['{"timestamp":1746473170125}', 'user message: type'],
    [fill.replace('"base_delta":"0.1",', ''), 'order_fill_update.base_delta'],
    [fill.replace('"0.1"', '"1e-1"'), 'order_fill_update.base_delta'],
    [fill.replace('"base_delta":"0.1"', '"base_delta":"-0.1"'), 'base -0.1 must not be negative'],
  ];
  for (const [text] of bad) session.socket.send(text ?? '');
  session.socket.send(Buffer.from('x'));
  session.socket.send(fill);
  for (const [, reason] of bad)
    expect(await listener.next()).toEqual({
      kind: 'malformed',
      reason: expect.stringContaining(reason ?? ''),
    });
  expect(await listener.next()).toEqual({ kind: 'malformed', reason: 'binary frame' });
  expect(await listener.next()).toEqual({ kind: 'report', report: reportIn(fill) });
  expect(server.connectionCount()).toBe(1);
});

test('U11: in a flood, a thousand messages a second are delivered and the rest is reported', async () => {
  stream.start();
  const session = await server.session();
  await listener.next();
  const fill = frames.find((one) => one.name === 'order fill')?.text ?? '';
  for (let n = 0; n < 5_000; n++) session.socket.send(fill);
  session.socket.ping();
  for (let n = 0; n < 1_000; n++) expect((await listener.next()).kind).toBe('report');
  await new Promise((resolve) => session.socket.once('pong', resolve));
  expect(listener.waitingCount).toBe(0);
  timers.advance(1_000);
  expect(await listener.next()).toEqual({
    kind: 'malformed',
    reason: '4000 messages beyond the limit of one second were not read',
  });
  session.socket.send(fill);
  expect(await listener.next()).toMatchObject({ kind: 'report' });
});

test('an error frame ends the connection, and it is opened again', async () => {
  stream.start();
  const session = await server.session();
  await listener.next();
  session.socket.send(frames.find((one) => one.name === 'error')?.text ?? '');
  expect(await listener.next()).toMatchObject({ kind: 'closed', end: 'refused-key', inARow: 1 });
  timers.advance(500);
  await server.session();
  expect(await listener.next()).toEqual({ kind: 'opened' });
});

test('a connection that is open for ten seconds counts as healthy', async () => {
  stream.start();
  const end = async (healthMs: number): Promise<readonly number[]> => {
    const session = await server.session();
    await listener.next();
    timers.advance(healthMs / 2);
    session.socket.send(frames[0]?.text ?? '');
    await listener.next();
    timers.advance(healthMs / 2);
    session.socket.terminate();
    await listener.next();
    const delays = timers.delaysMs;
    timers.advance(delays[0] ?? 0);
    return delays;
  };
  expect(await end(0)).toEqual([0]);
  expect(await end(9_998)).toEqual([500]);
  expect(await end(10_000)).toEqual([0]);
});
