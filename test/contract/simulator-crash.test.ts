/**
 * A simulator that is killed at any moment loses nothing that it answered or published: after each
 * restart every accepted order exists, and every balance it reported is a row of the ledger.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type BalanceUpdate, decodeUserFrame } from '../../src/venues/luno/api/user-messages.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { readCredentials } from '../../src/venues/luno/simulator/server/credentials-file.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import type { Body } from '../support/simulated-exchange.ts';

let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-crash-'));
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the simulator, with files of at most `fileBlocksMax` × 512 or 1024 bytes if given. */
async function start(fileBlocksMax?: number): Promise<{ baseUrl: string; replayed: number }> {
  const script = join(import.meta.dirname, '../support/simulator-process.ts');
  const limit = fileBlocksMax === undefined ? '' : `ulimit -f ${fileBlocksMax}; `;
  child = spawn('sh', ['-c', `${limit}exec "$0" "$1" "$2"`, process.execPath, script, folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = await once(lines, 'line');
  return JSON.parse(line);
}

async function kill(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function caller(baseUrl: string) {
  const { api_key_id: id, api_key_secret: secret } = readCredentials(folder);
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const call = async (method: string, path: string, values: Record<string, string>) => {
    const encoded = new URLSearchParams(values);
    const url = `${baseUrl}${path}${method === 'GET' ? `?${encoded}` : ''}`;
    const body = method === 'GET' ? null : encoded;
    const response = await fetch(url, { method, headers: { authorization }, body });
    return parseWireJson(await response.text()) as Body;
  };
  return {
    get: (path: string, values: Record<string, string> = {}) => call('GET', path, values),
    post: (path: string, values: Record<string, string>) => call('POST', path, values),
  };
}

/** Opens the user stream, collects its balance messages and calls back for each fill. */
async function listen(
  baseUrl: string,
  balances: Map<string, BalanceUpdate>,
  onFill: () => void,
): Promise<void> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/api/1/userstream`);
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => {
    const message = decodeUserFrame(String(data));
    if (message.kind === 'order-fill') onFill();
    if (message.kind !== 'balance') return;
    const { update } = message;
    balances.set(`${update.account_id} ${update.row_index}`, update);
  });
  await once(socket, 'open');
  socket.send(readFileSync(join(folder, 'credentials.json')).toString());
}

test('nothing that was answered or published is lost by four kills', async () => {
  const random = new SeededRandom(11);
  const accepted: string[] = [];
  const balances = new Map<string, BalanceUpdate>();
  for (let life = 0; life < 5; life++) {
    const { baseUrl, replayed } = await start();
    if (life > 0) expect(replayed).toBeGreaterThan(0);
    const { get, post } = caller(baseUrl);
    for (const [index, id] of accepted.entries()) {
      if (index < accepted.length - 6) continue;
      const order = await get('/api/exchange/3/order', { client_order_id: id });
      expect(order['client_order_id']).toBe(id);
    }
    const { balance } = await get('/api/1/balance');
    for (const account of balance ?? []) {
      const id = String(account['account_id']);
      const range = { min_row: '1', max_row: '1001' };
      const { transactions } = await get(`/api/1/accounts/${id}/transactions`, range);
      expect(transactions?.map((row) => row['row_index'])).toEqual(
        transactions?.map((_, i) => i + 1),
      );
      for (const row of transactions ?? []) {
        const reported = balances.get(`${id} ${row['row_index']}`);
        if (reported === undefined) continue;
        balances.delete(`${id} ${row['row_index']}`);
        expect([reported.balance, reported.balance_delta, reported.available]).toEqual([
          row['balance'],
          row['balance_delta'],
          row['available'],
        ]);
      }
    }
    // Every reported row has been found.
    expect([...balances.keys()]).toEqual([]);
    if (life === 4) break;

    let filled = Promise.withResolvers<void>();
    await listen(baseUrl, balances, () => filled.resolve());
    const place = async (id: string, terms: Record<string, string>): Promise<void> => {
      const order = { pair: 'XBTZAR', volume: '0.002', client_order_id: id, ...terms };
      const body = await post('/api/1/postorder', order);
      if (body['order_id'] !== undefined) accepted.push(id);
    };
    const count = random.integer(8, 20);
    for (let i = 0; i < count; i++) {
      const { ask } = await get('/api/1/ticker', { pair: 'XBTZAR' });
      await place(`life-${life}-${i}`, { type: i % 2 === 0 ? 'BID' : 'ASK', price: String(ask) });
    }
    if (life % 2 === 0) {
      // Killed while a request is in flight.
      const { ask } = await get('/api/1/ticker', { pair: 'XBTZAR' });
      const last = place(`life-${life}-last`, { type: 'BID', price: String(ask) });
      await Promise.all([kill(), last.catch(() => {})]);
    } else {
      // Killed at the moment when a fill caused by the participants was reported.
      const { ask, bid } = await get('/api/1/ticker', { pair: 'XBTZAR' });
      filled = Promise.withResolvers();
      const maker = { post_only: 'true', volume: '0.2' };
      await place(`life-${life}-bid`, { type: 'BID', price: String(bid), ...maker });
      await place(`life-${life}-ask`, { type: 'ASK', price: String(ask), ...maker });
      await filled.promise;
      await kill();
    }
    expect(accepted.length).toBeGreaterThan(life * 7);
  }
});

test('when the disk is full the process ends, and everything that it had answered is stored', async () => {
  const { baseUrl } = await start(64);
  const { post } = caller(baseUrl);
  const exited = once(child as ChildProcess, 'exit');
  let accepted = 0;
  try {
    for (;;) {
      const body = await post('/api/1/postorder', {
        pair: 'XBTZAR',
        type: 'BID',
        price: '900000',
        volume: '0.0001',
        // Long, so that the log is full before the call limit of a minute is reached.
        client_order_id: `${'x'.repeat(90)}${accepted}`,
      });
      if (body['order_id'] === undefined) break;
      accepted += 1;
    }
  } catch {
    // The connection was closed without an answer.
  }
  const [code] = await exited;
  expect(code).toBe(1);
  expect(accepted).toBeGreaterThan(50);
  const again = await start();
  expect(again.replayed).toBeGreaterThan(accepted);
  const last = { client_order_id: `${'x'.repeat(90)}${accepted - 1}` };
  const order = await caller(again.baseUrl).get('/api/exchange/3/order', last);
  expect(order['client_order_id']).toBe(last.client_order_id);
});
