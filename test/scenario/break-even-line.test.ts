/** A bot whose quotes cannot make a profit says so before its first order, and from its quotes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, millrace, newHome } from '../support/process-bot.ts';

afterAll(endAll);

test('quotes nearer than the break-even give a warning at the start, from the quotes, and in the summary', async () => {
  const home = newHome();
  const file = join(home, 'thin.yaml');
  const demo = readFileSync(new URL('../../config/demo.yaml', import.meta.url), 'utf8')
    .replace('halfSpread: "20bps"', 'halfSpread: "3bps"')
    .replace('refresh: "15s"', 'refresh: "1s"')
    .replace('tolerance: "2bps"', 'tolerance: "0.1bps"')
    .replace('egress: egress.yaml', '# ');
  writeFileSync(file, demo);
  const bot = millrace(['start', file, '--home', home, '--json']);
  await bot.sees(/mm-xbt XBTZAR: breaks even 5bps from the mid \(maker 5bps, taker 10bps\)/u);
  await bot.sees(/! mm-xbt declares a half spread of 3bps on XBTZAR: it CANNOT MAKE A PROFIT/u);
  await bot.sees(/! mm-xbt XBTZAR: .* IT CANNOT MAKE A PROFIT: every round trip loses/u);
  bot.signal('SIGINT');
  expect((await bot.ended).code).toBe(0);
  expect(bot.summary()).toMatchObject({
    breakEven: [{ strategy: 'mm-xbt', breakEvenHalfSpread: '0.0005', canEarn: false }],
  });
  const status = millrace(['status', file, '--home', home]);
  expect((await status.ended).code).toBe(0);
  expect(status.text).toMatch(/fees +mm-xbt XBTZAR: /u);
}, 60_000);
