/**
 * The simulator's server and the simulator called directly give the same answers: status, body,
 * headers and stream frames. The test controls time, so they must be equal byte for byte.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { StoreError } from '../../src/domain/errors.ts';
import type { Timers } from '../../src/runtime/timers.ts';
import { botPermissions } from '../../src/venues/luno/api/permissions.ts';
import { createApiKey } from '../../src/venues/luno/simulator/core/api-key.ts';
import { defaultSimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  type SimulatorServer,
  startSimulatorServer,
} from '../../src/venues/luno/simulator/server/simulator-server.ts';
import { createSimulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { second, startMicros } from '../support/simulated-exchange.ts';

/** Timers that fire only when the test fires them, all at once. */
class ManualTimers implements Timers {
  readonly #callbacks = new Set<() => void>();
  after = (_: number, callback: () => void) => this.#add(callback);
  every = (_: number, callback: () => void) => this.#add(callback);
  /** Independent of time: the answers of a turn wait for the end of the turn. */
  soon = (callback: () => void) => {
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  };
  fire(): void {
    for (const callback of this.#callbacks) callback();
  }
  #add(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }
}

type Answer = { status: number; body: string; headers: Record<string, string | undefined> };

let folder: string;
let nowMicros: number;
let timers: ManualTimers;
let failures: unknown[];
let server: SimulatorServer;
let direct: ReturnType<typeof createSimulator>;

const start = () =>
  startSimulatorServer({
    folder,
    port: 0,
    seed: 5,
    clock: { nowMicros: () => nowMicros, monotonicMicros: () => nowMicros },
    timers,
    fail: (error) => failures.push(error),
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-server-'));
  nowMicros = startMicros;
  timers = new ManualTimers();
  failures = [];
  server = await start();
  const { api_key_id: id, api_key_secret: secret } = server.credentials;
  const key = createApiKey({ id, secret }, { userId: 'desk', permissions: botPermissions });
  const genesis = { settings: defaultSimulatorSettings, seed: 5, timeMicros: startMicros };
  direct = createSimulator({ ...genesis, keys: [key] });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const compared = ['content-type', 'date', 'x-luno-trace-id', 'cache-control', 'x-ratelimit-limit'];
const more = ['x-ratelimit-remaining', 'x-ratelimit-reset'];

type Sent = { method: string; path: string; pairs: [string, string][]; hasKey: boolean };

/** Sends raw HTTP, so that Host and other headers can be anything. */
function send(options: {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port: server.port, agent: false, ...options },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            headers: incoming.headers as Answer['headers'],
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

const authorization = () => {
  const { api_key_id: id, api_key_secret: secret } = server.credentials;
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
};
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

async function overHttp({ method, path, pairs, hasKey }: Sent): Promise<Answer> {
  const encoded = new URLSearchParams(pairs).toString();
  const isForm = method === 'POST';
  const answer = await send({
    method,
    path: isForm || encoded === '' ? path : `${path}?${encoded}`,
    headers: { ...(hasKey ? { authorization: authorization() } : {}), ...(isForm ? formType : {}) },
    ...(isForm ? { body: encoded } : {}),
  });
  return comparable(answer);
}

function directly({ method, path, pairs, hasKey }: Sent): Answer {
  const { api_key_id: id, api_key_secret: secret } = server.credentials;
  const { status, body, headers } = direct.handle(
    {
      method,
      path,
      pairs,
      credentials: hasKey ? { id, secret } : undefined,
      bodyKind: method === 'POST' && pairs.length > 0 ? 'form' : 'none',
    },
    nowMicros,
  );
  return comparable({ status, body: body ?? '', headers });
}

function comparable({ status, body, headers }: Answer): Answer {
  const kept = [...compared, ...more].map((name) => [
    name,
    headers[name]?.replace('; charset=utf-8', ''),
  ]);
  return { status, body, headers: Object.fromEntries(kept) };
}

function randomRequest(random: SeededRandom, orderIds: readonly string[]): Sent {
  const pair = random.pick(['XBTZAR', 'XBTZAR', 'ETHXBT', 'NOPE']);
  const hasKey = random.fraction() > 0.05;
  const account = random.pick(Object.values(defaultSimulatorSettings.users[0]?.accountIds ?? {}));
  const get = (path: string, ...pairs: [string, string][]): Sent => ({
    method: 'GET',
    path,
    pairs,
    hasKey,
  });
  const post = (path: string, ...pairs: [string, string][]): Sent => ({
    method: 'POST',
    path,
    pairs,
    hasKey,
  });
  return random.pick([
    () => get('/api/exchange/1/markets', ['pair', pair], ['pair', 'ETHXBT']),
    () => get('/api/1/ticker', ['pair', pair]),
    () => get('/api/1/orderbook_top', ['pair', pair]),
    () => get('/api/1/orderbook', ['pair', pair]),
    () => get('/api/1/balance', ['assets', 'XBT'], ['assets', 'ZAR']),
    () => get(`/api/1/accounts/${account}/transactions`, ['min_row', '-5'], ['max_row', '0']),
    () => get('/api/1/fee_info', ['pair', pair]),
    () => get('/api/exchange/2/listorders', ['closed', random.pick(['true', 'False', ''])]),
    () => get('/api/exchange/3/order', ['id', random.pick([...orderIds, 'BX0000000000000'])]),
    () => get('/api/1/listtrades', ['pair', pair], ['sort_desc', '1']),
    () => get(random.pick(['/', '/api/1/none', '/api/1/postorder'])),
    () => post('/api/1/stoporder', ['order_id', random.pick([...orderIds, 'x y&z=ü'])]),
    ...Array.from(
      { length: 6 },
      () => () =>
        post(
          '/api/1/postorder',
          ['pair', 'XBTZAR'],
          ['type', random.pick(['BID', 'ASK'])],
          ['price', String(1_000_000 + random.integer(-3000, 3000))],
          ['volume', random.pick(['0.001', '0.05', '0.0000001', '1e3'])],
          ['client_order_id', `id-${random.integer(0, 30)}`],
          ['time_in_force', random.pick(['', 'GTC', 'IOC', 'FOK'])],
        ),
    ),
  ])();
}

const seeds =
  process.env['SEED'] === undefined ? [1, 2, 3] : [Number.parseInt(process.env['SEED'], 10)];

test.each(seeds)(
  'random requests get the same answers over HTTP and directly, seed %i',
  async (seed) => {
    const random = new SeededRandom(seed);
    const orderIds: string[] = [];
    const outcomes = new Set<number>();
    for (let i = 0; i < 120; i++) {
      nowMicros += random.integer(0, 2 * second);
      const request = randomRequest(random, orderIds);
      const expected = directly(request);
      expect(await overHttp(request)).toEqual(expected);
      outcomes.add(expected.status);
      const id = /"order_id":"(BX\w+)"/u.exec(expected.body)?.[1];
      if (id !== undefined) orderIds.push(id);
    }
    expect(server.simulator.truth('desk')).toEqual(direct.truth('desk'));
    expect(direct.truth('desk').trades.length).toBeGreaterThan(0);
    expect([...outcomes].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404, 409]));
  },
);

class SocketListener {
  readonly socket: WebSocket;
  readonly frames: string[] = [];
  closeCode: number | undefined;
  #wake: () => void = () => {};

  constructor(path: string, options: { origin?: string } = {}) {
    this.socket = new WebSocket(`${server.streamUrl}${path}`, options);
    this.socket.on('message', (data) => {
      this.frames.push(String(data));
      this.#wake();
    });
    this.socket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
  }

  async open(): Promise<this> {
    if (this.socket.readyState !== WebSocket.OPEN)
      await new Promise((resolve, reject) => {
        this.socket.on('open', resolve);
        this.socket.on('error', reject);
      });
    return this;
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

test('both streams carry the same frames over a socket and directly', async () => {
  const paths = ['/api/1/stream/XBTZAR', '/api/1/userstream'];
  const sockets: SocketListener[] = [];
  const frames: string[][] = [];
  for (const path of paths) {
    const listener = await new SocketListener(path).open();
    const credentials = JSON.stringify(server.credentials);
    listener.socket.send(credentials);
    sockets.push(listener);
    const received: string[] = [];
    frames.push(received);
    direct
      .openSession(
        path,
        (output) => output.kind === 'frame' && received.push(output.text),
        nowMicros,
      )
      ?.receive(credentials, nowMicros);
  }
  const market = sockets[0] as SocketListener;
  await market.until(() => market.frames.length === 1);
  for (let i = 0; i < 40; i++) {
    nowMicros += second;
    const side = i % 2 === 0 ? 'BID' : 'ASK';
    const pairs: [string, string][] = [
      ['pair', 'XBTZAR'],
      ['type', side],
      ['price', side === 'BID' ? '1000500' : '999500'],
      ['volume', '0.01'],
    ];
    const request = { method: 'POST', path: '/api/1/postorder', pairs, hasKey: true };
    expect(await overHttp(request)).toEqual(directly(request));
  }
  for (const [index, socket] of sockets.entries()) {
    const expected = frames[index] ?? [];
    await socket.until(() => socket.frames.length >= expected.length);
    expect(socket.frames).toEqual(expected);
    expect(expected.length).toBeGreaterThan(40);
  }
});

test('a refused stream gets the reason and is closed with 1000', async () => {
  const listener = await new SocketListener('/api/1/stream/XBTZAR').open();
  listener.socket.send('hello');
  await listener.until(() => listener.closeCode !== undefined);
  expect(listener.closeCode).toBe(1000);
  expect(listener.frames[0]).toContain('invalid_credentials');
});

test('nothing is compressed, and a binary or too long frame ends the stream', async () => {
  const binary = await new SocketListener('/api/1/userstream').open();
  expect(binary.socket.extensions).toBe('');
  binary.socket.send(Buffer.from([1, 2]));
  await binary.until(() => binary.closeCode !== undefined);
  expect(binary.closeCode).toBe(1003);
  const long = await new SocketListener('/api/1/userstream').open();
  long.socket.send('x'.repeat(20_000));
  await long.until(() => long.closeCode !== undefined);
  expect(long.closeCode).toBe(1009);
});

test.each([
  ['GET', { host: 'evil.example' }],
  ['GET', { host: '127.0.0.1.evil.example' }],
  ['GET', { origin: 'https://evil.example' }],
])('%s with %o is forbidden', async (method, headers) => {
  const path = '/api/1/ticker?pair=XBTZAR';
  expect((await send({ method, path, headers })).status).toBe(403);
  expect((await send({ method, path, headers: { origin: 'http://localhost/' } })).status).toBe(200);
});

test('a web page of another origin cannot open a stream', async () => {
  const listener = new SocketListener('/api/1/userstream', { origin: 'https://evil.example' });
  await expect(listener.open()).rejects.toThrow('403');
});

test('a JSON body is refused, and a body that is too large is not read', async () => {
  const post = (type: string, body: string) =>
    send({
      method: 'POST',
      path: '/api/1/postorder?pair=XBTZAR&type=BID&price=900000&volume=0.01',
      headers: { authorization: authorization(), 'content-type': type },
      body,
    });
  expect((await post('application/json', '{"pair":"XBTZAR"}')).body).toContain(
    'ErrInvalidParameters',
  );
  expect((await post('application/x-www-form-urlencoded', 'x'.repeat(70_000))).status).toBe(413);
  expect(server.simulator.truth('desk').orders).toEqual([]);
  expect((await post('application/x-www-form-urlencoded', '')).status).toBe(200);
});

test('a second server cannot use the same folder or the same port', async () => {
  await expect(
    startSimulatorServer({
      folder: join(folder, 'other'),
      port: server.port,
      seed: 1,
      clock: { nowMicros: () => nowMicros, monotonicMicros: () => nowMicros },
      timers,
      fail: () => {},
    }),
  ).rejects.toThrow('EADDRINUSE');
});

test('after a clean shutdown the next server continues with the same orders and keys', async () => {
  const request: Sent = {
    method: 'POST',
    path: '/api/1/postorder',
    pairs: [
      ['pair', 'XBTZAR'],
      ['type', 'BID'],
      ['price', '900000'],
      ['volume', '0.01'],
    ],
    hasKey: true,
  };
  const { order_id: id } = JSON.parse((await overHttp(request)).body);
  const { credentials } = server;
  await server.close();
  nowMicros += 3600 * second;
  server = await start();
  expect(server.credentials).toEqual(credentials);
  expect(server.replayed).toBe(0);
  const path = '/api/exchange/3/order';
  const order = await overHttp({ method: 'GET', path, pairs: [['id', id]], hasKey: true });
  expect(JSON.parse(order.body)).toMatchObject({ status: 'PENDING', base: '0.000000' });
});

test('a disk failure ends the server: it sends no answer and reports the failure once', async () => {
  const { simulator } = server;
  // The test closes the log while the server uses it.
  await server.close();
  expect(() => simulator.advance(nowMicros + 60 * second)).toThrow(StoreError);
  server = await start();
  nowMicros = startMicros + 60 * second;
  Object.defineProperty(server.simulator, 'handle', {
    value: () => {
      throw new StoreError('no space left on device');
    },
  });
  const request = { method: 'GET', path: '/api/1/ticker?pair=XBTZAR' };
  await expect(send(request)).rejects.toThrow('socket hang up');
  await expect(send(request)).rejects.toThrow('socket hang up');
  expect(failures).toHaveLength(1);
});
