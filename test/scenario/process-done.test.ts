/** Strategies that finish their task, as real processes: the bot ends, and they stay done. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, millrace } from '../support/process-bot.ts';
import { openOrders, openPlace, writeConfig } from '../support/safety-bot.ts';

afterAll(endAll);

/** Quotes three times, remembers how often it has begun, and is done with its order open. */
const source = `/** A plugin of a test. */
import { mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';

export default defineStrategy({
  name: 'ends',
  parameters: z.strictObject({}),
  state: { schema: z.strictObject({ begun: z.number() }), initial: { begun: 0 } },
  pairs: 1,
  run(context) {
    const [market] = context.pairs;
    const begun = context.state().begun + 1;
    let count = 0;
    return context.every(500).pipe(mergeMap(() => {
      const { top, pair } = market;
      if (top?.bid === undefined) return [];
      const price = market.round(top.bid * 0.98, 'down');
      const volume = market.lots('0.001');
      const orders = [{ side: 'BID', price, volume, level: 'a', postOnly: true }];
      const quote = { kind: 'quote', pair, orders, toleranceTicks: 1_000_000, reason: 'the same' };
      if (++count < 4) return of(quote);
      const reason = \`all of it, time \${begun}\`;
      return of({ kind: 'remember', state: { begun } }, { kind: 'done', reason });
    }));
  },
});
`;

/** A place with that plugin, with \`onStop\` in the settings. */
async function place(name: string, onStop: 'cancel' | 'leave') {
  const opened = await openPlace();
  mkdirSync(join(opened.root, 'strategies', 'ends'));
  writeFileSync(join(opened.root, 'strategies', 'ends', 'strategy.ts'), source);
  const config = writeConfig(opened, name, (given) =>
    given.replace('plugin: many', 'plugin: ends').replace(/onStop: \w+/u, `onStop: ${onStop}`),
  );
  return { ...opened, config };
}

test('a bot whose strategies are done ends with 0, and the next start leaves them done', async () => {
  const opened = await place('done-cancels', 'cancel');
  const { root, home, config } = opened;
  const start = async (...words: string[]) => {
    const bot = millrace(['run', config, '--home', home, '--json', ...words], { root });
    expect((await bot.ended).code, bot.text).toBe(0);
    return bot;
  };
  const first = await start();
  expect(first.summary()).toMatchObject({
    ...{ ordersAccepted: 1, openOrdersAtExit: 0, differences: 0, failedStrategies: [] },
  });
  expect(first.text).toMatch(/mm-xbt is done: all of it, time 1$/mu);
  expect(first.text).toContain('stopping: every strategy is done');
  expect(first.text).not.toContain('STRATEGY_STOPPED');
  const second = await start();
  expect(second.summary()).toMatchObject({ ordersAccepted: 0 });
  expect(second.text).toMatch(
    /mm-xbt is done since \S+: all of it, time 1; to let it begin again, .* --again mm-xbt$/mu,
  );
  for (const words of [['status'], ['why', '--refused']]) {
    const [name = '', ...more] = words;
    const told = millrace([name, config, ...more, '--home', home], { root });
    expect((await told.ended).code, told.text).toBe(0);
    expect(told.text).toMatch(
      /^done {7}mm-xbt since \S+: all of it, time 1; .* start with --again mm-xbt$/mu,
    );
    expect(told.text).not.toContain('with the next start');
  }
  // What the line suggests works, and without the state of the task that is done.
  const third = await start('--again', 'mm-xbt');
  expect(third.summary()).toMatchObject({ ordersAccepted: 1, openOrdersAtExit: 0 });
  expect(third.text).toMatch(/mm-xbt is done: all of it, time 1$/mu);
  const wrong = millrace(['run', config, '--home', home, '--again', 'mm-xtb'], { root });
  expect((await wrong.ended).code).toBe(2);
  expect(wrong.text).toContain('--again mm-xtb: there is no such strategy, only mm-xbt');
  const replay = millrace(['replay', '--home', home], { root });
  expect((await replay.ended).code, replay.text).toBe(0);
  expect(await openOrders(opened)).toEqual([]);
}, 180_000);

test('with onStop: leave, its orders stay at the exchange', async () => {
  const opened = await place('done-leaves', 'leave');
  const bot = millrace(['run', opened.config, '--home', opened.home, '--json'], {
    root: opened.root,
  });
  await bot.ended;
  expect(bot.text).toContain('stopping: every strategy is done');
  expect(await openOrders(opened)).toHaveLength(1);
}, 120_000);
