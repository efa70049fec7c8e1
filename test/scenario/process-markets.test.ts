/** `--markets`: the markets of the exchange that a bot would use, and pairs that it lacks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, eventually, millrace, newHome } from '../support/process-bot.ts';

afterAll(endAll);

test('start --markets lists the markets of its exchange, also while the bot runs', async () => {
  const home = newHome();
  const listed = millrace(['start', '--markets', '--home', home]);
  expect((await listed.ended).code, listed.text).toBe(0);
  const lines = listed.stdout.trim().split('\n');
  expect(lines[0]).toMatch(/^3 markets at http:\/\/127\.0\.0\.1:\d+; /u);
  expect(lines[1]).toMatch(/^pair +base +counter +status +price +volume +min volume +min price/u);
  expect(lines.slice(2).map((line) => line.split(/ +/u).slice(0, 8))).toEqual([
    ['XBTZAR', 'XBT', 'ZAR', 'ACTIVE', '0', '6', '0.000100', '10000'],
    ['ETHXBT', 'ETH', 'XBT', 'ACTIVE', '5', '4', '0.0010', '0.00100'],
    ['ETHZAR', 'ETH', 'ZAR', 'ACTIVE', '0', '4', '0.0010', '500'],
  ]);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  const bot = millrace(['start', '--home', home, '--for', '60s']);
  await eventually(() => bot.text.includes('reconciled'), 30_000);
  const again = millrace(['start', '--markets', '--home', home, '--json']);
  expect((await again.ended).code, again.text).toBe(0);
  const { baseUrl, markets } = JSON.parse(again.stdout);
  expect(bot.text).toContain(baseUrl);
  expect(markets[0]).toMatchObject({ pair: 'XBTZAR', base: 'XBT', priceScale: 0, volumeScale: 6 });
  for (const one of markets) expect(Number(one.spreadBps)).toBeGreaterThan(0);
  expect(Number(markets[0].bid)).toBeLessThan(Number(markets[0].ask));
}, 120_000);

test('a pair that the exchange lacks is reported with the nearest ones', async () => {
  const home = newHome();
  const file = join(home, 'bot.yaml');
  const strategy = '{ plugin: simple-mm, pairs: [ETHZRA], budget: { ZRA: "1000", ETH: "1" }';
  writeFileSync(
    file,
    `version: 1\nbot: typo\nmode: demo\nlimits: learner\nstrategies:\n  mm: ${strategy}, parameters: { halfSpread: "20bps", size: "0.01" } }\n`,
  );
  const bot = millrace(['start', file, '--home', home, '--for', '5s']);
  expect((await bot.ended).code).not.toBe(0);
  expect(bot.text).toContain(
    'pair ETHZRA is unknown to the exchange; the nearest of its 3 pairs: ETHZAR, ',
  );
  expect(bot.text).toContain('`start --markets` or `run CONFIG --markets` lists all');
}, 60_000);
