/** The sources of feeds against real servers and files that fail, stall, lie, flood and grow. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FeedPlace, FeedReading, FeedSource } from '../../../src/domain/feed.ts';
import { openFeeds } from '../../../src/feeds/open-feeds.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createTimers } from '../../../src/runtime/timers.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const secret = 'Canary-of-the-feed';

function openOne(place: FeedPlace, more: Partial<FeedSource> = {}) {
  const read: FeedReading[] = [];
  const failed: string[] = [];
  const noted: string[] = [];
  const source: FeedSource = {
    ...{ name: 'reference', place, fields: { value: '' }, time: undefined },
    ...{ everyMs: 100, ageMsMax: 1_000, bytesMax: 1_000 },
    ...{ min: undefined, max: undefined, unchangedMsMax: undefined, ...more },
  };
  const sink = {
    read: (reading: FeedReading) => read.push(reading),
    failed: (_name: string, reason: string) => failed.push(reason),
    noted: (text: string) => noted.push(text),
  };
  const tools = { clock: createClock(), timers: createTimers(), random: { next: () => 0 } };
  const feed = openFeeds([source], sink, tools);
  ends.push(() => feed.close());
  const values = () => read.map((reading) => reading.values['value']);
  return { read, failed, noted, values, close: () => feed.close() };
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 10) {
    if (waited > 8_000) throw new Error(`not within 8 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function httpFeed(answer: RequestListener, more: Partial<FeedSource> = {}) {
  const port = await listening(createServer(answer));
  const url = `http://127.0.0.1:${port}/price?key=${secret}`;
  return openOne({ kind: 'http', url, headers: { 'x-key': secret } }, more);
}

test('an address is read every so often, with the headers of the settings', async () => {
  const asked: unknown[] = [];
  let price = 1_000;
  const feed = await httpFeed(
    (request, response) => {
      asked.push([request.method, request.url, request.headers['x-key']]);
      response.end(JSON.stringify({ data: { price: String(price++) } }));
    },
    { fields: { value: 'data.price' } },
  );
  await until(() => feed.read.length >= 3, 'three values');
  expect(feed.values().slice(0, 3)).toEqual(['1000', '1001', '1002']);
  expect(asked[0]).toEqual(['GET', `/price?key=${secret}`, secret]);
  expect(feed.failed).toEqual([]);
  await feed.close();
  const { length } = asked;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked).toHaveLength(length);
});

test.each<readonly [name: string, answer: RequestListener, reason: RegExp]>([
  ['fails', (_, response) => response.writeHead(500).end(secret), /^HTTP 500$/u],
  [
    'points elsewhere',
    (_, response) => response.writeHead(302, { location: `/${secret}` }).end(),
    /^HTTP 302, a redirect, which is not followed$/u,
  ],
  ['is no JSON', (_, response) => response.end('<html>'), /^the message is not JSON: "<html>"$/u],
  [
    'is cut off',
    (_, response) => response.write('{"value":', () => response.destroy()),
    /^[A-Z_]+$/u,
  ],
  ['is too large', (_, response) => response.end(' '.repeat(1_001)), /larger than 1 kB$/u],
  [
    'grows without end',
    (_, response) => {
      const more = setInterval(() => response.write(' '.repeat(500)), 1);
      response.on('close', () => clearInterval(more));
    },
    /larger than 1 kB$/u,
  ],
  ['stalls', () => {}, /^no answer within 1000 ms$/u],
  ['stalls half way', (_, response) => void response.write('{'), /^no answer within 1000 ms$/u],
  ['hangs up', (request) => request.socket.destroy(), /^[A-Z_]+$/u],
])('an address that %s gives no value, and the reason has no secret', async (_, answer, reason) => {
  let isBroken = true;
  const feed = await httpFeed((request, response) => {
    if (isBroken) answer(request, response);
    else response.end('7');
  });
  await until(() => feed.failed.length > 0, 'a reason');
  expect(feed.failed[0]).toMatch(reason);
  expect(feed.read).toEqual([]);
  isBroken = false;
  await until(() => feed.read.length > 0, 'a value');
  expect(feed.values()[0]).toBe('7');
  expect(JSON.stringify(feed.failed)).not.toContain(secret);
});

test('an address that cannot be reached says so', async () => {
  const port = await listening(createServer());
  await ends.pop()?.();
  const url = `http://127.0.0.1:${port}/`;
  const feed = openOne({ kind: 'http', url, headers: {} });
  await until(() => feed.failed.length > 0, 'a reason');
  expect(feed.failed).toEqual(['ECONNREFUSED']);
});

test('a server that asks for a pause gets it', async () => {
  let asked = 0;
  const feed = await httpFeed((_, response) => {
    asked++;
    response.writeHead(429, { 'retry-after': '30' }).end();
  });
  await until(() => feed.failed.length > 0, 'a reason');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect([asked, feed.failed]).toEqual([1, ['HTTP 429']]);
});

async function socketFeed(
  serve: (socket: WebSocket, number: number) => void,
  more: Partial<FeedSource> = {},
) {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  let number = 0;
  sockets.on('connection', (socket) => serve(socket, ++number));
  ends.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  const url = `ws://127.0.0.1:${await listening(server)}/prices?key=${secret}`;
  return openOne({ kind: 'websocket', url, headers: {}, subscribe: `{"to":"${secret}"}` }, more);
}

test('a websocket is subscribed to; confirmations without a number are no fault', async () => {
  const got: string[] = [];
  const feed = await socketFeed((socket) => {
    socket.on('message', (data) => {
      got.push(data.toString());
      socket.send('{"subscribed":true}');
      socket.send('{"value":"5"}');
    });
  });
  await until(() => feed.read.length > 0, 'a value');
  expect(got).toEqual([`{"to":"${secret}"}`]);
  expect([feed.values(), feed.failed]).toEqual([['5'], []]);
});

test('of a flood, the last value counts, one in the time that the settings give', async () => {
  let sent = 0;
  const feed = await socketFeed((socket) => {
    const flood = setInterval(() => {
      for (let count = 0; count < 20; count++) socket.send(String(++sent));
    }, 10);
    socket.on('close', () => clearInterval(flood));
  });
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  expect(feed.read.length).toBeGreaterThan(4);
  expect(feed.read.length).toBeLessThan(12);
  const values = feed.values().map(Number);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(values.at(-1)).toBeGreaterThan(sent / 2);
  expect(feed.failed).toEqual([]);
});

test('a flood that would take time from trading is cut off', async () => {
  let connections = 0;
  const feed = await socketFeed((socket) => {
    connections++;
    for (let count = 0; count < 5_100; count++) socket.send('1');
  });
  await until(() => connections > 1, 'a second connection');
  expect(feed.failed).toContain('it sent more than 5000 messages in a second');
});

test.each<readonly [name: string, serve: (socket: WebSocket) => void, reason: RegExp]>([
  ['ends', (socket) => socket.close(1001), /^the websocket was closed with code 1001$/u],
  ['sends too much', (socket) => socket.send(' '.repeat(1_001)), /larger than 1 kB$/u],
  ['is cut', (socket) => socket.terminate(), /^the websocket was closed with code 1006$/u],
])('a websocket that %s is opened again', async (_, serve, reason) => {
  const feed = await socketFeed((socket, number) => {
    if (number === 1) serve(socket);
    else socket.send('9');
  });
  await until(() => feed.read.length > 0, 'a value');
  expect(feed.failed[0]).toMatch(reason);
  expect(JSON.stringify(feed.failed)).not.toContain(secret);
});

test('a websocket without numbers for long says so', async () => {
  const feed = await socketFeed((socket) => {
    const each = setInterval(() => socket.send('{"price":1}'), 50);
    socket.on('close', () => clearInterval(each));
  });
  await until(() => feed.failed.length > 0, 'a reason');
  expect(feed.failed).toEqual(['the message is missing, not a number']);
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'millrace-feed-'));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('of a table that grows, the last whole line is read', async () => {
  const path = join(folder(), 'reference.csv');
  writeFileSync(path, 'time_ms,value\n1,100\n');
  const feed = openOne({ kind: 'file', path });
  await until(() => feed.read.length === 1, 'the first value');
  appendFileSync(path, '2,101\n3,10');
  await until(() => feed.read.length === 2, 'the second value');
  appendFileSync(path, '2\n');
  await until(() => feed.read.length === 3, 'the third value');
  appendFileSync(path, `${'4,103\n'.repeat(10_000)}5,104\n`);
  await until(() => feed.read.length === 4, 'the fourth value');
  expect(feed.values()).toEqual(['100', '101', '102', '104']);
  expect(feed.failed).toEqual([]);
  await until(() => feed.failed.length > 0, 'that it does not change');
  expect(feed.failed).toEqual(['the file has not changed']);
});

test('the reason of a bad line stays while the file does not change', async () => {
  const path = join(folder(), 'reference.csv');
  writeFileSync(path, 'time_ms,value\n1,abc\n');
  const feed = openOne({ kind: 'file', path });
  await until(() => feed.failed.length > 0, 'a reason');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(feed.failed).toEqual([expect.stringContaining('"abc", not a number')]);
});

test('a file of JSON may be written anew', async () => {
  const path = join(folder(), 'price.json');
  writeFileSync(path, '{"value":1}');
  const feed = openOne({ kind: 'file', path });
  await until(() => feed.read.length === 1, 'the first value');
  writeFileSync(path, '{"value":2.50}');
  await until(() => feed.read.length === 2, 'the second value');
  rmSync(path);
  await until(() => feed.failed.length > 0, 'a reason');
  writeFileSync(path, '{"value":3}\n');
  await until(() => feed.values().includes('3'), 'the third value');
  expect(feed.values()).toEqual(['1', '2.50', '3']);
  expect(feed.failed).toEqual(['the file does not exist']);
});

test.each<readonly [name: string, write: (path: string) => void, reason: string]>([
  ['is missing', () => {}, 'the file does not exist'],
  ['is a folder', (path) => mkdirSync(path), 'the file is not a regular file'],
  ['is empty', (path) => writeFileSync(path, ''), 'the last line is empty'],
  [
    'has a line that is too long',
    (path) => writeFileSync(path, `1\n${'1'.repeat(2_000)}\n`),
    'the last line is larger than 1 kB',
  ],
  ['is no JSON', (path) => writeFileSync(path, 'hello\n'), 'the message is not JSON: "hello"'],
])('a file that %s says so', async (_, write, reason) => {
  const path = join(folder(), 'price.json');
  write(path);
  const feed = openOne({ kind: 'file', path });
  await until(() => feed.failed.length > 0, 'a reason');
  expect([feed.failed, feed.read]).toEqual([[reason], []]);
});
