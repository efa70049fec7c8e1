/** The memory of a pretended account: what was told survives, what was torn was never told. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, DecodeError } from '../../../src/domain/errors.ts';
import type { EngineEvent } from '../../../src/engine/event.ts';
import { AccountFile } from '../../../src/paper/account-file.ts';
import type { AccountMarket } from '../../../src/replay-exchange/account/account-market.ts';
import type { AccountSnapshot } from '../../../src/replay-exchange/account/account-snapshot.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { ReplayExchange } from '../../../src/replay-exchange/port/replay-exchange.ts';
import { replayMarket, replayRates, row } from '../../support/replay-market.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-account-'));
  path = join(folder, 'bot.sqlite-paper');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a line of the file. */
const lined = (text: string) => `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;

/** Opens the account as a bot of this pair does. */
function openAccount(): AccountFile {
  const file = new AccountFile(path);
  file.trade([replayMarket]);
  return file;
}

function deskOf(
  file: AccountFile,
  before: AccountSnapshot | undefined = file.before,
): AccountMarket {
  const account = new ReplayAccount({
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '1000' },
    startedMs: 1_000,
    before,
    onChange: (change) => file.note(change),
    onUserMessage: () => {},
  });
  return account.markets.get(replayMarket.pair) as AccountMarket;
}

const bid = (id: string, price: string) =>
  ({
    ...{ pair: replayMarket.pair, price, volume: '0.0010' },
    type: 'BID',
    client_order_id: id,
  }) as const;

/** Has an order filled in part and another that waits, and is killed. */
function liveAndDie(): { readonly cash: bigint; readonly base: bigint } {
  const file = openAccount();
  const accountMarket = deskOf(file);
  accountMarket.fillModel.apply(row.create('a', 'ASK', 105, 4));
  accountMarket.place(bid('one', '1.05'), 2_000_000);
  accountMarket.place(bid('two', '1.00'), 3_000_000);
  file.flush();
  const [base, cash] = ['XBT', 'EUR'].map(
    (name) => accountMarket.accounts.get(name)?.balance ?? -1n,
  );
  return { base: base ?? -1n, cash: cash ?? -1n };
}

describe('an account that goes on in another process', () => {
  test('tells what of it has ended as soon as its streams are open', () => {
    liveAndDie();
    const file = openAccount();
    file.close();
    const none = { kind: 'fixed', us: 0 } as const;
    const port = new ReplayExchange({
      markets: [{ market: replayMarket, rates: replayRates, snapshot: undefined, onRow: () => {} }],
      balances: { XBT: '1', EUR: '1000' },
      latencies: { feed: none, request: none, answer: none },
      seed: 1,
      before: file.before,
      nowMicros: () => 4_000_000,
    });
    const heard: EngineEvent[] = [];
    port.open((event) => heard.push(event));
    while (port.nextDueMicros < Infinity) port.deliverNext();
    const told = heard.flatMap((event) => (event.kind === 'user-frame' ? [event.message] : []));
    const ended = [{ kind: 'balance' }, { update: { status: 'COMPLETE' } }];
    // Both orders were open.
    expect(told).toMatchObject([...ended, ...ended]);
  });

  test('has its balances, trades and orders, and nothing open any more', () => {
    const { base, cash } = liveAndDie();
    const file = openAccount();
    const accountMarket = deskOf(file);
    file.close();
    expect(accountMarket.accounts.get('XBT')?.balance).toBe(base);
    expect(accountMarket.accounts.get('EUR')?.balance).toBe(cash);
    expect(accountMarket.accounts.get('EUR')?.reserved).toBe(0n);
    expect(accountMarket.trades.items.map(({ volume }) => volume)).toEqual([4]);
    expect([...accountMarket.orders.values()].map(({ status }) => status)).toEqual([
      'COMPLETE',
      'COMPLETE',
    ]);
    expect(accountMarket.orders.byClientId('two')?.cancelledMs).toBe(1_000);
    expect(accountMarket.place(bid('two', '1.00'), 4_000_000)).toEqual({
      kind: 'refused',
      code: 'ErrDuplicateClientOrderID',
    });
    const placed = accountMarket.place(bid('three', '1.00'), 5_000_000);
    expect(placed.kind === 'accepted' && placed.order.id).toBe('BXT000000000003');
  });

  test('remembers the end of its open orders, too, at the third start', () => {
    liveAndDie();
    const second = openAccount();
    deskOf(second);
    second.close();
    const third = openAccount();
    const entries = third.before?.entries.length;
    const accountMarket = deskOf(third);
    third.close();
    expect(accountMarket.accounts.get('EUR')?.reserved).toBe(0n);
    expect(openAccount().before?.entries.length).toBe(entries);
  });

  test('was never told what a torn last line says', () => {
    liveAndDie();
    const whole = readFileSync(path, 'utf8');
    appendFileSync(path, `${whole.trimEnd().split('\n').at(-1)?.slice(0, 40)}`);
    const file = openAccount();
    expect(file.before?.trades.length).toBe(1);
    file.close();
    expect(readFileSync(path, 'utf8')).toBe(whole);
  });
});

describe('the scales of its pairs', () => {
  const finer = { ...replayMarket, priceScale: replayMarket.priceScale + 1 };
  const coarser = { ...replayMarket, volumeScale: replayMarket.volumeScale - 1 };

  test.each([finer, coarser])('are kept: with others it is refused as it stands', (changed) => {
    liveAndDie();
    const before = readFileSync(path, 'utf8');
    const { priceScale, volumeScale } = changed;
    expect(() => new AccountFile(path).trade([changed])).toThrow(
      `${path}: this account cannot go on: it has traded XBTEUR with prices of 2 and volumes of 4 ` +
        `decimals, the exchange has prices of ${priceScale} and volumes of ${volumeScale} decimals ` +
        'now; use another store, or begin with --fresh',
    );
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('are those of the exchange where a file of version 2 does not say them, and stay so', () => {
    const header = '[{"kind":"paper-account","version":2,"pairs":["XBTEUR"]}]';
    writeFileSync(path, lined(header));
    const old = new AccountFile(path);
    old.trade([replayMarket]);
    old.close();
    const told = readFileSync(path, 'utf8');
    expect(told.startsWith(lined(header))).toBe(true);
    openAccount().close();
    expect(readFileSync(path, 'utf8')).toBe(told);
    expect(() => new AccountFile(path).trade([finer])).toThrow(ConfigError);
  });
});

test('damage before the end, another file and a later version are refused', () => {
  liveAndDie();
  const file = openAccount();
  deskOf(file);
  file.close();
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.replace('Start balance', 'Start bаlance'));
  expect(openAccount).toThrow(DecodeError);
  const later = '[{"kind":"paper-account","version":4,"markets":[{"pair":"XBTEUR"}]}]';
  const not = '[{"kind":"order","version":2,"pairs":["XBTEUR"]}]';
  for (const first of [later, not]) {
    writeFileSync(path, lined(first));
    expect(openAccount).toThrow(DecodeError);
  }
  const header = '[{"kind":"paper-account","version":2,"pairs":["XBTEUR"]}]';
  writeFileSync(path, lined(header) + lined('[{"kind":"order","order":{"id":"BXT1"}}]'));
  expect(openAccount).toThrow('BXT1 does not say its pair');
  writeFileSync(path, 'something else\nand more\nof it\n');
  expect(openAccount).toThrow(DecodeError);
});
