/**
 * `millrace exchange` as a program: TLS and the refusal of anything else, the control interface and
 * its token, given keys, chosen markets.
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

type Started = {
  readonly baseUrl: string;
  readonly streamUrl: string;
  readonly keyIds: { readonly bot: string; readonly full: string; readonly given: string[] };
  readonly credentialsFile: string;
  readonly certificate?: string;
  readonly controlUrl?: string;
  readonly controlTokenFile?: string;
};

async function start(options: readonly string[] = [], environment = {}): Promise<Started> {
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
  return JSON.parse(line as string) as Started;
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

test('with TLS the exchange answers clients that trust its certificate, and plain HTTP gets 403', async () => {
  const started = await start(['--tls']);
  expect(started.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
  const ca = readFileSync(started.certificate ?? '', 'utf8');
  const path = '/api/1/ticker?pair=XBTZAR';
  expect((await send(started.baseUrl + path, { ca })).status).toBe(200);
  await expect(send(started.baseUrl + path)).rejects.toThrow(/self-signed/u);
  const plain = started.baseUrl.replace('https', 'http');
  for (const method of ['GET', 'POST'])
    expect(await send(plain + path, { method, body: method === 'POST' ? 'a=b' : '' })).toEqual({
      status: 403,
      body: 'Only HTTPS is accepted\n',
    });
  const socket = new WebSocket(`${started.streamUrl}/api/1/stream/XBTZAR`, { ca });
  await once(socket, 'open');
  socket.send(readFileSync(started.credentialsFile, 'utf8'));
  const [frame] = await once(socket, 'message');
  expect(String(frame)).toContain('"sequence"');
  socket.terminate();
  const refused = new WebSocket(`${started.streamUrl.replace('wss', 'ws')}/api/1/stream/XBTZAR`);
  await expect(once(refused, 'open')).rejects.toThrow('403');
});

test('the control interface is off by default', async () => {
  const started = await start();
  expect(started.controlUrl).toBeUndefined();
  expect((await send(`${started.baseUrl}/millrace/control`)).status).toBe(404);
});

test('the control interface takes commands only with its token', async () => {
  const started = await start(['--control']);
  const url = started.controlUrl ?? '';
  const file = started.controlTokenFile ?? '';
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
  const ticker = `${started.baseUrl}/api/1/ticker?pair=XBTZAR`;
  expect((await send(ticker)).body).toContain('ErrInternal');
  expect((await send(ticker)).status).toBe(200);
  expect(await state()).toMatchObject({ faults: [] });
});

test('a restart keeps the time that an operator moved forward', async () => {
  const first = await start(['--control']);
  const call = async (started: Started, method: string, body?: string) => {
    const token = readFileSync(started.controlTokenFile ?? '', 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await send(started.controlUrl ?? '', {
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

test('a key from the environment is known, with the requested permissions', async () => {
  const id = 'my-own-key';
  const secret = 'a secret of my own';
  const environment = {
    MILLRACE_SIMULATOR_KEY_ID: id,
    MILLRACE_SIMULATOR_KEY_SECRET: secret,
  };
  await start();
  await stop();
  const started = await start(['--key-set', 'read-only'], environment);
  expect(started.keyIds.given).toEqual([id]);
  const headers = basic(id, secret);
  expect((await send(`${started.baseUrl}/api/1/balance`, { headers })).status).toBe(200);
  const order = await send(
    `${started.baseUrl}/api/1/postorder?pair=XBTZAR&type=BID&price=900000&volume=0.01`,
    { method: 'POST', headers },
  );
  expect([order.status, order.body]).toEqual([
    403,
    expect.stringContaining('ErrInsufficientPerms'),
  ]);
  expect(JSON.stringify(started)).not.toContain(secret);
  expect(readFileSync(started.credentialsFile, 'utf8')).not.toContain(secret);
});

test('the exchange has the chosen markets, and refuses an unknown one', async () => {
  const started = await start(['--markets', 'XBTEUR,BCHXBT']);
  const markets = JSON.parse(
    (await send(`${started.baseUrl}/api/exchange/1/markets`)).body,
  ).markets;
  expect(markets.map((one: { market_id: string }) => one.market_id)).toEqual(['XBTEUR', 'BCHXBT']);
  await stop();
  await expect(start(['--markets', 'XBTZAR,NOPE'])).rejects.toThrow(/no market "NOPE"/u);
});

test('the limits and permission bits of the first start are kept', async () => {
  const asked = ['--limits', 'earlier', '--permission-values', 'MP_None=0,MP_Transfers=1048576'];
  for (const options of [asked, []]) {
    const started = await start(options);
    const {
      api_key_id: id,
      api_key_secret: secret,
      full,
    } = JSON.parse(readFileSync(started.credentialsFile, 'utf8'));
    const limitOf = async (path: string, headers = {}) =>
      (await fetch(`${started.baseUrl}${path}`, { headers })).headers.get('x-ratelimit-limit');
    expect(await limitOf('/api/1/ticker?pair=XBTZAR')).toBe('1, 1;w=1');
    expect(await limitOf('/api/1/balance', basic(id, secret))).toBe('5, 5;w=5');
    const convert = (headers: Record<string, string>) =>
      send(`${started.baseUrl}/api/exchange/1/convert`, { method: 'POST', headers });
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

test('with TLS a silent connection is closed after ten seconds', async () => {
  const started = await start(['--tls']);
  const socket = connect(Number.parseInt(new URL(started.baseUrl).port, 10), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const connectedMs = performance.now();
  await once(socket, 'close');
  const waitedMs = performance.now() - connectedMs;
  expect(waitedMs).toBeGreaterThan(9_000);
  expect(waitedMs).toBeLessThan(20_000);
}, 30_000);
