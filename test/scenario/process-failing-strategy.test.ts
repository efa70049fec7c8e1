/** A bot whose strategy fails, as a real process: what is said of it, and what it ends with. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, millrace } from '../support/process-bot.ts';
import { openOrders, openPlace, writeConfig } from '../support/safety-bot.ts';

afterAll(endAll);

/** Wishes for the same quote every 100 ms, and fails at the thirtieth. */
const source = `/** A plugin of a test. */
import { mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';

export default defineStrategy({
  name: 'fails',
  parameters: z.strictObject({}),
  pairs: 1,
  run(context) {
    const [market] = context.pairs;
    let count = 0;
    let orders;
    return context.every(100).pipe(mergeMap(() => {
      const { top, pair } = market;
      if (top?.bid === undefined) return [];
      if (++count === 30) throw new Error('the thirtieth');
      const price = market.round(top.bid * 0.98, 'down');
      orders ??= [{ side: 'BID', price, volume: market.lots('0.001'), level: 'a', postOnly: true }];
      return of({ kind: 'quote', pair, orders, toleranceTicks: 1_000_000, reason: 'the same' });
    }));
  },
});
`;

const thrown = `throw new Error('the thirtieth')`;

/** A place with a plugin of that name, which does `deed` at the thirtieth. */
async function place(name: string, deed: string) {
  const opened = await openPlace();
  const text = source.replace("name: 'fails'", `name: '${name}'`).replace(thrown, deed);
  mkdirSync(join(opened.root, 'strategies', name));
  writeFileSync(join(opened.root, 'strategies', name, 'strategy.ts'), text);
  const config = writeConfig(opened, name, (given) =>
    given.replace('plugin: many', `plugin: ${name}`),
  );
  return { ...opened, config, text };
}

test('G1: the orders of a strategy that throws are stopped, and the run ends by itself with 3 and names it', async () => {
  const opened = await place('fails', thrown);
  const { root, home, config } = opened;
  const bot = millrace(['run', config, '--home', home, '--json'], { root });
  expect((await bot.ended).code, bot.text).toBe(3);
  expect(bot.text).toContain('stopping: no strategy runs any more');
  expect(bot.summary()).toMatchObject({
    ordersAccepted: 1,
    differences: 0,
    openOrdersAtExit: 0,
    failedStrategies: [expect.stringMatching(/^strategy \S+ stopped at .*: threw: .*thirtieth/u)],
  });
  // A quote that is wished again and again is told once.
  expect(bot.text.match(/ wants BID /gu)).toHaveLength(1);
  expect(await openOrders(opened)).toEqual([]);
  // That the bot stops because of it is not why the strategy does not trade.
  for (const [command = '', ...more] of [['status'], ['why', '--refused']]) {
    const told = millrace([command, config, ...more, '--home', home], { root });
    expect((await told.ended).code, told.text).toBe(0);
    expect(told.text).toMatch(/its strategy has ended: threw: .*thirtieth/u);
  }
}, 120_000);

test('G1: a run ends with 3 if one strategy has failed, also if another one is done', async () => {
  const opened = await place('fails-beside', thrown);
  const { root, home, config } = opened;
  const done = source
    .replace("name: 'fails'", "name: 'ends'")
    .replace(thrown, "return of({ kind: 'done', reason: 'all of it' })")
    .replace('count === 30', 'count === 5');
  mkdirSync(join(root, 'strategies', 'ends'));
  writeFileSync(join(root, 'strategies', 'ends', 'strategy.ts'), done);
  const text = readFileSync(config, 'utf8');
  const [own = ''] = /^ {2}mm-xbt:\n(?: {4}.*\n| *#.*\n)+/mu.exec(text) ?? [];
  const other = own.replace('mm-xbt:', 'ends:').replace('plugin: fails-beside', 'plugin: ends');
  writeFileSync(
    config,
    text.replace(own, () => `${own}${other}`),
  );
  const bot = millrace(['run', config, '--home', home, '--json'], { root });
  expect((await bot.ended).code, bot.text).toBe(3);
  expect(bot.text).toMatch(/ends is done: all of it$/mu);
  expect(bot.text).toContain('stopping: no strategy runs any more');
  expect(bot.summary()).toMatchObject({
    ...{ differences: 0, openOrdersAtExit: 0 },
    failedStrategies: [expect.stringMatching(/^strategy mm-xbt stopped at .*: threw: /u)],
  });
  expect(await openOrders(opened)).toEqual([]);
}, 120_000);

test('G1: a strategy that ends the process is named, and what may be open; a replay names it, too', async () => {
  const { root, home, config, text } = await place('exits', 'process.exit(0)');
  const told = /^millrace: the process was ended by exits\/strategy\.ts:\d+ while .*MR_STRATEGY/gmu;
  const bot = millrace(['run', config, '--home', home], { root });
  expect((await bot.ended).code, bot.text).toBe(6);
  expect(bot.text.match(told)).toHaveLength(1);
  expect(bot.text).toMatch(/^! 1 orders may be open at the exchange.*millrace -- panic /mu);
  // What led to the end was never stored, so it is made to come earlier.
  const earlier = text.replace('count === 30', 'count === 3');
  writeFileSync(join(root, 'strategies', 'exits', 'strategy.ts'), earlier);
  const replay = millrace(['replay', '--home', home], { root });
  expect((await replay.ended).code, replay.text).toBe(1);
  expect(replay.text.match(told)).toHaveLength(1);
}, 120_000);

test("G1: a promise of a strategy that is rejected ends the bot, and is told as the strategy's", async () => {
  const deed = `void Promise.reject(new Error('the thirtieth'))`;
  const { root, home, config } = await place('rejects', deed);
  const bot = millrace(['run', config, '--home', home], { root });
  expect((await bot.ended).code, bot.text).toBe(6);
  expect(bot.text).toMatch(
    /^millrace: .*: the thirtieth, at rejects\/strategy\.ts:\d+ \(MR_STRAT/mu,
  );
}, 120_000);
