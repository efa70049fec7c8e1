/**
 * What a bot's client can send, and what it cannot: two independent defences, each tested with the
 * other one switched off.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { botRequests } from '../../src/bot/bot.ts';
import { checkTransportEnvironment } from '../../src/bot/keys/transport-environment.ts';
import { ConfigError, SafetyRefusedError } from '../../src/domain/errors.ts';
import { lotsOf, ticksOf } from '../../src/domain/ticks-and-lots.ts';
import { placeOutcomeOf } from '../../src/execution/orders/place-outcome.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import type { PlaceRequest } from '../../src/venue/venue-request.ts';
import { operationOf, venueReplyOf } from '../../src/venues/luno/adapter/codec.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
} from '../../src/venues/luno/client/client.ts';
import { EgressGuard } from '../../src/venues/luno/client/egress-guard.ts';
import { createHmacSigner } from '../../src/venues/luno/client/signer.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { readOperationSamples } from '../unit/venues/luno/api/wire-samples.ts';
import {
  httpAnswer,
  type RawServer,
  startRawServer,
} from '../unit/venues/luno/client/raw-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'canary-secret-1' };
const timers = createTimers();
const clock = createClock();
const botOperations: readonly OperationName[] = botRequests.map((kind) => operationOf[kind]);
const allOperations = Object.keys(operations) as OperationName[];
const order = {
  pair: 'XBTZAR',
  type: 'BID',
  volume: '0.1',
  price: '1000',
  client_order_id: 'b1-unittest-1-aaaa',
} as const;

/** The same in the terms of the port. */
const placeRequest: PlaceRequest = {
  ...{ kind: 'place', pair: 'XBTZAR', side: 'BID', price: ticksOf(1_000), volume: lotsOf(100_000) },
  ...{ timeInForce: 'GTC', postOnly: false, baseAccountId: '1', counterAccountId: '2' },
  ...{ clientOrderId: 'b1-unittest-1-aaaa', timestampMs: 1, ttlMs: 1 },
};

let server: RawServer;
const clients: Client[] = [];

/** The bot's client, complete or with defences switched off; it also has a wallet signer. */
function clientWith(options: Partial<ClientOptions>): Client {
  const client = createClient({
    baseUrl: server.url,
    credentials,
    wallet: { signer: createHmacSigner(credentials), clock },
    timers,
    deadlineMs: 2_000,
    ...options,
  });
  clients.push(client);
  return client;
}

const guard = () => new EgressGuard({ caps: undefined, clock });

beforeEach(async () => {
  server = await startRawServer();
  server.answer = (socket) => socket.write(httpAnswer(200, '{}', {}));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

describe('P14: a bot cannot move money off the exchange:', () => {
  const writes = readOperationSamples()
    .filter(({ operation }) => operations[operation].method !== 'GET')
    .flatMap(({ operation, requests }) => requests.map((request) => ({ operation, ...request })));
  const others = writes.filter(({ operation }) => !botOperations.includes(operation));

  const tryAll = async (client: Client) => {
    const replies = [];
    for (const { operation, parameters } of others)
      replies.push(await client.request(operation, parameters as never));
    return replies;
  };

  test('every write of the API that is not an order or a cancel is tested', () => {
    const changing = allOperations.filter((name) => operations[name].method !== 'GET');
    const wanted = changing.filter((name) => name !== 'postorder' && name !== 'stoporder');
    expect(new Set(others.map(({ operation }) => operation))).toEqual(new Set(wanted));
    expect(wanted.length).toBeGreaterThan(20);
  });

  test('no other write reaches the exchange through the bot', async () => {
    const replies = await tryAll(clientWith({ allow: botOperations, guard: guard() }));
    for (const reply of replies) expect(reply.kind).toBe('not-sent');
    expect(server.connectionCount).toBe(0);
  });

  test('no other write reaches it with only the allow-list', async () => {
    for (const reply of await tryAll(clientWith({ allow: botOperations })))
      expect(reply).toMatchObject({
        kind: 'not-sent',
        reason: expect.stringContaining('is not on the client'),
      });
    expect(server.connectionCount).toBe(0);
  });

  test('no other write reaches it with only the egress guard', async () => {
    for (const reply of await tryAll(clientWith({ guard: guard() })))
      expect(reply).toMatchObject({ kind: 'not-sent', isBlocked: true });
    expect(server.connectionCount).toBe(0);
  });

  test('all writes reach it without both defences, so this test can fail', async () => {
    await tryAll(clientWith({}));
    expect(server.requests).toHaveLength(others.length);
  });

  test("of the bot's operations, only orders and cancels change anything", () => {
    const changing = botOperations.filter((name) => operations[name].repeat !== 'read');
    expect(changing).toEqual(['postorder', 'stoporder']);
  });
});

test.each([301, 302, 303, 307, 308])(
  'A28: a redirect %d to another host is not followed, no credentials go there, the outcome is unknown',
  async (status) => {
    const elsewhere = await startRawServer();
    const redirect = { location: `${elsewhere.url}/api/1/postorder` };
    server.answer = (socket) => socket.write(httpAnswer(status, '{"order_id":"BX1"}', redirect));
    const reply = await clientWith({}).request('postorder', order);
    expect(reply).toMatchObject({ kind: 'no-answer', status });
    expect(placeOutcomeOf(venueReplyOf(placeRequest, reply)).kind).toBe('ambiguous');
    expect(server.requests).toHaveLength(1);
    expect(elsewhere.connectionCount).toBe(0);
    await elsewhere.close();
  },
);

test('A30: a client_order_id that is too long or has invalid characters is not sent', async () => {
  const client = clientWith({});
  const send = (id: string) => client.request('postorder', { ...order, client_order_id: id });
  const seed = 30;
  const random = new SeededRandom(seed);
  const wrong = ['', 'x'.repeat(101), 'x'.repeat(255), 'a b', 'a\r\nx: y', 'é', 'a/b', '%3B', '\0'];
  for (let i = 0; i < 200; i++) {
    const code = random.integer(0, 0xffff);
    const sign = String.fromCharCode(code);
    if (!/[A-Za-z0-9_;,.-]/u.test(sign)) wrong.push(`ok${sign}ok`);
  }
  for (const id of wrong)
    expect(await send(id), `seed ${seed}: ${JSON.stringify(id)}`).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('client_order_id'),
    });
  expect(server.connectionCount).toBe(0);
  await send('x'.repeat(100));
  expect(server.requests).toHaveLength(1);
});

describe('traffic to other machines is encrypted:', () => {
  test.each([
    'http://exchange.example',
    'http://127.0.0.1.exchange.example',
    'http://127.0.0.1@exchange.example',
    'ftp://127.0.0.1',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::ffff:10.0.0.1]',
  ])('%s is refused', (baseUrl) => {
    expect(() => clientWith({ baseUrl })).toThrow(ConfigError);
  });

  test('the start is refused if certificates are not checked', () => {
    expect(() => checkTransportEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      SafetyRefusedError,
    );
    expect(checkTransportEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
  });

  test('configured authorities and proxies are reported by name, without their values', () => {
    const secret = 'http://user:canary-password@proxy';
    expect(
      checkTransportEnvironment({
        NODE_EXTRA_CA_CERTS: secret,
        HTTPS_PROXY: secret,
        http_proxy: secret,
        NODE_USE_ENV_PROXY: '1',
        ALL_PROXY: '',
      }),
    ).toEqual([
      expect.stringMatching(/^NODE_EXTRA_CA_CERTS is set/u),
      expect.stringMatching(/^HTTPS_PROXY, http_proxy set/u),
      expect.stringMatching(/^NODE_USE_ENV_PROXY is set/u),
    ]);
    expect(JSON.stringify(checkTransportEnvironment({ HTTPS_PROXY: secret }))).not.toContain(
      'canary',
    );
  });

  test('a proxy of the environment is not used', async () => {
    const proxy = await startRawServer();
    process.env['HTTP_PROXY'] = proxy.url;
    try {
      await clientWith({}).request('balance', {});
    } finally {
      delete process.env['HTTP_PROXY'];
    }
    expect(proxy.connectionCount).toBe(0);
    expect(server.requests).toHaveLength(1);
    await proxy.close();
  });
});
