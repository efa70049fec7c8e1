/** The file of a paper account: reported changes survive, a torn change was never reported. */
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
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { historyOf } from '../../support/encoded-history.ts';
import { placing, replayMarket, replayRates, row } from '../../support/replay-market.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-account-'));
  path = join(folder, 'bot.sqlite-paper');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a line of the file. */
const lined = (text: string) => `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;

/** Opens the account like a bot of this pair. */
function openAccount(): AccountFile {
  const file = new AccountFile(path);
  file.trade([replayMarket]);
  return file;
}

function accountMarketOf(
  file: AccountFile,
  before: AccountSnapshot | undefined = file.before,
): AccountMarket {
  const account = new ReplayAccount({
    profile: lunoProfile,
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '1000' },
    startedMs: 1_000,
    before,
    onChange: (change) => file.note(change),
    onReport: () => {},
  });
  return account.markets.get(replayMarket.pair) as AccountMarket;
}

const bid = (clientOrderId: string, price: string) =>
  placing({ clientOrderId, price, volume: '0.0010' });

/** Runs an account with a partly filled order and a resting one, and kills it. */
function liveAndDie(): { readonly cash: bigint; readonly base: bigint } {
  const file = openAccount();
  const accountMarket = accountMarketOf(file);
  historyOf(accountMarket).apply(row.create('a', 'ASK', 105, 4));
  accountMarket.place(bid('one', '1.05'), 2_000_000);
  accountMarket.place(bid('two', '1.00'), 3_000_000);
  file.flush();
  const [base, cash] = ['XBT', 'EUR'].map(
    (name) => accountMarket.accounts.get(name)?.balance ?? -1n,
  );
  return { base: base ?? -1n, cash: cash ?? -1n };
}

describe('an account that continues in another process', () => {
  test('reports its ended orders as soon as its streams are open', () => {
    liveAndDie();
    const file = openAccount();
    file.close();
    const none = { kind: 'fixed', us: 0 } as const;
    const port = new ReplayExchange({
      profile: lunoProfile,
      markets: [{ market: replayMarket, rates: replayRates }],
      balances: { XBT: '1', EUR: '1000' },
      latencies: { feed: none, request: none, answer: none },
      seed: 1,
      before: file.before,
      nowMicros: () => 4_000_000,
    });
    const received: EngineEvent[] = [];
    port.open((event) => received.push(event));
    while (port.nextDueMicros < Infinity) port.deliverNext();
    const reports = received.flatMap((event) => (event.kind === 'report' ? [event.report] : []));
    const ended = [{ kind: 'balance' }, { kind: 'ended' }];
    // Both orders were open.
    expect(reports).toMatchObject([...ended, ...ended]);
  });

  test('has its balances, trades and orders, and no open orders', () => {
    const { base, cash } = liveAndDie();
    const file = openAccount();
    const accountMarket = accountMarketOf(file);
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
      failed: 'id-used',
    });
    const placed = accountMarket.place(bid('three', '1.00'), 5_000_000);
    expect(placed.kind === 'accepted' && placed.order.id).toBe('BXT000000000003');
  });

  test('also remembers the end of its open orders at the third start', () => {
    liveAndDie();
    const second = openAccount();
    accountMarketOf(second);
    second.close();
    const third = openAccount();
    const entries = third.before?.entries.length;
    const accountMarket = accountMarketOf(third);
    third.close();
    expect(accountMarket.accounts.get('EUR')?.reserved).toBe(0n);
    expect(openAccount().before?.entries.length).toBe(entries);
  });

  test('ignores a torn last line', () => {
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

  test.each([finer, coarser])(
    'are kept: other scales are refused, and the file stays',
    (changed) => {
      liveAndDie();
      const before = readFileSync(path, 'utf8');
      const { priceScale, volumeScale } = changed;
      expect(() => new AccountFile(path).trade([changed])).toThrow(
        `${path}: this account cannot continue: it traded XBTEUR with 2 decimals in prices and 4 in ` +
          `volumes, but the exchange now has ${priceScale} decimals in prices and ${volumeScale} in ` +
          'volumes; use another store, or start with --fresh',
      );
      expect(readFileSync(path, 'utf8')).toBe(before);
    },
  );

  test('are taken from the exchange if a file of version 2 lacks them, and then kept', () => {
    const header = '[{"kind":"paper-account","version":2,"pairs":["XBTEUR"]}]';
    writeFileSync(path, lined(header));
    const old = new AccountFile(path);
    old.trade([replayMarket]);
    old.close();
    const contents = readFileSync(path, 'utf8');
    expect(contents.startsWith(lined(header))).toBe(true);
    openAccount().close();
    expect(readFileSync(path, 'utf8')).toBe(contents);
    expect(() => new AccountFile(path).trade([finer])).toThrow(ConfigError);
  });
});

test('damage before the end, another file and a later version are refused', () => {
  liveAndDie();
  const file = openAccount();
  accountMarketOf(file);
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
  expect(openAccount).toThrow('order BXT1 has no pair');
  writeFileSync(path, 'something else\nand more\nof it\n');
  expect(openAccount).toThrow(DecodeError);
});
