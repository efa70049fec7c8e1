/**
 * The client against a server that sends the golden samples: requests are exactly as documented,
 * answers are decoded as declared, and credentials go nowhere else.
 */
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { ConfigError, NotSentError, OutcomeUnknownError } from '../../src/domain/errors.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
} from '../../src/venues/luno/client/client.ts';
import { ownKeyOf } from '../../src/venues/luno/client/own-key.ts';
import { createHmacSigner } from '../../src/venues/luno/client/signer.ts';
import {
  type ErrorSamples,
  operationNames,
  readOperationSamples,
  readSamples,
} from '../unit/venues/luno/api/wire-samples.ts';
import {
  httpAnswer,
  type RawServer,
  startRawServer,
} from '../unit/venues/luno/client/raw-server.ts';
import { selfSignedCertificate } from '../unit/venues/luno/client/self-signed-certificate.ts';

const credentials = { keyId: 'keyid', keySecret: 'canary-secret-1' };
const order = { pair: 'XBTZAR', type: 'BID', volume: '0.1', price: '1000' } as const;
const timers = createTimers();

let server: RawServer;
let client: Client;
const clientFor = (options: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: server.url,
    credentials,
    wallet: { signer: createHmacSigner(credentials), clock: createClock() },
    timers,
    ...options,
  });

beforeEach(async () => {
  server = await startRawServer();
  client = clientFor();
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const answerWith = (status: number, text: string, headers: Record<string, string> = {}): void => {
  server.answer = (socket) => socket.write(httpAnswer(status, text, headers));
};

describe('requests are as documented', () => {
  const all = readOperationSamples().flatMap(({ operation, signed, requests }) =>
    requests.map((request) => ({ operation, signed, ...request })),
  );
  test.each(all)('$operation: $name', async (sample) => {
    answerWith(500, '');
    await client.request(sample.operation, sample.parameters);
    expect(server.requests).toHaveLength(1);
    const [seen] = server.requests;
    expect(seen).toMatchObject({
      method: sample.method,
      target: sample.target,
      body: sample.form ?? sample.json ?? '',
    });
    const token = `Basic ${btoa('keyid:canary-secret-1')}`;
    expect(seen?.headers['authorization']).toBe(sample.signed ? token : undefined);
    const formType = sample.form === null ? undefined : 'application/x-www-form-urlencoded';
    expect(seen?.headers['content-type']).toBe(
      sample.json === undefined ? formType : 'application/json',
    );
  });
});

describe('answers are decoded as declared', () => {
  const all = readOperationSamples().flatMap(({ operation, requests, responses }) =>
    responses.map((response) => ({ operation, parameters: requests[0]?.parameters, ...response })),
  );
  test.each(all)('$operation: $name', async ({ operation, parameters, text, value }) => {
    answerWith(200, text, { date: 'Fri, 20 Nov 2026 11:10:49 GMT' });
    const reply = await client.request(operation, parameters as never);
    expect(reply).toEqual({ kind: 'ok', status: 200, body: value, exchangeTimeMs: 1795173049000 });
  });
});

test('a 204 without a body is accepted if all members of the answer are optional', async () => {
  answerWith(204, '');
  expect(await client.request('deleteBeneficiary', { id: '1' })).toMatchObject({
    kind: 'ok',
    status: 204,
    body: { code: '', message: '' },
  });
  expect(await client.request('stoporder', { order_id: 'BX1' })).toMatchObject({
    kind: 'no-answer',
    status: 204,
  });
});

describe('refusals and answers that prove nothing', () => {
  const { answers } = readSamples<ErrorSamples>('errors');
  test.each(answers)('$status: $name', async ({ status, type, text, reply }) => {
    answerWith(status, text, { 'content-type': type });
    expect(await client.request('postorder', order)).toMatchObject(reply);
  });
});

describe('typed methods', () => {
  test('resolve with the declared response', async () => {
    answerWith(200, '{"order_id":"BX1"}');
    const placed = await client.postorder(order);
    expectTypeOf(placed).toEqualTypeOf<{ order_id: string }>();
    expect(placed).toEqual({ order_id: 'BX1' });
  });
  test('refuse wrong parameters at compile time and at run time', async () => {
    type OrderParameters = Parameters<Client['postorder']>[0];
    expectTypeOf<object>().not.toExtend<Parameters<Client['ticker']>[0]>();
    expectTypeOf<{ pair: string }>().toExtend<Parameters<Client['ticker']>[0]>();
    expectTypeOf<OrderParameters['price']>().toEqualTypeOf<string>();
    expectTypeOf<OrderParameters['ttl']>().toEqualTypeOf<number | undefined>();
    await expect(client.ticker({} as never)).rejects.toThrow(NotSentError);
    await expect(client.postorder({ ...order, price: 1000 as never })).rejects.toThrow(
      NotSentError,
    );
    expect(server.requests).toHaveLength(0);
  });
  test.each([
    [400, 'ErrInsufficientBalance', 'give-up'],
    [400, 'ErrPostOnlyMode', 'give-up'],
    [400, 'ErrOrderCanceled', 'give-up'],
    [401, 'ErrApiKeyRevoked', 'give-up'],
    [409, 'ErrDuplicateClientOrderID', 'look-up'],
    [400, 'ErrDeadlineExceeded', 'look-up'],
    [429, 'ErrTooManyRequests', 'look-up'],
    [400, 'ErrNeverSeenBefore', 'look-up'],
  ])('reject with what may be done: %d %s is %s', async (status, code, recovery) => {
    answerWith(status, JSON.stringify({ error: 'no', error_code: code }));
    await expect(client.postorder(order)).rejects.toMatchObject({
      code: 'MR_EXCHANGE_REFUSED',
      status,
      exchangeCode: code,
      recovery,
    });
  });
  test('name the fields that the exchange lists, under each of its names for the list', async () => {
    const body = { error: 'One or more arguments are invalid', error_code: 'ErrInvalidArguments' };
    answerWith(400, JSON.stringify({ ...body, error_action: {}, invalid: ['pair', 'ttl'] }));
    await expect(client.postorder(order)).rejects.toThrow('are invalid (pair, ttl)');
    answerWith(400, JSON.stringify({ ...body, error: 'ttl is too long', fields: ['ttl'] }));
    await expect(client.postorder(order)).rejects.toThrow(/ttl is too long$/u);
  });
  test('may repeat a read that exceeded the call limit', async () => {
    answerWith(429, '');
    await expect(client.balance({})).rejects.toMatchObject({ recovery: 'retry' });
  });
  test('reject with an unknown outcome when the answer proves nothing', async () => {
    answerWith(502, 'Bad Gateway');
    await expect(client.postorder(order)).rejects.toThrow(OutcomeUnknownError);
  });
});

describe('nothing is sent', () => {
  const notSent = async (attempt: Promise<unknown>, reason: RegExp): Promise<void> => {
    expect(await attempt).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(reason),
    });
    expect(server.connectionCount).toBe(0);
  };
  test('for an operation that is not on the allow-list', async () => {
    const reader = clientFor({ allow: ['ticker'] });
    await notSent(reader.request('postorder', order), /allow-list/u);
    for (const name of operationNames.filter((one) => one !== 'ticker'))
      await notSent(reader.request(name, {} as never), /allow-list/u);
  });
  test.each(['withdraw', 'constructor', '__proto__', 'request'])('for "%s"', (name) =>
    notSent(client.request(name as 'ticker', { pair: 'XBTZAR' }), /unknown operation/u),
  );
  test('without a key, for an operation that needs one', () =>
    notSent(clientFor({ credentials: undefined }).request('balance', {}), /needs an API key/u));
  test('for a parameter that cannot be written', () =>
    notSent(client.request('postorder', { ...order, volume: '1e-8' }), /volume cannot be "1e-8"/u));
  test('for a lone surrogate in the path', () =>
    notSent(
      client.request('transactions', { id: '\ud800', min_row: '1', max_row: '2' }),
      /id cannot be/u,
    ));
  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('with a deadline of %d', (deadlineMs) =>
    notSent(
      client.request('ticker', { pair: 'XBTZAR' }, { deadlineMs }),
      new RegExp(`deadline must be at least 1 ms, was ${deadlineMs}`, 'u'),
    ),
  );
  test.each([undefined, null, 'XBTZAR', ['XBTZAR']])('for the parameters %j', (wrong) =>
    notSent(client.request('ticker', wrong as never), /ticker takes one object of parameters/u),
  );
  test('for a payment without parameters', async () => {
    await expect(client.send(undefined as never)).rejects.toThrow(/send needs external_id/u);
    expect(server.connectionCount).toBe(0);
  });
  test.each([
    [{ deadline: 50 }, /has no option deadline; the options are deadlineMs and ownerAccountId/u],
    [{ ownerAccountId: '5' }, /balance cannot act for the owner of another account/u],
  ])('for the options %j, which would do nothing', (options, reason) =>
    notSent(client.request('balance', {}, options as never), reason),
  );
  test('for an owner whose account id is a number', () =>
    notSent(
      client.request('listWallets', {}, { ownerAccountId: 8_535_691_064 as never }),
      /account id of the owner must be text of 1 to 19 digits, was 8535691064/u,
    ));
  test('after close', async () => {
    await client.close();
    await notSent(client.request('ticker', { pair: 'XBTZAR' }), /closed/u);
  });
});

describe('paths', () => {
  test('that the documents do not give can be replaced; base paths are kept', async () => {
    answerWith(200, '{"markets":[]}');
    const moved = clientFor({ baseUrl: `${server.url}/v9/`, paths: { markets: '/api/2/markets' } });
    await moved.markets({});
    expect(server.requests[0]?.target).toBe('/v9/api/2/markets');
    await moved.close();
  });
  test.each([
    [{ postorder: '/api/1/send' }, /documented/u],
    [{ withdraw: '/api/1/send' }, /unknown operation/u],
    [{ markets: 'markets' }, /must look like/u],
    [{ markets: '/api/../send' }, /must look like/u],
    [{ markets: '/api/1/x?y=1' }, /must look like/u],
    [{ markets: '/api/:id' }, /parameters/u],
  ])('%j is refused', (paths, message) => {
    expect(() => clientFor({ paths })).toThrow(ConfigError);
    expect(() => clientFor({ paths })).toThrow(message);
  });
});

test.each([
  ['http://exchange.example', /https:\/\//u],
  ['http://127.0.0.1.example.com', /https:\/\//u],
  ['ftp://127.0.0.1', /https:\/\//u],
  ['https://key:secret-text@exchange.example', /credentials/u],
  ['https://exchange.example/?a=1', /path/u],
  ['exchange.example', /not an address/u],
])('the base address %s is refused', (baseUrl, message) => {
  expect(() => clientFor({ baseUrl })).toThrow(message);
  expect(() => clientFor({ baseUrl })).not.toThrow(/secret-text/u);
});

test('an unknown name on the allow-list is refused, and named', () => {
  const allow = ['ticker', 'postOrder'] as never;
  expect(() => clientFor({ allow })).toThrow('allow names an unknown operation: "postOrder"');
});

test.each([0, -1, Number.NaN])('a time to connect of %d is refused', (connectTimeoutMs) => {
  expect(() => clientFor({ connectTimeoutMs })).toThrow('connectTimeoutMs must be at least 1');
});

test('a key with a missing part is refused', () => {
  const keySecret = undefined as never;
  expect(() => clientFor({ credentials: { keyId: 'a', keySecret } })).toThrow(ConfigError);
  const keyId = undefined as never;
  expect(() => clientFor({ credentials: { keyId, keySecret: 'long-enough-secret' } })).toThrow(
    'must both be given',
  );
});

test.each([
  { keyId: '', keySecret: 'long-enough-secret' },
  { keyId: 'a:b', keySecret: 'long-enough-secret' },
  { keyId: 'a', keySecret: 'short' },
  { keyId: 'a', keySecret: 'long-enough\r\nX-Evil: 1' },
])('a malformed key is refused without being shown', (bad) => {
  expect(() => clientFor({ credentials: bad })).toThrow(ConfigError);
  expect(() => clientFor({ credentials: bad })).not.toThrow(/long-enough/u);
});

test('a secret that the exchange sends back is not in the reply or the error', async () => {
  const token = btoa('keyid:canary-secret-1');
  answerWith(400, JSON.stringify({ error: `canary-secret-1 ${token}`, error_code: 'ErrInternal' }));
  expect(JSON.stringify(await client.request('balance', {}))).not.toMatch(/canary|a2V5aWQ/u);
  const error = await client.balance({}).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('ErrInternal');
  expect(String(error)).not.toMatch(/canary|a2V5aWQ/u);
  expect(JSON.stringify(client)).not.toContain('canary');
});

test('connections are reused', async () => {
  answerWith(200, '{"order_id":"BX1"}');
  for (let i = 0; i < 10; i++) await client.postorder(order);
  // A second connection may open if a request follows before the first one is known to be free.
  expect(server.connectionCount).toBeLessThanOrEqual(2);
});

describe('encryption', () => {
  test('a refused certificate proves that nothing was sent', async () => {
    const secure = await startRawServer(selfSignedCertificate());
    const impostor = clientFor({ baseUrl: secure.url });
    expect(await impostor.request('postorder', order)).toEqual({
      kind: 'not-sent',
      reason: expect.stringMatching(/^no connection to https:.*: DEPTH_ZERO_SELF_SIGNED_CERT$/u),
    });
    expect(secure.requests).toHaveLength(0);
    await impostor.close();
    await secure.close();
  });
  test('a certificate of a trusted authority is used', async () => {
    const certificate = selfSignedCertificate();
    const secure = await startRawServer(certificate);
    secure.answer = (socket) => socket.write(httpAnswer(200, '{"order_id":"BX1"}'));
    const trusting = clientFor({ baseUrl: secure.url, certificateAuthority: certificate.cert });
    expect(await trusting.postorder(order)).toEqual({ order_id: 'BX1' });
    await trusting.close();
    await secure.close();
  });
});

describe('calls that pay or create something', () => {
  const samples = new Map(readOperationSamples().map((one) => [one.operation, one.requests]));
  const parametersOf = (name: OperationName): Record<string, unknown> => ({
    ...(samples.get(name)?.[0]?.parameters as object | undefined),
  });
  const all = operationNames.map((name) => operations[name]);
  const payments = all.flatMap((operation) => {
    const key = ownKeyOf(operation);
    return key === undefined ? [] : [{ name: operation.name, key }];
  });

  test('are these; of all other calls, only orders have an idempotency key', () => {
    expect(payments.map(({ name }) => name).sort()).toEqual([
      'convert',
      'createCryptoSend',
      'createFiatWithdrawal',
      'createMove',
      'createWalletTransfer',
      'createWithdrawal',
      'send',
    ]);
    const others = all.filter(({ repeat, name }) => repeat === 'keyed' && !paysWith(name));
    expect(others.map(({ name }) => name).sort()).toEqual(['marketorder', 'postorder']);
  });
  const paysWith = (name: string): boolean => payments.some((one) => one.name === name);

  test.each(payments)('$name does not leave without its $key', async ({ name, key }) => {
    const { [key]: _, ...without } = parametersOf(name);
    for (const given of [without, { ...without, [key]: '' }])
      await expect(client[name](given as never)).rejects.toMatchObject({
        code: 'MR_NOT_SENT',
        message: expect.stringContaining(key),
      });
    expect(server.requests).toHaveLength(0);
  });

  test.each(payments)(
    '$name carries its $key, and leaves once whatever comes back',
    async ({ name, key }) => {
      for (const status of [500, 429, 302]) {
        answerWith(status, '', { location: '/' });
        const given = { ...parametersOf(name), [key]: 'mine-1' };
        await expect(client[name](given as never)).rejects.toMatchObject({ recovery: 'look-up' });
      }
      expect(server.requests).toHaveLength(3);
      for (const { body } of server.requests) expect(body).toContain('mine-1');
    },
  );

  const unkeyed = all.filter(({ repeat }) => repeat === 'never').map(({ name }) => ({ name }));
  test.each(unkeyed)(
    '$name, which has no key, leaves once and is never repeated',
    async ({ name }) => {
      answerWith(503, '');
      await expect(client[name](parametersOf(name) as never)).rejects.toMatchObject({
        recovery: 'look-up',
      });
      expect(server.requests).toHaveLength(1);
    },
  );
});
