/**
 * `millrace exchange` as a program: TLS and the refusal of anything else, the control interface and
 * who may use it, keys that are given, chosen markets.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';

const main = join(import.meta.dirname, '../../src/main.ts');

let home: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-program-'));
});
afterEach(async () => {
  await stop();
  rmSync(home, { recursive: true, force: true });
});

type Told = {
  readonly baseUrl: string;
  readonly streamUrl: string;
  readonly keyIds: { readonly bot: string; readonly full: string; readonly given: string[] };
  readonly credentialsFile: string;
  readonly certificate?: string;
  readonly controlUrl?: string;
  readonly controlTokenFile?: string;
};

async function start(options: readonly string[] = [], environment = {}): Promise<Told> {
  const values = ['exchange', '--home', home, '--port', '0', '--json', '--child', ...options];
  child = spawn(process.execPath, [main, ...values], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let complaint = '';
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${code}: ${complaint}`);
  });
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  return JSON.parse(line as string) as Told;
}

async function stop(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit').catch(() => {});
  child.stdin?.end();
  await gone;
}

type Answer = { readonly status: number; readonly body: string };

function send(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly ca?: string;
  } = {},
): Promise<Answer> {
  const { body, ...more } = options;
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https') ? httpsRequest : httpRequest;
    const outgoing = request(url, { agent: false, ...more }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

test('with TLS the exchange answers whoever trusts its certificate, and plain HTTP gets 403', async () => {
  const told = await start(['--tls']);
  expect(told.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
  const ca = readFileSync(told.certificate ?? '', 'utf8');
  const path = '/api/1/ticker?pair=XBTZAR';
  expect((await send(told.baseUrl + path, { ca })).status).toBe(200);
  await expect(send(told.baseUrl + path)).rejects.toThrow(/self-signed/u);
  const plain = told.baseUrl.replace('https', 'http');
  for (const method of ['GET', 'POST'])
    expect(await send(plain + path, { method, body: method === 'POST' ? 'a=b' : '' })).toEqual({
      status: 403,
      body: 'Only HTTPS is accepted\n',
    });
  const socket = new WebSocket(`${told.streamUrl}/api/1/stream/XBTZAR`, { ca });
  await once(socket, 'open');
  socket.send(readFileSync(told.credentialsFile, 'utf8'));
  const [frame] = await once(socket, 'message');
  expect(String(frame)).toContain('"sequence"');
  socket.terminate();
  const refused = new WebSocket(`${told.streamUrl.replace('wss', 'ws')}/api/1/stream/XBTZAR`);
  await expect(once(refused, 'open')).rejects.toThrow('403');
});

test('the control interface is off unless asked for', async () => {
  const told = await start();
  expect(told.controlUrl).toBeUndefined();
  expect((await send(`${told.baseUrl}/millrace/control`)).status).toBe(404);
});

test('the control interface takes commands of whoever has the token, and of nobody else', async () => {
  const told = await start(['--control']);
  const url = told.controlUrl ?? '';
  const file = told.controlTokenFile ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const authorization = `Bearer ${readFileSync(file, 'utf8').trim()}`;
  const command = (value: unknown, headers: Record<string, string> = { authorization }) =>
    send(url, { method: 'POST', headers, body: JSON.stringify(value) });

  expect((await send(url)).status).toBe(401);
  expect((await command({ kind: 'stop-time' }, { authorization: 'Bearer x' })).status).toBe(401);
  const foreign = { authorization, origin: 'https://evil.example' };
  expect((await command({ kind: 'stop-time' }, foreign)).status).toBe(403);
  const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  expect((await command({ kind: 'stop-time' }, form)).status).toBe(415);
  expect((await send(url, { method: 'PUT', headers: { authorization } })).status).toBe(405);

  const bad: readonly unknown[] = [
    'text',
    { kind: 'fly' },
    { kind: 'deposit', accountId: '1', amount: '5' },
    { kind: 'deposit', accountId: '8203463422864003664', amount: 5 },
    { kind: 'deposit', accountId: '8203463422864003664', amount: '1e3' },
    { kind: 'deposit', accountId: '8203463422864003664', amount: '-1000000' },
    { kind: 'set-status', pair: 'NOPE', status: 'ACTIVE' },
    { kind: 'set-status', pair: 'XBTZAR', status: 'OPEN' },
    { kind: 'revoke-key', keyId: 'unknown' },
    { kind: 'fail-next', operation: 'ticker', code: 'ErrNope' },
    { kind: 'advance-time', ms: -1 },
  ];
  for (const value of bad) {
    const { status, body } = await command(value);
    expect([status, body]).toEqual([400, expect.stringContaining('"error"')]);
  }

  const state = async () => JSON.parse((await send(url, { headers: { authorization } })).body);
  expect(await state()).toMatchObject({ isStopped: false, faults: [] });
  expect((await command({ kind: 'stop-time' })).status).toBe(200);
  const { timeMs } = await state();
  expect(await state()).toMatchObject({ isStopped: true, timeMs });
  expect((await command({ kind: 'advance-time', ms: 60_000 })).status).toBe(200);
  expect((await state()).timeMs).toBe(timeMs + 60_000);
  expect((await command({ kind: 'resume-time' })).status).toBe(200);

  const deposit = { kind: 'deposit', accountId: '8203463422864003664', amount: '2.5' };
  expect((await command(deposit)).status).toBe(200);
  const truth = await send(`${url}/truth/desk`, { headers: { authorization } });
  expect(truth.body).toContain('"balance":"3.50"');
  expect((await send(`${url}/truth/nobody`, { headers: { authorization } })).status).toBe(404);

  expect(
    (await command({ kind: 'fail-next', operation: 'ticker', code: 'ErrInternal' })).status,
  ).toBe(200);
  const ticker = `${told.baseUrl}/api/1/ticker?pair=XBTZAR`;
  expect((await send(ticker)).body).toContain('ErrInternal');
  expect((await send(ticker)).status).toBe(200);
  expect(await state()).toMatchObject({ faults: [] });
});

test('time that was moved on by an operator is not lost by a restart', async () => {
  const first = await start(['--control']);
  const call = async (told: Told, method: string, body?: string) => {
    const token = readFileSync(told.controlTokenFile ?? '', 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await send(told.controlUrl ?? '', {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return JSON.parse(answer.body);
  };
  const moved = await call(first, 'POST', '{"kind":"advance-time","ms":3000000}');
  await stop();
  const again = await call(await start(['--control']), 'GET');
  expect(again.timeMs).toBeGreaterThanOrEqual(moved.timeMs);
  expect(again.faults).toEqual([]);
});

test('a key from the environment is known, with the rights that were asked for', async () => {
  const id = 'my-own-key';
  const secret = 'a secret of my own';
  const environment = {
    MILLRACE_SIMULATOR_KEY_ID: id,
    MILLRACE_SIMULATOR_KEY_SECRET: secret,
  };
  await start();
  await stop();
  const told = await start(['--key-set', 'read-only'], environment);
  expect(told.keyIds.given).toEqual([id]);
  const headers = basic(id, secret);
  expect((await send(`${told.baseUrl}/api/1/balance`, { headers })).status).toBe(200);
  const order = await send(
    `${told.baseUrl}/api/1/postorder?pair=XBTZAR&type=BID&price=900000&volume=0.01`,
    { method: 'POST', headers },
  );
  expect([order.status, order.body]).toEqual([
    403,
    expect.stringContaining('ErrInsufficientPerms'),
  ]);
  expect(JSON.stringify(told)).not.toContain(secret);
  expect(readFileSync(told.credentialsFile, 'utf8')).not.toContain(secret);
});

test('the chosen markets are there, and one that is not known is refused', async () => {
  const told = await start(['--markets', 'XBTEUR,BCHXBT']);
  const markets = JSON.parse((await send(`${told.baseUrl}/api/exchange/1/markets`)).body).markets;
  expect(markets.map((one: { market_id: string }) => one.market_id)).toEqual(['XBTEUR', 'BCHXBT']);
  await stop();
  await expect(start(['--markets', 'XBTZAR,NOPE'])).rejects.toThrow(/no market "NOPE"/u);
});

test('the limits and the bits of permissions are those of the first start, and stay', async () => {
  const asked = ['--limits', 'earlier', '--permission-values', 'MP_None=0,MP_Transfers=1048576'];
  for (const options of [asked, []]) {
    const told = await start(options);
    const {
      api_key_id: id,
      api_key_secret: secret,
      full,
    } = JSON.parse(readFileSync(told.credentialsFile, 'utf8'));
    const limitOf = async (path: string, headers = {}) =>
      (await fetch(`${told.baseUrl}${path}`, { headers })).headers.get('x-ratelimit-limit');
    expect(await limitOf('/api/1/ticker?pair=XBTZAR')).toBe('1, 1;w=1');
    expect(await limitOf('/api/1/balance', basic(id, secret))).toBe('5, 5;w=5');
    const convert = (headers: Record<string, string>) =>
      send(`${told.baseUrl}/api/exchange/1/convert`, { method: 'POST', headers });
    expect((await convert(basic(id, secret))).body).toContain('ErrInsufficientPerms');
    expect((await convert(basic(full.api_key_id, full.api_key_secret))).body).toContain(
      'ErrMissingIdempotencyKey',
    );
    await stop();
  }
});

test.each([
  [['--limits', 'yesterday'], /--limits/u],
  [['--permission-values', 'MP_None=1'], /MP_None must be 0/u],
  [['--permission-values', 'Perm_W_Send=4'], /with the name MP_None or MP_None_Write/u],
  [['--permission-values', 'MP_Transfers=2147483648'], /0 to 2147483647/u],
  [['--permission-values', 'MP_Transfers=1,MP_Transfers=2'], /given twice/u],
])('%j is refused', async (options, complaint) => {
  await expect(start(options)).rejects.toThrow(complaint);
});

test('with TLS a connection that says nothing is cut after ten seconds', async () => {
  const told = await start(['--tls']);
  const socket = connect(Number.parseInt(new URL(told.baseUrl).port, 10), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const connectedMs = performance.now();
  await once(socket, 'close');
  const waitedMs = performance.now() - connectedMs;
  expect(waitedMs).toBeGreaterThan(9_000);
  expect(waitedMs).toBeLessThan(20_000);
}, 30_000);
