/**
 * Which paper accounts are opened, with which fees, and what is reported about them.
 *
 * Method: a fake venue that answers public requests and the fees of a key, and a temporary folder.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPaperAccount } from '../../../src/bot/paper/paper-account.ts';
import { paperLines } from '../../../src/bot/paper/paper-figures.ts';
import type { PaperSettings } from '../../../src/domain/bot-settings.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { read } from '../../../src/venue/venue-reader.ts';
import { workspace } from '../../support/package-root.ts';
import { wireReader } from '../../support/wire-reader.ts';

const none = { kind: 'fixed', us: 0 } as const;
const paper: PaperSettings = {
  balances: { XBT: '1', ZAR: '1000', ETH: '20' },
  latencies: { feedUs: 0, request: none, answer: none },
};
const makerFees: Readonly<Record<string, string>> = { XBTZAR: '0.001', ETHXBT: '0.002' };

let folder: string;
let store: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-paper-account-'));
  store = join(folder, 'bot.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function listed(pair: string, priceScale: number) {
  const scales = {
    price_scale: priceScale,
    volume_scale: 4,
    fee_scale: 8,
    trading_status: 'ACTIVE',
  };
  const prices = { min_price: '0.01', max_price: '1000' };
  const volumes = { min_volume: '0.0001', max_volume: '1000' };
  const currencies = { base_currency: pair.slice(0, 3), counter_currency: pair.slice(3) };
  return { market_id: pair, ...currencies, ...scales, ...prices, ...volumes };
}

/** A venue that has these markets. */
function venueOf(pairs: readonly string[], priceScale: number) {
  const reader = wireReader({
    markets: async () => ({ markets: pairs.map((pair) => listed(pair, priceScale)) }),
    feeInfo: async ({ pair }) => ({
      ...{ maker_fee: makerFees[pair] ?? '', taker_fee: '0.003' },
      thirty_day_volume: '0',
    }),
  });
  return { ...reader, close: async () => {} };
}

const settings = loadBotSettings('config/paper.yaml', { workspace });

function open(
  pairs: readonly string[],
  part: {
    readonly paper?: PaperSettings;
    readonly venue?: readonly string[];
    readonly priceScale?: number;
  } = {},
) {
  const [strategy] = settings.strategies;
  if (strategy === undefined) throw new Error('config/paper.yaml has a strategy');
  return openPaperAccount({
    settings: { ...settings, store, strategies: [{ ...strategy, pairs }] },
    paper: part.paper ?? paper,
    venue: venueOf(part.venue ?? ['XBTZAR', 'ETHXBT'], part.priceScale ?? 2),
    isUsed: false,
    clock: createClock(),
    random: createSeededRandom('paper'),
    onWarning: () => {},
  });
}

const fileText = () => readFileSync(`${store}-paper`, 'utf8');

describe('an account of two pairs', () => {
  test('has one account for each currency, and the fees of the key for each pair', async () => {
    const { accounts, reader, figures } = await open(['XBTZAR', 'ETHXBT']);
    expect(accounts).toEqual({ XBT: '1', ZAR: '2', ETH: '3' });
    expect((await read(reader, { kind: 'fees', pair: 'ETHXBT' })).maker).toBe('0.002');
    expect(figures()).toMatchObject({
      latencies: paper.latencies,
      markets: [
        { pair: 'XBTZAR', fees: { maker: '0.001', taker: '0.003' }, gaps: 0 },
        { pair: 'ETHXBT', fees: { maker: '0.002', taker: '0.003' }, gaps: 0 },
      ],
    });
    const lines = paperLines(figures()).join('\n');
    expect(lines).toContain('XBTZAR: 0.001 maker');
    expect(lines).toContain('ETHXBT: 0.002 maker');
  });

  test('pays the fees of the settings in both pairs', async () => {
    const fees = { maker: '0.004', taker: '0.005' };
    const { figures, reader } = await open(['XBTZAR', 'ETHXBT'], { paper: { ...paper, fees } });
    expect(figures()).toMatchObject({ markets: [{ fees }, { fees }] });
    expect((await read(reader, { kind: 'fees', pair: 'XBTZAR' })).taker).toBe('0.005');
  });
});

test('the figures of a single pair are not a list', async () => {
  const { figures } = await open(['XBTZAR']);
  expect(figures()).toEqual({
    pair: 'XBTZAR',
    fees: { maker: '0.001', taker: '0.003' },
    latencies: paper.latencies,
    ...{ displacedTrades: 0, displacedOrders: 0, takenOrders: 0 },
    ...{ gaps: 0, keptPlaces: 0, wentBehind: 0 },
  });
  expect(paperLines(figures()).join('\n')).not.toContain('XBTZAR');
});

describe('an account from an earlier run', () => {
  test('accepts another pair; its figures cover only the pairs traded now', async () => {
    await open(['XBTZAR']);
    const { accounts, figures } = await open(['ETHXBT']);
    expect(accounts).toEqual({ XBT: '1', ZAR: '2', ETH: '3' });
    expect(figures()).toMatchObject({ pair: 'ETHXBT' });
    const scales = '"priceScale":2,"volumeScale":4';
    expect(fileText()).toContain(
      `"markets":[{"pair":"XBTZAR",${scales}},{"pair":"ETHXBT",${scales}}]`,
    );
  });

  test('is refused, with a fix, if the venue no longer has one of its markets', async () => {
    await open(['XBTZAR']);
    const before = fileText();
    await expect(open(['ETHXBT'], { venue: ['ETHXBT'] })).rejects.toMatchObject({
      code: 'MR_CONFIG',
      message: expect.stringMatching(
        /bot\.sqlite-paper: .*has traded XBTZAR, the strategies trade ETHXBT; .*use another store/u,
      ),
    });
    expect(fileText()).toBe(before);
  });

  test('is refused, with a fix, if the scales of one of its markets have changed', async () => {
    await open(['XBTZAR']);
    const before = fileText();
    for (const traded of ['XBTZAR', 'ETHXBT'])
      await expect(open([traded], { priceScale: 3 })).rejects.toMatchObject({
        code: 'MR_CONFIG',
        message: expect.stringMatching(
          /bot\.sqlite-paper: .*XBTZAR with 2 decimals .* has 3 decimals in .*use another store/u,
        ),
      });
    expect(fileText()).toBe(before);
  });

  test('does not store a pair that is refused', async () => {
    await open(['XBTZAR']);
    const before = fileText();
    await expect(open(['XBTZAR', 'ETHZAR'])).rejects.toThrow('ETHZAR is unknown');
    const lacking = { ...paper, balances: { XBT: '1', ZAR: '1' } };
    await expect(open(['XBTZAR', 'ETHXBT'], { paper: lacking })).rejects.toThrow(
      'paper.balances lacks ETH, a currency of ETHXBT',
    );
    expect(fileText()).toBe(before);
  });
});

test('a bot that only watches has an account of nothing', async () => {
  expect((await open([])).accounts).toEqual({});
  expect(existsSync(`${store}-paper`) ? fileText() : '').toBe('');
});
