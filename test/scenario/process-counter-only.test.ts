/**
 * The shipped demo and paper bots with an account that owns none of the base currency: they quote
 * their ask as soon as they have bought, and no order lacks its funds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startExchange } from '../../src/testing.ts';
import { packageRoot } from '../support/package-root.ts';
import { endAll, millrace, newHome } from '../support/process-bot.ts';

afterAll(endAll);

const balances = { XBT: '0', ZAR: '1000000' };

/** Near the mid, so that both sides fill within seconds; many orders trade at once there. */
const changes: readonly (readonly [RegExp, string])[] = [
  [/halfSpread: "20bps"/u, 'halfSpread: "1bps"'],
  [/refresh: "15s"/u, 'refresh: "1s"'],
];
const rejections = 'rejections: { max: 100000, within: "60s", action: refuse }';

/** Writes the shipped settings of `mode` with changes to `home`; returns their path. */
function settingsIn(home: string, mode: 'demo' | 'paper'): string {
  let text = readFileSync(join(packageRoot, 'config', `${mode}.yaml`), 'utf8');
  const own: typeof changes =
    mode === 'demo'
      ? [[/rejections: \{[^}]*\}/u, rejections]]
      : [
          [/XBT: "1", ZAR/u, 'XBT: "0", ZAR'],
          [/^ {2}pairs:$/mu, `  eachStrategy: { ${rejections} }\n  pairs:`],
        ];
  for (const [from, to] of [...changes, ...own]) {
    expect(text).toMatch(from);
    text = text.replace(from, to);
  }
  const folder = join(home, 'config');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'egress.yaml'),
    readFileSync(join(packageRoot, 'config', 'egress.yaml')),
  );
  const path = join(folder, `${mode}.yaml`);
  writeFileSync(path, text);
  return path;
}

test.each(['demo', 'paper'] as const)(
  '%s buys and sells',
  async (mode) => {
    const home = newHome();
    // The exchange of the demo starts from the state of this one.
    await (await startExchange({ home, balances })).stop();
    const settings = settingsIn(home, mode);
    const bot = millrace([
      ...['start', settings, '--mode', mode, '--home', home],
      ...['--for', '60s', '--json'],
    ]);
    await bot.sees(/fill .* sold /u);
    const bought = /fill .* bought /u.exec(bot.text)?.index ?? Number.POSITIVE_INFINITY;
    const sold = /fill .* sold /u.exec(bot.text)?.index ?? 0;
    expect(bought).toBeLessThan(sold);
    expect(bot.text).not.toMatch(/FUNDS|ErrInsufficientBalance/u);
    bot.signal('SIGINT');
    expect((await bot.ended).code).toBe(0);
  },
  120_000,
);
