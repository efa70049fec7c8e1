/**
 * A paper account with several pairs: shared balances, and separate orders in each market, also in
 * another process and over a file that was created with one pair.
 *
 * Method: XBTEUR and ETHXBT, which share XBT. The old file was written by a version without several
 * pairs: of two bids in XBTEUR, the first was partly filled.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import { InvariantError } from '../../../src/domain/errors.ts';
import type { Side } from '../../../src/domain/market.ts';
import { AccountFile } from '../../../src/paper/account-file.ts';
import type { AccountMarket } from '../../../src/replay-exchange/account/account-market.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { historyOf } from '../../support/encoded-history.ts';
import {
  type PlacePart,
  placing,
  replayMarket,
  replayRates,
  row,
} from '../../support/replay-market.ts';

const xbteur = replayMarket;
const ethxbt = { ...replayMarket, pair: 'ETHXBT', base: 'ETH', counter: 'XBT' };
const balances = { XBT: '1', EUR: '1000', ETH: '20' };
const atoms = (amount: number) => BigInt(Math.round(amount * 1e8)) * 10n ** 10n;
const oldFile = join(import.meta.dirname, '../../fixtures/paper/account-version-1');

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-pairs-'));
  path = join(folder, 'bot.sqlite-paper');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Life = {
  readonly file: AccountFile;
  readonly account: ReplayAccount;
  readonly accountMarket: (pair: string) => AccountMarket;
};

/** Opens the account with these pairs, as a new process does. */
function live(...pairs: readonly string[]): Life {
  const file = new AccountFile(path);
  const all = [...new Set([...file.pairs, ...pairs])];
  const markets = all.map((pair) => (pair === 'XBTEUR' ? xbteur : ethxbt));
  file.trade(markets);
  const currencies = new Set(markets.flatMap(({ base, counter }) => [base, counter]));
  const account = new ReplayAccount({
    profile: lunoProfile,
    markets: markets.map((market) => ({ market, rates: replayRates })),
    balances: Object.fromEntries(
      [...currencies].map((one) => [one, balances[one as keyof typeof balances]]),
    ),
    startedMs: 9_000,
    before: file.before,
    onChange: (change) => file.note(change),
    onReport: () => {},
  });
  file.flush();
  return { file, account, accountMarket: (pair) => account.markets.get(pair) as AccountMarket };
}

const order = (
  pair: string,
  side: Side,
  price: string,
  volume: string,
  clientOrderId: string,
): PlacePart => ({ pair, side, price, volume, clientOrderId });

/** Returns the order's id, or the check that it failed. */
function place(accountMarket: AccountMarket, wanted: PlacePart, atMicros = 10_000_000): string {
  const { market, accounts } = accountMarket;
  const request = placing(
    {
      ...wanted,
      baseAccountId: accounts.get(market.base)?.id ?? '',
      counterAccountId: accounts.get(market.counter)?.id ?? '',
    },
    market,
  );
  const placed = accountMarket.place(request, atMicros);
  return placed.kind === 'accepted' ? placed.order.id : placed.failed;
}

const balanceOf = ({ account }: Life, currency: string) => account.accounts.get(currency)?.balance;
const reservedOf = ({ account }: Life, currency: string) =>
  account.accounts.get(currency)?.reserved;
const idsAt = (accountMarket: AccountMarket) =>
  [...accountMarket.orders.keys()].map((id) => id.slice(-1)).join('');

/** Trades and rests orders in both markets, in turns, and is killed. */
function tradeBothAndDie(): void {
  const life = live('XBTEUR', 'ETHXBT');
  const [first, second] = [life.accountMarket('XBTEUR'), life.accountMarket('ETHXBT')];
  historyOf(first).apply(row.create('a', 'ASK', 105, 10));
  historyOf(second).apply(row.create('a', 'ASK', 50, 10), row.create('b', 'ASK', 60, 10));
  place(first, order('XBTEUR', 'BID', '1.05', '0.0010', 'one'));
  place(second, order('ETHXBT', 'BID', '0.60', '0.0020', 'two'));
  place(second, order('ETHXBT', 'ASK', '9', '0.0010', 'three'));
  place(first, order('XBTEUR', 'BID', '1.00', '0.0010', 'four'));
  life.file.flush();
}

describe('two markets of one account', () => {
  test('pay from one balance of their shared currency, and reserve from it', () => {
    const life = live('XBTEUR', 'ETHXBT');
    const [first, second] = [life.accountMarket('XBTEUR'), life.accountMarket('ETHXBT')];
    expect(place(second, order('ETHXBT', 'BID', '0.6', '1', 'one'))).toBe('BXT000000000001');
    expect(reservedOf(life, 'XBT')).toBe(atoms(0.6));
    expect(place(first, order('XBTEUR', 'ASK', '100', '0.5', 'two'))).toBe('insufficient-funds');
    expect(place(first, order('XBTEUR', 'ASK', '100', '0.4', 'three'))).toBe('BXT000000000002');
    expect(reservedOf(life, 'XBT')).toBe(atoms(1));
    // What is bought in one market can be spent in the other.
    second.cancel('BXT000000000001', 11_000_000);
    historyOf(first).apply(row.create('a', 'ASK', 105, 5_000));
    place(first, order('XBTEUR', 'BID', '1.05', '0.5000', 'four'), 12_000_000);
    expect(balanceOf(life, 'XBT')).toBe(atoms(1.4995));
    expect(place(second, order('ETHXBT', 'BID', '1', '1.0995', 'five'))).toBe('BXT000000000004');
    expect(place(second, order('ETHXBT', 'BID', '1', '0.0010', 'six'))).toBe('insufficient-funds');
  });

  test('continue in another process, each with its own orders and trades', () => {
    tradeBothAndDie();
    const life = live('XBTEUR', 'ETHXBT');
    const [first, second] = [life.accountMarket('XBTEUR'), life.accountMarket('ETHXBT')];
    expect([idsAt(first), idsAt(second)]).toEqual(['14', '23']);
    expect([first.orderCount, second.orderCount]).toEqual([2, 2]);
    const toldOf = (accountMarket: AccountMarket) =>
      accountMarket.trades.items
        .map((trade) => accountMarket.viewOf(trade))
        .map(({ pair, price }) => [pair, formatAmount(price)]);
    expect(toldOf(first)).toEqual([['XBTEUR', '1.05']]);
    expect(toldOf(second)).toEqual([
      ['ETHXBT', '0.5'],
      ['ETHXBT', '0.6'],
    ]);
    // Bought 0.001 XBT and 0.002 ETH, less fees; the XBT paid for the ETH.
    expect(balanceOf(life, 'EUR')).toBe(atoms(1000 - 0.00105));
    expect(balanceOf(life, 'XBT')).toBe(atoms(1 + 0.000999 - 0.0011));
    expect(balanceOf(life, 'ETH')).toBe(atoms(20 + 0.001998));
    for (const currency of ['EUR', 'XBT', 'ETH']) expect(reservedOf(life, currency)).toBe(0n);
  });

  test('continue the numbers of orders and trades, and remember client order ids', () => {
    tradeBothAndDie();
    const life = live('XBTEUR', 'ETHXBT');
    const [first, second] = [life.accountMarket('XBTEUR'), life.accountMarket('ETHXBT')];
    expect(place(second, order('ETHXBT', 'ASK', '9', '0.0010', 'one'))).toBe('id-used');
    historyOf(first).apply(row.create('a', 'ASK', 105, 10));
    historyOf(second).apply(row.create('a', 'ASK', 50, 10));
    expect(place(second, order('ETHXBT', 'BID', '0.50', '0.0010', 'five'))).toBe('BXT000000000005');
    expect(place(first, order('XBTEUR', 'BID', '1.05', '0.0010', 'six'))).toBe('BXT000000000006');
    expect(first.trades.items.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(second.trades.items.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });
});

describe('a file of one pair, from before several were possible', () => {
  beforeEach(() => copyFileSync(oldFile, path));

  test('is read: its orders belong to its pair', () => {
    const life = live('XBTEUR');
    expect(life.file.pairs).toEqual(['XBTEUR']);
    expect([...life.accountMarket('XBTEUR').orders.values()]).toMatchObject([
      { id: 'BXT000000000001', pair: 'XBTEUR', status: 'COMPLETE', filled: 4 },
      { id: 'BXT000000000002', pair: 'XBTEUR', status: 'COMPLETE', filled: 0 },
    ]);
    expect(balanceOf(life, 'EUR')).toBe(atoms(999.99958));
    expect(reservedOf(life, 'EUR')).toBe(0n);
    // Only the end of its open orders was added, once.
    life.file.close();
    const contents = readFileSync(path, 'utf8');
    live('XBTEUR').file.close();
    expect(readFileSync(path, 'utf8')).toBe(contents);
  });

  test('accepts another pair: a new currency has its start balance, others continue', () => {
    const life = live('ETHXBT');
    expect(life.file.pairs).toEqual(['XBTEUR', 'ETHXBT']);
    expect(balanceOf(life, 'ETH')).toBe(atoms(20));
    expect(balanceOf(life, 'XBT')).toBe(atoms(1 + 0.0003996));
    // Ledger accounts are identified by their numbers.
    const numbers = [...life.account.accounts.values()].map(({ id, currency }) => id + currency);
    expect(numbers).toEqual(['1XBT', '2EUR', '3ETH']);
    place(life.accountMarket('ETHXBT'), order('ETHXBT', 'ASK', '9', '0.0010', 'three'));
    life.file.close();

    expect(new AccountFile(path).pairs).toEqual(['XBTEUR', 'ETHXBT']);
    const again = live('ETHXBT', 'XBTEUR');
    expect(again.file.pairs).toEqual(['XBTEUR', 'ETHXBT']);
    expect([idsAt(again.accountMarket('XBTEUR')), idsAt(again.accountMarket('ETHXBT'))]).toEqual([
      '12',
      '3',
    ]);
    expect(balanceOf(again, 'ETH')).toBe(atoms(20));
    expect(reservedOf(again, 'ETH')).toBe(0n);
  });
});

describe('a pair that is no longer traded', () => {
  test('has no open orders, keeps its history, and can be traded again', () => {
    tradeBothAndDie();
    const without = live('ETHXBT');
    expect(
      [...without.accountMarket('XBTEUR').orders.values()].map(({ status }) => status),
    ).toEqual(['COMPLETE', 'COMPLETE']);
    expect(reservedOf(without, 'EUR')).toBe(0n);
    const eur = balanceOf(without, 'EUR');
    without.file.close();
    const again = live('XBTEUR');
    expect(balanceOf(again, 'EUR')).toBe(eur);
    expect(again.accountMarket('XBTEUR').trades.items).toHaveLength(1);
  });

  test('must be in the account: otherwise its reservations would never be released', () => {
    tradeBothAndDie();
    const { before } = new AccountFile(path);
    const markets = [{ market: ethxbt, rates: replayRates }];
    const options = {
      ...{ markets, balances, startedMs: 9_000, before, onReport: () => {} },
      profile: lunoProfile,
    };
    expect(() => new ReplayAccount(options)).toThrow(InvariantError);
  });
});
