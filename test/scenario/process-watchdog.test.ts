/** Bots that die or hang with open orders, as real processes, and the watchdog beside them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, eventually, millrace } from '../support/process-bot.ts';
import {
  namespace,
  openOrders,
  openPlace,
  ordersQuoted,
  untilOpen,
  writeConfig,
} from '../support/safety-bot.ts';

afterAll(endAll);

/** Starts a bot whose strategy does not return once its orders are open. */
async function startLooping() {
  const place = await openPlace();
  const { root, home } = place;
  const config = writeConfig(place, 'loops', (text) =>
    text.replace('plugin: many', 'plugin: loops'),
  );
  const bot = millrace(['run', config, '--home', home, '--json'], { root });
  await untilOpen(place, (count) => count >= ordersQuoted);
  return { place, config, bot };
}

describe.concurrent('a watchdog', () => {
  test('S1: stops 50 open orders of a bot that is killed, and never those of a bot that is back', async () => {
    const place = await openPlace();
    const { root, home, client } = place;
    const config = writeConfig(place, 'many');
    await client.postorder({
      pair: 'XBTZAR',
      type: 'BID',
      price: '900000',
      volume: '0.001',
      client_order_id: 'b1-otherbot-1-abcdefghijkl',
    });
    const early = millrace(['watchdog', config, '--home', home], { root });
    expect((await early.ended).code, early.text).toBe(4);
    expect(early.text).toMatch(/there is no database .*--home/u);
    const bot = millrace(['run', config, '--home', home, '--json'], { root });
    await untilOpen(place, (count) => count >= ordersQuoted);
    const watchdog = millrace(['watchdog', config, '--home', home], { root });
    await watchdog.sees(/watchdog of .*; process \d+ is running/u);
    const other = writeConfig(place, 'other', (text) =>
      text.replace(namespace, 'another2').replace(/^mode:/mu, 'store: many.sqlite\nmode:'),
    );
    const wrong = millrace(['watchdog', other, '--home', home], { root });
    expect((await wrong.ended).code, wrong.text).toBe(2);
    expect(wrong.text).toMatch(/belongs to namespace/u);
    await bot.kill();
    const killedMs = performance.now();
    await untilOpen(place, (count) => count === 0);
    expect(performance.now() - killedMs).toBeGreaterThan(10_000);
    await watchdog.sees(/no order is open, as two lists in a row show/u);
    expect(await openOrders(place, 'b1-otherbot-')).toHaveLength(1);

    // The next life finds what became of its orders, places new ones, and keeps them. The calls of
    // the account are shared with the watchdog and this test, so that it takes its time.
    const next = millrace(['run', config, '--home', home, '--json'], { root });
    await untilOpen(place, (count) => count >= 5);
    const before = (await openOrders(place)).map(({ order_id: id }) => id);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    const after = (await openOrders(place)).map(({ order_id: id }) => id);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(watchdog.text.match(/is dead: cancelling its orders/gu)).toHaveLength(1);
    next.signal('SIGTERM');
    await next.ended;
    // Ended in order: the lease is taken back, and nobody has to look after anything.
    const { unprovenAtExit } = next.summary();
    expect(existsSync(join(home, 'demo.sqlite.lease'))).toBe(unprovenAtExit > 0);
    watchdog.signal('SIGTERM');
    expect((await watchdog.ended).code).toBe(0);
  }, 180_000);

  test('G1: ends a bot whose strategy never returns, and stops its orders', async () => {
    const { place, config, bot } = await startLooping();
    const { root, home } = place;
    const watchdog = millrace(['watchdog', config, '--home', home, '--grace', '5s'], { root });
    await watchdog.sees(/holds the lock but hangs: killing it/u);
    expect(await bot.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await watchdog.sees(/no order is open, as two lists in a row show/u);
    expect(await openOrders(place)).toEqual([]);
    await eventually(() => !watchdog.hasEnded, 100);
  }, 180_000);
});

test('a bot without one, whose strategy never returns, ends itself after a minute and says so', async () => {
  const { place, bot } = await startLooping();
  expect(await bot.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(bot.stderr).toMatch(/blocked for 60 s: strategy .+ has not returned/u);
  expect(bot.stderr).toMatch(/^npm run --silent millrace -- panic \S+ --home \S+$/mu);
  expect(bot.stderr).toContain(`--home ${place.home}\nit last ran at`);
}, 180_000);
