/**
 * Mode paper with two pairs of one account as processes: both are traded, the account outlives
 * kill -9, and a pair can be given up with orders open in it.
 *
 * Method: the account's file is held against its own trades, with the arithmetic written anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type BotProcess,
  endAll,
  eventually,
  millrace,
  newHome,
  type Summary,
} from '../support/process-bot.ts';

afterAll(endAll);

const onePair = readFileSync(new URL('../../config/paper.yaml', import.meta.url), 'utf8');
const start = { XBT: '1', ZAR: '1000000', ETH: '20' } as const;
/** Decimals of price and volume. */
const scales: Readonly<Record<string, readonly [price: number, volume: number]>> = {
  XBTZAR: [0, 6],
  ETHXBT: [5, 4],
};

function strategy(pair: 'XBTZAR' | 'ETHXBT'): string {
  const isXbt = pair === 'XBTZAR';
  // Close to the market: it fills soon.
  const [halfSpread, size] = isXbt ? ['5bps', '0.01'] : ['8bps', '0.2'];
  return `  mm-${isXbt ? 'xbt' : 'eth'}:
    plugin: simple-mm
    pairs: [${pair}]
    parameters: { halfSpread: "${halfSpread}", size: "${size}", refresh: "3s" }
    budget: { ${isXbt ? 'ZAR: "250000", XBT: "0.2"' : 'XBT: "0.2", ETH: "5"'} }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: adopt
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
`;
}

/** Writes the settings of a bot that trades these pairs; returns the file. */
function configOf(home: string, ...pairs: readonly ('XBTZAR' | 'ETHXBT')[]): string {
  const file = join(home, `${pairs.join('-')}.yaml`);
  const [head = ''] = onePair.split(/^strategies:\n/mu);
  const text = `${head.replace('ZAR: "1000000" }', 'ZAR: "1000000", ETH: "20" }')}strategies:
${pairs.map(strategy).join('')}
limits:
  account:
    openNotionalMax: { ZAR: "100000", XBT: "0.2" }
    turnoverDayMax: { ZAR: "50000000", XBT: "50" }
    lossDayMax: { ZAR: "25000", XBT: "0.05" }
    ordersOpenMax: 10
    ordersPerMinuteMax: 120
  pairs:
    XBTZAR: { orderBaseMax: "0.02", positionBaseMax: "0.2", collar: "2%", bookAgeMax: "5s" }
    ETHXBT: { orderBaseMax: "0.5", positionBaseMax: "5", collar: "2%", bookAgeMax: "5s" }
`;
  writeFileSync(file, text);
  return file;
}

function paper(home: string, config: string, seconds: number): BotProcess {
  const more = ['--home', home, '--for', `${seconds}s`, '--json'];
  return millrace(['start', config, '--mode', 'paper', ...more]);
}

/** Kills it while nothing is on its way: what becomes of that is not known for a minute. */
async function killQuiet(bot: BotProcess): Promise<void> {
  let [seen, sinceMs] = ['', 0];
  await eventually(() => {
    if (bot.text !== seen) [seen, sinceMs] = [bot.text, performance.now()];
    return performance.now() - sinceMs > 300;
  }, 30_000);
  await bot.kill();
}

type Change = {
  readonly kind: string;
  readonly currency?: string;
  readonly entry?: { readonly balanceDelta: string; readonly reservedDelta: string };
  readonly order?: { readonly id: string; readonly pair: string; readonly side: string };
  readonly trade?: {
    readonly orderId: string;
    readonly price: number;
    readonly volume: number;
    readonly feeBase: string;
    readonly feeCounter: string;
  };
};

type CountedMarket = {
  readonly pair: string;
  readonly totals: { readonly run: { readonly orders: number } };
};

type Sums = Record<string, bigint>;

/** Returns what the account has by its ledgers and by its trades, and what is reserved. */
function booksOf(home: string) {
  const lines = readFileSync(join(home, 'paper.sqlite-paper'), 'utf8').trimEnd().split('\n');
  const changes = lines.flatMap((line) => JSON.parse(line.slice(9)) as readonly Change[]);
  const atoms = (text: string): bigint => BigInt(text.replace(/n$/u, ''));
  const [ledger, reserved, trades]: [Sums, Sums, Sums] = [{}, {}, {}];
  const add = (sums: Sums, currency: string, amount: bigint) => {
    sums[currency] = (sums[currency] ?? 0n) + amount;
  };
  const sides = new Map<string, { readonly pair: string; readonly side: string }>();
  const pairsTraded = new Set<string>();
  for (const [currency, amount] of Object.entries(start))
    add(trades, currency, atoms(amount) * 10n ** 18n);
  for (const { currency = '', entry, order, trade } of changes) {
    if (order !== undefined) sides.set(order.id, order);
    if (entry !== undefined) {
      add(ledger, currency, atoms(entry.balanceDelta));
      add(reserved, currency, atoms(entry.reservedDelta));
    }
    if (trade === undefined) continue;
    const { pair, side } = sides.get(trade.orderId) as { pair: string; side: string };
    pairsTraded.add(pair);
    const [price, volume] = scales[pair] as readonly [number, number];
    const sign = side === 'BID' ? 1n : -1n;
    const base = BigInt(trade.volume) * 10n ** BigInt(18 - volume);
    const counter = BigInt(trade.price * trade.volume) * 10n ** BigInt(18 - price - volume);
    add(trades, pair.slice(0, 3), sign * base - atoms(trade.feeBase));
    add(trades, pair.slice(3), -sign * counter - atoms(trade.feeCounter));
  }
  return { ledger, reserved, trades, pairsTraded: [...pairsTraded].sort() };
}

const nothing = { XBT: 0n, ZAR: 0n, ETH: 0n };
const inOrder = {
  ...{ mode: 'paper', differences: 0, positionDifference: '0', balanceDifference: '0' },
  ...{ openOrdersAtExit: 0, unprovenAtExit: 0, incidents: 0 },
};

test('two pairs are traded on one account, which balances, also after kill -9', async () => {
  const home = newHome();
  const config = configOf(home, 'XBTZAR', 'ETHXBT');
  const first = paper(home, config, 60);
  await first.sees(/ fill +mm-xbt/u);
  await first.sees(/ fill +mm-eth/u);
  await killQuiet(first);

  const second = paper(home, config, 4);
  expect((await second.ended).code).toBe(0);
  const summary = second.summary() as Summary & { readonly paper: unknown };
  expect(summary).toMatchObject(inOrder);
  expect(summary.fillsAtExchange).toBe(summary.fills);
  expect(summary.paper).toMatchObject({
    latencies: { feedUs: 5_000 },
    markets: [
      { pair: 'XBTZAR', fees: { maker: '0.0005', taker: '0.001' }, gaps: 0 },
      { pair: 'ETHXBT', fees: { maker: '0.0005', taker: '0.001' }, gaps: 0 },
    ],
  });
  const { ledger, reserved, trades, pairsTraded } = booksOf(home);
  expect(pairsTraded).toEqual(['ETHXBT', 'XBTZAR']);
  expect(ledger).toEqual(trades);
  expect(reserved).toEqual(nothing);

  const replayed = millrace(['replay', '--all', '--home', home, '--json']);
  expect((await replayed.ended).code).toBe(0);
  const compared = millrace(['compare', '1', '--home', home, '--json']);
  expect((await compared.ended).code).toBe(0);
  const { markets } = JSON.parse(compared.stdout) as { markets: readonly CountedMarket[] };
  expect(markets.map(({ pair }) => pair)).toEqual(['XBTZAR', 'ETHXBT']);
  for (const { totals } of markets) expect(totals.run.orders).toBeGreaterThan(0);
}, 120_000);

test('a pair is given up with orders open in it: they end, and the others go on', async () => {
  const home = newHome();
  const first = paper(home, configOf(home, 'XBTZAR', 'ETHXBT'), 60);
  await first.sees(/ mm-xbt .* is open \(/u);
  await first.sees(/ mm-eth .* is open \(/u);
  await killQuiet(first);
  expect(booksOf(home).reserved).not.toEqual(nothing);

  const second = paper(home, configOf(home, 'ETHXBT'), 4);
  expect((await second.ended).code).toBe(0);
  expect(second.summary()).toMatchObject({ ...inOrder, paper: { pair: 'ETHXBT' } });
  expect(second.text).toMatch(/restored \d+ intents, [1-9]\d* of them not final/u);
  const { ledger, reserved, trades } = booksOf(home);
  expect(reserved).toEqual(nothing);
  expect(ledger).toEqual(trades);
}, 120_000);
