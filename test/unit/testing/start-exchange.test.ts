/** startExchange: in the process and as a child, its options, and what it leaves behind. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Exchange, type ExchangeKey, startExchange } from '../../../src/testing.ts';

function call(
  { baseUrl }: Exchange,
  { id, secret }: ExchangeKey,
  path: string,
  form?: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
}

const bid = { pair: 'XBTZAR', type: 'BID', price: '900000', volume: '0.01' };
const quiet = { markets: ['XBTZAR'], participants: false } as const;

describe.each([false, true])('as a child: %j', (child) => {
  test('it takes orders of its keys, tells the truth, and removes its files', async () => {
    const exchange = await startExchange({ ...quiet, child, balances: { ZAR: '10000' } });
    expect((exchange.pid === undefined) === child).toBe(false);
    expect((await call(exchange, exchange.keys.bot, '/api/1/postorder', bid)).status).toBe(200);
    expect((await call(exchange, exchange.keys.readOnly, '/api/1/postorder', bid)).ok).toBe(false);
    expect(await exchange.truth()).toMatchObject({
      orders: [{ side: 'BUY', status: 'PENDING' }],
      trades: [],
      accounts: [
        { currency: 'XBT', balance: '0.00' },
        { currency: 'ZAR', reserved: '9000.00' },
      ],
    });
    expect(existsSync(exchange.home)).toBe(true);
    await exchange.stop();
    await exchange.stop();
    expect(existsSync(exchange.home)).toBe(false);
    await expect(fetch(exchange.baseUrl)).rejects.toThrow();
  });

  test('a second user trades with the first', async () => {
    await using exchange = await startExchange({
      ...{ ...quiet, child, users: ['desk', 'other'] },
      balances: { XBT: '1', ZAR: '10000' },
    });
    const other = await exchange.addKey('other');
    await call(exchange, exchange.keys.bot, '/api/1/postorder', bid);
    const sale = { ...bid, type: 'ASK' };
    expect((await call(exchange, other, '/api/1/postorder', sale)).status).toBe(200);
    for (const user of ['desk', 'other'])
      expect((await exchange.truth(user)).trades).toMatchObject([{ pair: 'XBTZAR' }]);
  });

  test('a home is kept, and goes on where it ended', async () => {
    const home = await mkdtemp(join(tmpdir(), 'millrace-home-'));
    try {
      const first = await startExchange({ ...quiet, child, home });
      await call(first, first.keys.bot, '/api/1/postorder', bid);
      await first.stop();
      await using second = await startExchange({ child, home });
      expect((await second.truth()).orders).toHaveLength(1);
      expect(second.keys).toEqual(first.keys);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});

test('a child that is killed is stopped without complaint, and its state is what it committed', async () => {
  const home = await mkdtemp(join(tmpdir(), 'millrace-home-'));
  try {
    const first = await startExchange({ ...quiet, child: true, home });
    await call(first, first.keys.bot, '/api/1/postorder', bid);
    process.kill(first.pid ?? 0, 'SIGKILL');
    await first.stop();
    await using second = await startExchange({ home });
    expect((await second.truth()).orders).toHaveLength(1);
  } finally {
    await rm(home, { recursive: true });
  }
});

test('exchanges at the same time share nothing', async () => {
  const all = await Promise.all(
    [1, 2, 3].map((amount) => startExchange({ ...quiet, balances: { ZAR: `${amount}` } })),
  );
  const balances = await Promise.all(all.map((exchange) => exchange.truth()));
  expect(balances.map(({ accounts }) => accounts[1]?.balance)).toEqual(['1.00', '2.00', '3.00']);
  await Promise.all(all.map((exchange) => exchange.stop()));
});

test('in the process it listens within 100 ms', async () => {
  const tookMs: number[] = [];
  for (let round = 0; round < 5; round++) {
    const startMs = performance.now();
    await using _ = await startExchange(quiet);
    tookMs.push(performance.now() - startMs);
  }
  // A machine that is busy slows single starts.
  expect(Math.min(...tookMs)).toBeLessThan(100);
});

test('participants trade, and time is stopped and moved by control', async () => {
  await using exchange = await startExchange({ markets: ['XBTZAR'] });
  const stopped = await exchange.control({ kind: 'stop-time' });
  expect(stopped.isStopped).toBe(true);
  const later = await exchange.control({ kind: 'advance-time', ms: 60_000 });
  expect(later.timeMs).toBe(stopped.timeMs + 60_000);
  const ticker = await fetch(`${exchange.baseUrl}/api/1/ticker?pair=XBTZAR`);
  expect(await ticker.json()).toMatchObject({ pair: 'XBTZAR', bid: expect.stringMatching(/\d/u) });
});

test('a command that names what does not exist is refused, and its key never ends the exchange', async () => {
  await using exchange = await startExchange(quiet);
  const key = {
    kind: 'add-key',
    keyId: 'k',
    secretDigest: 'ab'.repeat(32),
    permissions: 1,
  } as const;
  await expect(exchange.control({ ...key, userId: 'nobody' })).rejects.toThrow(
    'add-key is refused: no user "nobody"; there are desk',
  );
  await expect(exchange.addKey('nobody')).rejects.toThrow(/no user "nobody"/u);
  await expect(
    exchange.control({ ...key, keyId: exchange.keys.bot.id, userId: 'desk' }),
  ).rejects.toThrow(/exists already/u);
  await expect(exchange.truth('nobody')).rejects.toThrow(/no such user/u);
  expect((await call(exchange, { id: 'k', secret: 's' }, '/api/1/balance')).status).toBe(401);
  expect((await call(exchange, exchange.keys.bot, '/api/1/balance')).status).toBe(200);
});

test.each([
  [{ markets: ['NOPE'] }, /no market "NOPE"; choose from XBTZAR/u],
  [{ users: [] }, /at least one user/u],
  [{ users: ['house'] }, /"house" must be/u],
  [{ users: ['a', 'a'] }, /none twice/u],
  [{ balances: { NOPE: '1' } }, /balances: no currency "NOPE"/u],
  [{ balances: { ZAR: '-1' } }, /balances\.ZAR must be decimal text from "0"/u],
  [{ fees: { maker: '5bps', taker: '0' } }, /fees\.maker must be a fraction/u],
])('the options %j are refused', async (options, message) => {
  await expect(startExchange(options)).rejects.toThrow(message);
});

test('a taken port and a home in use are refused; a child says the same', async () => {
  await using exchange = await startExchange(quiet);
  const port = Number(new URL(exchange.baseUrl).port);
  await expect(startExchange({ port })).rejects.toThrow(/cannot listen on port/u);
  await expect(startExchange({ port, child: true })).rejects.toThrow(/cannot listen on port/u);
  await expect(startExchange({ home: exchange.home })).rejects.toThrow(
    /is in use by this process/u,
  );
});
