/** What the documents show works: the README's strategy, and the paths of the service. */

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { statePlaceOf } from '../../src/bot/state-place.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { Decimal } from '../../src/domain/money.ts';
import { loadBotSettings } from '../../src/settings/load-bot-settings.ts';
import { StrategyHost } from '../../src/strategy/host.ts';
import { prepareStrategy } from '../../src/strategy/loader.ts';
import type { MarketAccess } from '../../src/strategy/market-context.ts';
import { workspace } from '../support/package-root.ts';
import { Views } from './strategy/host-fixture.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'millrace-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = {
  id: 'one',
  plugin: 'simple-mm',
  pairs: ['XBTZAR'],
  parameters: { size: '0.01', halfSpread: '10bps' },
  budget: { ZAR: '100000', XBT: '0.1' },
  allow: { sides: ['BID', 'ASK'], types: ['limit'], timeInForce: ['GTC'], postOnly: 'required' },
  onRestart: 'adopt',
  onStop: 'cancel',
  onMove: 'overlap',
  onUnusableBook: { withdrawAfterMs: 10_000 },
} as const;

test('the README is short, and its strategy ships and quotes both sides', async () => {
  const shipped = readFileSync(join(root, 'strategies/simple-mm/strategy.ts'), 'utf8');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  expect(/```ts\n(?<code>[\s\S]*?)```/u.exec(readme)?.groups?.['code']).toBe(shipped);
  expect(shipped.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(110);
  expect(readme).toContain('\nnpm start\n');
  expect(readme).toContain('`npm test`');
  expect(statSync(join(root, 'docs/images/backtest-page.png')).size).toBeLessThan(200_000);
  expect(statSync(join(root, 'docs/images/terminal-view.svg')).size).toBeLessThan(50_000);
  const plugin = await prepareStrategy({ folder: join(root, 'strategies'), settings });

  const top = {
    bid: 999_000 as Ticks,
    bidVolume: 10 as Lots,
    ask: 1_001_000 as Ticks,
    askVolume: 10 as Lots,
    timeMs: 1_700_000_000_000,
  };
  const access: MarketAccess = {
    market: {
      pair: 'XBTZAR',
      base: 'XBT',
      counter: 'ZAR',
      priceScale: 0,
      volumeScale: 6,
      feeScale: 8,
      priceMin: 1 as Ticks,
      priceMax: 100_000_000 as Ticks,
      volumeMin: 100 as Lots,
      volumeMax: 100_000_000 as Lots,
      status: 'ACTIVE',
    },
    fees: { maker: 0, taker: 0 },
    top: () => top,
    book: () => undefined,
    position: () => ({ base: 0 as Lots, highest: 0 as Lots, lowest: 0 as Lots }),
    holding: () => new Decimal(0),
    isDust: () => false,
    orders: () => [],
    available: () => new Decimal(0),
    bounds: () => [],
    marketPrice: () => undefined,
    history: [],
    account: new Views().access().account,
  };
  const host = new StrategyHost({
    settings,
    strategy: plugin.strategy,
    parameters: plugin.parameters,
    markets: new Map([['XBTZAR', access]]),
    callsLeft: () => ({ perMinute: 240, forOrders: 150, nextOrderMs: 0, nextMoveMs: 0 }),
    random: () => 0.5,
    state: undefined,
    startMs: top.timeMs,
  });
  host.start(top.timeMs);
  host.deliver(top.timeMs, { kind: 'top', pair: 'XBTZAR', top });
  expect(host.takeFaults()).toEqual([]);
  expect(host.takeIntents()).toMatchObject([
    {
      kind: 'quote',
      orders: [
        { side: 'BID', price: 999_000, volume: 10_000, postOnly: true },
        { side: 'ASK', price: 1_001_000, volume: 10_000, postOnly: true },
      ],
    },
  ]);
});

test('the service of docs/operations.md keeps its state where its configuration says', () => {
  const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const store = /with `store: (?<path>[^`]+)`/u.exec(page)?.groups?.['path'] ?? '';
  const demo = readFileSync(join(root, 'config', 'demo.yaml'), 'utf8');
  const config = join(folder, 'desk.yaml');
  writeFileSync(config, demo.replace(/^bot: demo.*$/mu, `bot: desk\nstore: ${store}`));
  const settings = loadBotSettings(config, { workspace });
  const home = '/var/lib/millrace/%i';
  expect(statePlaceOf(settings.store, home).store).toBe(`${home}/desk.sqlite`);
  expect(page.match(/^ExecStart=.*$/gmu)).toHaveLength(2);
  for (const [line] of page.matchAll(/^ExecStart=.*$/gmu)) expect(line).toContain(`--home ${home}`);
  expect(page).toContain(`ReadWritePaths=${home}\n`);
  expect(page).toContain('StateDirectory=millrace/%i\n');
});
