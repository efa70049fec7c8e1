/** Every row of the limits tables: calls within the limit succeed, calls beyond it are refused. */
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../../src/venues/luno/api/error-codes.ts';
import { type LimitRevision, limitRevisions } from '../../../../../src/venues/luno/api/limits.ts';
import { limitRows } from '../../../../../src/venues/luno/api/limits-table.ts';
import type { Reply } from '../../../../../src/venues/luno/api/reply.ts';
import type { SessionOutput } from '../../../../../src/venues/luno/simulator/world/stream-sessions.ts';
import {
  createDirectDriver,
  credentialsOf,
  type Driver,
} from '../../../../support/interface-driver.ts';
import { sendTexts } from '../../../../support/raw-request.ts';
import {
  accountOf,
  done,
  openAccount,
  rest,
  scenarioSettings,
  trade,
} from '../../../../support/scenario-steps.ts';

const pair = 'XBTZAR';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const order = { pair, type: 'BID', price: '900000', volume: '0.01' } as const;

const driverOf = (revision: LimitRevision = 'current'): Driver =>
  createDirectDriver({
    settings: { ...scenarioSettings, limits: limitRevisions[revision] },
    seed: 1,
  });

const codeOf = (reply: Reply): string => (reply.kind === 'refused' ? reply.code : reply.kind);

/** Repeats a call, slowly enough for the call limit. */
async function repeat(driver: Driver, count: number, call: (index: number) => Promise<unknown>) {
  for (let index = 0; index < count; index++) {
    driver.wait(250);
    await call(index);
  }
}

function openStream(driver: Driver, path: string) {
  const outputs: SessionOutput[] = [];
  const now = () => driver.timeMs() * 1000;
  const session = driver.simulator.openSession(path, (one) => outputs.push(one), now());
  const { keyId, keySecret } = credentialsOf('desk');
  session?.receive(JSON.stringify({ api_key_id: keyId, api_key_secret: keySecret }), now());
  const texts = () => outputs.flatMap((one) => (one.kind === 'frame' ? [one.text] : []));
  return { texts, close: () => session?.close(now()) };
}

const checks: Readonly<Record<string, (driver: Driver) => Promise<void>>> = {
  'Request rate': async (driver) => {
    for (let call = 0; call < 300; call++) await done(driver, 'balance', {});
    const reply = await driver.call('balance', {});
    expect(reply).toMatchObject({ code: 'ErrTooManyRequests', status: 429 });
    driver.wait(minute);
    expect(codeOf(await driver.call('balance', {}))).toBe('ok');
  },
  'Simultaneous streaming sessions': async (driver) => {
    const streams = Array.from({ length: 50 }, () => openStream(driver, `/api/1/stream/${pair}`));
    for (const { texts } of streams) expect(texts()[0]).toContain('"asks"');
    const tooMany = openStream(driver, '/api/1/userstream');
    expect(tooMany.texts()[0]).toContain('session_limit_exceeded');
    streams[0]?.close();
    expect(openStream(driver, `/api/1/stream/${pair}`).texts()[0]).toContain('"asks"');
  },
  'Accounts per currency': async (driver) => {
    for (let count = 1; count < 10; count++) await openAccount(driver, 'ZAR');
    const parameters = { currency: 'ZAR', name: 'one more' } as const;
    expect(codeOf(await driver.call('createAccount', parameters))).toBe('ErrAccountLimit');
    await openAccount(driver, 'XBT');
  },
  'Ledger rows per call': async (driver) => {
    const id = await accountOf(driver, 'ZAR');
    const rows = (most: string) => driver.call('transactions', { id, min_row: '1', max_row: most });
    expect(codeOf(await rows('1001'))).toBe('ok');
    expect(codeOf(await rows('1002'))).toBe('ErrTooManyRowsRequested');
  },
  'Order book top': async (driver) => {
    await repeat(driver, 101, (index) =>
      done(driver, 'postorder', { ...order, volume: '0.001', price: String(900_000 - index) }),
    );
    await repeat(driver, 101, (index) =>
      done(driver, 'postorder', {
        ...order,
        type: 'ASK',
        volume: '0.001',
        price: String(1_000_000 + index),
      }),
    );
    driver.wait(2000);
    const { bids, asks } = await done(driver, 'orderBookTop', { pair });
    expect([bids.length, asks.length]).toEqual([100, 100]);
    expect([bids[99]?.price, asks[99]?.price]).toEqual([
      expect.stringMatching(/^899901\b/u),
      expect.stringMatching(/^1000099\b/u),
    ]);
    expect((await done(driver, 'orderBook', { pair })).bids).toHaveLength(101);
  },
  'Public trades': async (driver) => {
    await repeat(driver, 101, () => trade(driver, '0.001'));
    driver.wait(2000);
    expect((await done(driver, 'trades', { pair })).trades).toHaveLength(100);
    const since = (ageMs: number) =>
      driver.call('trades', { pair, since: driver.timeMs() - ageMs });
    expect(codeOf(await since(day))).toBe('ok');
    expect(codeOf(await since(day + 1))).toBe('ErrInvalidArguments');
    driver.wait(day + minute);
    expect((await done(driver, 'trades', { pair })).trades).toEqual([]);
  },
  'List limits (orders, trades, moves)': async (driver) => {
    await repeat(driver, 101, () => trade(driver, '0.001'));
    const count = async (limit?: number) =>
      (await done(driver, 'listtrades', { pair, limit })).trades.length;
    expect([await count(), await count(1), await count(1000)]).toEqual([100, 1, 101]);
    const lists = {
      listOrders: {},
      listOrdersV2: {},
      listtrades: { pair },
      listMoves: {},
      listTransfers: { account_id: '1' },
      listWithdrawals: {},
    } as const;
    for (const [name, texts] of Object.entries(lists))
      for (const limit of ['-1', '1001']) {
        const reply = await sendTexts(driver, name as keyof typeof lists, { ...texts, limit });
        expect(codeOf(reply)).toBe('ErrLimitOutOfRange');
      }
  },
  'Candles per call': async (driver) => {
    await trade(driver);
    const since = driver.timeMs() - minute;
    driver.wait(1005 * minute);
    const { candles } = await done(driver, 'candles', { pair, since, duration: 60 });
    expect(candles).toHaveLength(1000);
    expect(candles[0]?.volume).not.toMatch(/^0\.0*$/u);
  },
  '`ttl`': async (driver) => {
    const place = (ageMs: number, ttl?: string) =>
      sendTexts(driver, 'postorder', {
        ...order,
        timestamp: String(driver.timeMs() - ageMs),
        ...(ttl === undefined ? {} : { ttl }),
      });
    expect(codeOf(await place(10_000))).toBe('ok');
    expect(codeOf(await place(10_001))).toBe('ErrDeadlineExceeded');
    expect(codeOf(await place(1, '1'))).toBe('ok');
    expect(codeOf(await place(2, '1'))).toBe('ErrDeadlineExceeded');
    expect(codeOf(await place(0, '10000'))).toBe('ok');
    expect(codeOf(await place(0, '10001'))).toBe('ErrInvalidArguments');
    expect(codeOf(await place(0, '-1'))).toBe('ErrInvalidArguments');
  },
  '`client_order_id` length': async (driver) => {
    const place = (length: number) =>
      sendTexts(driver, 'postorder', { ...order, client_order_id: 'x'.repeat(length) });
    expect(codeOf(await place(100))).toBe('ok');
    expect(codeOf(await place(101))).toBe('ErrInvalidClientOrderId');
  },
  '`client_move_id` length': async (driver) => {
    const accounts = {
      debit_account_id: await accountOf(driver, 'ZAR'),
      credit_account_id: await openAccount(driver, 'ZAR'),
    };
    const move = (length: number) => {
      const client = { client_move_id: 'x'.repeat(length) };
      return sendTexts(driver, 'createMove', { ...accounts, amount: '1', ...client });
    };
    expect(codeOf(await move(255))).toBe('ok');
    expect(codeOf(await move(256))).toBe('ErrInvalidArguments');
  },
  'Transaction description': async (driver) => {
    const payment = {
      amount: '0.1',
      currency: 'XBT',
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    };
    const send = (length: number) =>
      sendTexts(driver, 'send', { ...payment, description: 'x'.repeat(length) });
    expect(codeOf(await send(257))).toBe('ErrDescriptionTooLong');
    expect(codeOf(await send(256))).toBe('ok');
  },
  'Receive address creation': async (driver) => {
    const create = () => driver.call('createReceiveAddress', { asset: 'XBT' });
    for (let count = 0; count < 10; count++) expect(codeOf(await create())).toBe('ok');
    expect(codeOf(await create())).toBe('ErrAddressCreateRateLimitReached');
    driver.wait(hour - 1);
    expect(codeOf(await create())).toBe('ErrAddressCreateRateLimitReached');
    driver.wait(1);
    expect(codeOf(await create())).toBe('ok');
    expect(codeOf(await create())).toBe('ErrAddressCreateRateLimitReached');
  },
  'Ethereum receive addresses': async (driver) => {
    const create = () => driver.call('createReceiveAddress', { asset: 'ETH' });
    expect(codeOf(await create())).toBe('ok');
    expect(codeOf(await create())).toBe('ErrAddressLimitReached');
  },
  'Closed-order data': async (driver) => {
    const id = await trade(driver);
    driver.wait(100 * day - minute);
    expect(codeOf(await driver.call('getOrder', { id }))).toBe('ok');
    expect((await done(driver, 'listOrdersV2', { closed: true })).orders).toHaveLength(1);
    driver.wait(2 * minute);
    expect(codeOf(await driver.call('getOrder', { id }))).toBe('ErrOrderNotFound');
    expect((await done(driver, 'listOrdersV2', { closed: true })).orders).toEqual([]);
  },
  'Market data cache': async (driver) => {
    const bids = async () => (await done(driver, 'orderBook', { pair })).bids.length;
    expect(await bids()).toBe(0);
    await rest(driver);
    driver.wait(999);
    expect(await bids()).toBe(0);
    driver.wait(1);
    expect(await bids()).toBe(1);
  },
  'Stream resend cache': async (driver) => {
    const path = '/api/1/userstream';
    openStream(driver, path).close();
    await rest(driver);
    driver.wait(5 * minute - 1000);
    const inTime = openStream(driver, path);
    expect(inTime.texts().some((text) => text.includes('"order_status"'))).toBe(true);
    inTime.close();
    await rest(driver);
    driver.wait(5 * minute + 1000);
    expect(openStream(driver, path).texts()).toEqual([]);
  },
  Amount: async (driver) => {
    const send = (amount: string) =>
      sendTexts(driver, 'estimateCryptoSend', {
        currency: 'XBT',
        address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
        amount,
      });
    expect(codeOf(await send(`${'9'.repeat(12)}.${'9'.repeat(18)}`))).toBe('ok');
    expect(codeOf(await send('9'.repeat(13)))).toBe('ErrInvalidArguments');
    expect(codeOf(await send(`0.${'9'.repeat(19)}`))).toBe('ErrInvalidArguments');
  },
  'Wallet name': async (driver) => {
    const create = (length: number) =>
      sendTexts(driver, 'createWallet', { currency: 'ZAR', name: 'x'.repeat(length) });
    expect(codeOf(await create(0))).toBe('ErrInvalidArguments');
    expect(codeOf(await create(1))).toBe('ok');
    expect(codeOf(await create(100))).toBe('ok');
    expect(codeOf(await create(101))).toBe('ErrInvalidArguments');
  },
  'Page size': async (driver) => {
    await repeat(driver, 101, () => trade(driver, '0.001'));
    const count = async (pageSize?: number) =>
      (await done(driver, 'listWalletTrades', { pageSize })).trades.length;
    expect([await count(), await count(1), await count(1000)]).toEqual([100, 1, 101]);
    for (const pageSize of ['0', '1001'])
      expect(codeOf(await sendTexts(driver, 'listWalletTrades', { pageSize }))).toBe(
        'ErrInvalidArguments',
      );
  },
  'Page index': async (driver) => {
    await trade(driver);
    const page = async (pageIndex?: number) =>
      (await done(driver, 'listWalletTrades', { pageIndex })).trades.length;
    expect([await page(), await page(0), await page(1), await page(100)]).toEqual([1, 1, 0, 0]);
    const tooHigh = await sendTexts(driver, 'listWalletTrades', { pageIndex: '101' });
    expect(codeOf(tooHigh)).toBe('ErrInvalidArguments');
  },
};

describe('the limit holds:', () => {
  test.each(limitRows)('$name ($text)', async ({ name }) => {
    await checks[name]?.(driverOf());
    expect(Object.keys(checks)).toContain(name);
  });
});

test('every check belongs to a row of the tables', () => {
  expect(Object.keys(checks).sort()).toEqual(limitRows.map((row) => row.name).sort());
});

describe('earlier revisions can be chosen', () => {
  test('four accounts of a currency', async () => {
    const driver = driverOf('earlier');
    for (let count = 1; count < 4; count++) await openAccount(driver, 'ZAR');
    driver.wait(minute);
    const reply = await driver.call('createAccount', { currency: 'ZAR', name: 'fifth' });
    expect(codeOf(reply)).toBe('ErrAccountLimit');
  });
  test.each(['long-order-ids', 'earlier'] as const)(
    'client_order_id of 255 characters: %s',
    async (revision) => {
      const place = (length: number) =>
        sendTexts(driverOf(revision), 'postorder', {
          ...order,
          client_order_id: 'x'.repeat(length),
        });
      expect(codeOf(await place(255))).toBe('ok');
      expect(codeOf(await place(256))).toBe('ErrInvalidClientOrderId');
    },
  );
  test('one call a second with bursts of five, and one market-data call a second', async () => {
    const driver = driverOf('earlier');
    const calls = async (count: number) => {
      const codes: string[] = [];
      for (let call = 0; call < count; call++) codes.push(codeOf(await driver.call('balance', {})));
      return codes;
    };
    const { status } = errorCodes.ErrTooManyRequests;
    expect(status).toBe(429);
    expect(await calls(6)).toEqual([...Array(5).fill('ok'), 'ErrTooManyRequests']);
    driver.wait(1000);
    expect(await calls(2)).toEqual(['ok', 'ErrTooManyRequests']);
    driver.wait(minute);
    expect(await calls(6)).toEqual([...Array(5).fill('ok'), 'ErrTooManyRequests']);
    expect(codeOf(await driver.call('ticker', { pair }))).toBe('ok');
    expect(codeOf(await driver.call('ticker', { pair }))).toBe('ErrTooManyRequests');
    driver.wait(1000);
    expect(codeOf(await driver.call('ticker', { pair }))).toBe('ok');
  });
});
