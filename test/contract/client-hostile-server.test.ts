/**
 * The client against servers that break every rule. Whatever they do, the client sends at most one
 * request, ends by the deadline, draws no false conclusion and leaks no secret.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTimers } from '../../src/runtime/timers.ts';
import { type Client, createClient } from '../../src/venues/luno/client/client.ts';
import {
  httpAnswer,
  type RawServer,
  startRawServer,
} from '../unit/venues/luno/client/raw-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'canary-secret-1' };
const order = { pair: 'XBTZAR', type: 'BID', volume: '0.1', price: '1000' } as const;
const timers = createTimers();
const accepted = '{"order_id":"BX1"}';
const mebibyte = 1024 * 1024;

let server: RawServer;
let client: Client;

beforeEach(async () => {
  server = await startRawServer();
  client = createClient({ baseUrl: server.url, credentials, timers, deadlineMs: 3_000 });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const place = (deadlineMs?: number) => client.request('postorder', order, { deadlineMs });
const sendOnce = (bytes: Uint8Array | string): void => {
  server.answer = (socket) => socket.end(bytes);
};

describe('the outcome of an order stays unknown', () => {
  const bodies: Readonly<Record<string, string | Uint8Array>> = {
    'a page': '<!doctype html><h1>Welcome</h1>',
    'no body': '',
    null: 'null',
    'a list': '[]',
    'a text': '"BX1"',
    'an empty object': '{}',
    'half the JSON': '{"order_id":"B',
    'two JSON texts': accepted + accepted,
    'a NaN': '{"order_id":NaN}',
    'UTF-16': Buffer.from(accepted, 'utf16le'),
    'broken UTF-8': Buffer.concat([
      Buffer.from('{"order_id":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]),
    'an order id that is a number': '{"order_id":17}',
    'an order id that is empty': '{"order_id":""}',
    'an order id of 10 kB': `{"order_id":"${'B'.repeat(10_000)}"}`,
    'an order id in the prototype': '{"__proto__":{"order_id":"BX1"}}',
    'nesting without end': `{"order_id":${'['.repeat(100_000)}`,
    'deep nesting': `{"order_id":${'['.repeat(100_000)}1234567890123456${']'.repeat(100_000)}}`,
    'a code besides success': '{"error":"no","error_code":"ErrInvalidPrice"}',
  };
  test.each(Object.entries(bodies))('after %s with status 200', async (_name, body) => {
    sendOnce(httpAnswer(200, body));
    expect(await place()).toMatchObject({ kind: 'no-answer', status: 200 });
    expect(server.requests).toHaveLength(1);
  });

  const answers: Readonly<Record<string, string | Uint8Array>> = {
    'nothing but a close': '',
    'no HTTP': 'SSH-2.0-OpenSSH_9.9\r\n',
    'half a header': 'HTTP/1.1 200 OK\r\ncontent-le',
    'a body that is cut off': httpAnswer(200, accepted).subarray(0, -4),
    'a length that is too large': httpAnswer(200, accepted, { 'content-length': '1000' }),
    'a length that is too small': httpAnswer(200, accepted, { 'content-length': '5' }),
    'a length that is no number': httpAnswer(200, accepted, { 'content-length': 'x' }),
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 18\r\ncontent-length: 2\r\n\r\n{}',
    'chunks that are cut off':
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n12\r\n{"order_id":"BX1"}\r\n',
    'headers without end': `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(2_000)}`,
    'an upgrade': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'gzip that was not requested': httpAnswer(200, gzipSync(accepted), {
      'content-encoding': 'gzip',
    }),
    'a gzip bomb': httpAnswer(200, gzipSync(Buffer.alloc(20 * mebibyte)), {
      'content-encoding': 'gzip',
    }),
  };
  test.each(Object.entries(answers))('after %s', async (_name, bytes) => {
    sendOnce(bytes);
    expect(await place()).toMatchObject({ kind: 'no-answer' });
    expect(server.requests).toHaveLength(1);
  });

  test('after a reset once the request was read', async () => {
    server.answer = (socket) => socket.resetAndDestroy();
    expect(await place()).toMatchObject({ kind: 'no-answer' });
    expect(server.requests).toHaveLength(1);
  });
  test('after a close on a connection that was used before', async () => {
    server.answer = (socket) => socket.write(httpAnswer(200, accepted));
    expect(await place()).toMatchObject({ kind: 'ok' });
    server.answer = (socket) => socket.destroy();
    expect(await place()).toMatchObject({ kind: 'no-answer' });
    expect(server.requests).toHaveLength(2);
  });
  test('and reads are not repeated automatically either', async () => {
    server.answer = (socket) => socket.destroy();
    expect(await client.request('balance', {})).toMatchObject({ kind: 'no-answer' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('by the deadline', () => {
  test('a server that says nothing is no answer', async () => {
    server.answer = () => {};
    expect(await place(150)).toMatchObject({
      kind: 'no-answer',
      reason: 'no answer within 150 ms',
    });
    expect(server.requests).toHaveLength(1);
  });
  test('RD28: a body that drips is no answer', async () => {
    server.answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 18\r\n\r\n');
      const drip = timers.every(20, () => socket.write(' '));
      socket.on('close', drip);
    };
    expect(await place(150)).toMatchObject({ kind: 'no-answer', status: 200 });
  });
  test('RD28: headers that drip are no answer', async () => {
    server.answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = timers.every(20, () => socket.write('x-drip: 1\r\n'));
      socket.on('close', drip);
    };
    expect(await place(150)).toMatchObject({ kind: 'no-answer' });
  });
  test('a request that waits for a connection is no answer, and is not sent later', async () => {
    const sockets: Socket[] = [];
    server.answer = (socket) => sockets.push(socket);
    const first = Array.from({ length: 16 }, () => place());
    await vi.waitFor(() => expect(sockets).toHaveLength(16));
    expect(await place(100)).toEqual({ kind: 'no-answer', reason: 'no answer within 100 ms' });
    server.answer = (socket) => socket.write(httpAnswer(200, accepted));
    for (const socket of sockets) socket.write(httpAnswer(200, accepted));
    await Promise.all(first);
    expect(await place()).toMatchObject({ kind: 'ok' });
    expect(server.requests).toHaveLength(17);
  });
  test('a connection that is not established is no answer', async () => {
    const baseUrl = server.url.replace('http:', 'https:');
    const mute = createClient({ baseUrl, credentials, timers, connectTimeoutMs: 60_000 });
    const reply = await mute.request('postorder', order, { deadlineMs: 100 });
    expect(reply).toEqual({ kind: 'no-answer', reason: 'no answer within 100 ms' });
    await mute.close();
  });
  test('a late answer does not affect the next request', async () => {
    server.answer = () => {};
    await place(100);
    server.answer = (socket) => socket.write(httpAnswer(200, '{"order_id":"BX2"}'));
    expect(await place()).toMatchObject({ kind: 'ok', body: { order_id: 'BX2' } });
  });
});

describe('size', () => {
  const withBody = (text: string, length: number): void =>
    sendOnce(httpAnswer(200, text + ' '.repeat(length - text.length)));
  test('RD28: 8 MiB are read, one byte more is not', async () => {
    withBody(accepted, 8 * mebibyte);
    expect(await place()).toMatchObject({ kind: 'ok' });
    withBody(accepted, 8 * mebibyte + 1);
    expect(await place()).toMatchObject({
      kind: 'no-answer',
      reason: expect.stringMatching(/larger/u),
    });
  });
  test('a larger one is not read on a connection that ends with it either', async () => {
    const body = accepted + ' '.repeat(8 * mebibyte);
    sendOnce(httpAnswer(200, body, { connection: 'close' }));
    expect(await place()).toMatchObject({
      kind: 'no-answer',
      reason: `answer is larger than ${8 * mebibyte} bytes`,
      status: 200,
    });
    sendOnce(httpAnswer(200, accepted));
    expect(await place()).toMatchObject({ kind: 'ok' });
  });
  test('RD28: the full order book may be larger', async () => {
    withBody('{"timestamp":1746473170125,"asks":[],"bids":[]}', 8 * mebibyte + 1);
    expect(await client.request('orderBook', { pair: 'XBTZAR' })).toMatchObject({ kind: 'ok' });
  });
  test('RD28: an endless body is dropped as soon as it is too large', async () => {
    let sentBytes = 0;
    server.answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const block = Buffer.alloc(mebibyte, 0x20);
      const pour = (): void => {
        if (socket.destroyed) return;
        sentBytes += block.length;
        socket.write(block, pour);
      };
      pour();
    };
    expect(await place()).toMatchObject({ kind: 'no-answer' });
    expect(sentBytes).toBeLessThan(64 * mebibyte);
  });
});

test.each([301, 302, 303, 307, 308])('a redirect %d is not followed', async (status) => {
  const other = await startRawServer();
  sendOnce(httpAnswer(status, '{"error_code":"ErrInvalidPrice"}', { location: `${other.url}/x` }));
  expect(await place()).toMatchObject({ kind: 'no-answer', status });
  expect(other.connectionCount).toBe(0);
  await other.close();
});

describe('nothing was sent', () => {
  test('when the port refuses', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const lost = createClient({ baseUrl: `http://127.0.0.1:${port}`, credentials, timers });
    expect(await lost.request('postorder', order)).toEqual({
      kind: 'not-sent',
      reason: `no connection to http://127.0.0.1:${port}: ECONNREFUSED`,
    });
    await lost.close();
  });
  test('when the connection is not established in time', async () => {
    // The server accepts connections but never answers the TLS handshake.
    const mute = createClient({
      baseUrl: server.url.replace('http:', 'https:'),
      credentials,
      timers,
      connectTimeoutMs: 100,
    });
    expect(await mute.request('postorder', order)).toEqual({
      kind: 'not-sent',
      reason: `no connection to ${server.url.replace('http:', 'https:')}: UND_ERR_CONNECT_TIMEOUT`,
    });
    await mute.close();
  });
  test('when the name does not exist', async () => {
    const lost = createClient({ baseUrl: 'https://exchange.invalid', credentials, timers });
    expect(await lost.request('postorder', order)).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(
        /^no connection to https:\/\/exchange\.invalid: (?:ENOTFOUND|EAI_AGAIN)$/u,
      ),
    });
    await lost.close();
  });
});

describe('headers', () => {
  const timeOf = async (date: string) => {
    sendOnce(httpAnswer(200, accepted, { date }));
    const reply = await place();
    return 'exchangeTimeMs' in reply ? reply.exchangeTimeMs : undefined;
  };
  test.each([
    ['Fri, 20 Nov 2026 11:10:49 GMT', 1795173049000],
    ['Thu, 31 Dec 2099 23:59:59 GMT', 4102444799000],
    ['Fri, 01 Jan 2100 00:00:00 GMT', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
    ['2026-11-20T11:10:49Z', undefined],
    ['', undefined],
  ])('the date "%s" is the time %s', async (date, timeMs) =>
    expect(await timeOf(date)).toBe(timeMs),
  );
  test.each([
    ['3', undefined, 3_000],
    ['Fri, 20 Nov 2026 11:11:49 GMT', 'Fri, 20 Nov 2026 11:10:49 GMT', 60_000],
    ['Fri, 20 Nov 2026 11:10:00 GMT', 'Fri, 20 Nov 2026 11:10:49 GMT', 0],
    ['Fri, 20 Nov 2026 11:11:49 GMT', undefined, undefined],
    ['999999999', undefined, 3_600_000],
    ['-1', undefined, undefined],
    ['soon', undefined, undefined],
  ])('retry-after "%s" at "%s" is %s ms', async (retryAfter, date, waitMs) => {
    const headers = date === undefined ? {} : { date };
    sendOnce(httpAnswer(429, '', { 'retry-after': retryAfter, ...headers }));
    const reply = await place();
    expect(reply).toMatchObject({ kind: 'refused', code: 'ErrTooManyRequests' });
    expect(reply.kind === 'refused' ? reply.retryAfterMs : -1).toBe(waitMs);
  });
  test('a hundred headers, a byte order mark and a duplicate member do no harm', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-header-${i}`, 'x']));
    sendOnce(httpAnswer(200, '\ufeff{"order_id":"BX0","order_id":"BX1"}', many));
    expect(await place()).toMatchObject({ kind: 'ok', body: { order_id: 'BX1' } });
  });
});

test('a connection that a server keeps without a word about it is used again after seconds', async () => {
  server.answer = (socket) => socket.write(httpAnswer(200, accepted));
  await place();
  // Without a time of ours, undici gives an idle connection up after 4 s.
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  await place();
  expect(server.requests).toHaveLength(2);
  expect(server.connectionCount).toBe(1);
}, 10_000);

describe('connections that no longer answer', () => {
  /** Until the client counts its connections as idle. */
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 20));

  /** Opens `count` connections, which are idle then and answer nothing any more. */
  async function forget(count: number): Promise<void> {
    const waiting: Socket[] = [];
    server.answer = (socket) => waiting.push(socket);
    const first = Array.from({ length: count }, () => place());
    await vi.waitFor(() => expect(waiting).toHaveLength(count));
    for (const socket of waiting) socket.write(httpAnswer(200, accepted));
    await Promise.all(first);
    await aMoment();
    const forgotten = new Set(waiting);
    server.answer = (socket) => {
      if (!forgotten.has(socket)) socket.write(httpAnswer(200, accepted));
    };
  }

  test('RD30: take one request, and the next ones go over new connections', async () => {
    await forget(3);
    expect(await place(150)).toMatchObject({ kind: 'no-answer' });
    const later = await Promise.all([place(), place(), place()]);
    expect(later.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok']);
    expect([server.requests.length, server.connectionCount]).toEqual([7, 6]);
  });

  test('RD30: are replaced once, although several requests were on them', async () => {
    await forget(3);
    const lost = await Promise.all([place(150), place(150), place(150)]);
    expect(lost.map(({ kind }) => kind)).toEqual(['no-answer', 'no-answer', 'no-answer']);
    expect(await place()).toMatchObject({ kind: 'ok' });
    await aMoment();
    expect(await place()).toMatchObject({ kind: 'ok' });
    expect([server.requests.length, server.connectionCount]).toEqual([8, 4]);
  });

  test('RD30: end with the client, those in progress too', async () => {
    await forget(2);
    const [slow, quick] = [place(2_000), place(150)];
    await quick;
    await client.close();
    expect(await slow).toMatchObject({ kind: 'no-answer' });
  });
});
