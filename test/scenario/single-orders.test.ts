/**
 * Market orders and orders with a stop or an expiry in whole runs: backtests, and a bot at the
 * simulated exchange.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import type { OrderRow } from '../../src/domain/records.ts';
import { Output } from '../../src/terminal/output.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';
import { endAll, millrace } from '../support/process-bot.ts';
import { openPlace, writeConfig } from '../support/safety-bot.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-stops-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterAll(endAll);

const allow =
  'allow: { sides: [BID, ASK], types: [limit, stop-limit], timeInForce: [GTC], postOnly: allowed }';

/** Places one stop order after ten seconds, `away` ticks above the best ask. */
async function backtest(name: string, away: number, allowed = allow) {
  const run = `let count = 0;
    const place = () => {
      if (count++ > 0 || market.top?.ask === undefined) return [];
      const stop = { price: market.top.ask + ${away} };
      const terms = { side: 'BID', price: stop.price + 1000, volume: 10000, stop };
      return [{ kind: 'place', pair, key: 'in', terms, reason: 'rises' }];
    };
    const seen = market.order$.pipe(rx.tap((order) =>
      context.log('order', { state: order.state, awaiting: order.awaiting })), rx.ignoreElements());
    const told = market.refusal$.pipe(rx.tap(({ codes, limit }) =>
      context.log('refused', { codes: codes.join(), limit })), rx.ignoreElements());
    return rx.merge(context.every(10_000).pipe(rx.mergeMap(place)), seen, told);`;
  return play(name, run, allowed);
}

/** Plays the first minute with a plugin whose run has that body. */
async function play(name: string, run: string, allowed = allow) {
  const strategies = writePlugin(folder, name, run);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runBacktestCommand({
    scenario: writeFirst(join(folder, `of-${name}`), [
      ...minuteOf(name),
      [/allow: .*$/mu, allowed],
    ]),
    graceMs: 60_000,
    workspace: { ...workspace, strategies },
    output: new Output({ workspace, isJson: true, stdout, stderr }),
  });
  const value = JSON.parse(printed(stdout));
  const results = JSON.parse(readFileSync(value.results, 'utf8'));
  const orders: readonly OrderRow[] = results.orderRows;
  return { code, value, orders, lines: value.printed.lines.join('\n'), told: printed(stderr) };
}

test('in a backtest it waits, is triggered and trades, the same each time', async () => {
  const { code, value, orders, lines } = await backtest('rises', 1);
  expect(code).toBe(0);
  expect(orders).toMatchObject([{ state: 'filled', stopDirection: 'ABOVE' }]);
  expect(lines).toMatch(
    /order state=open awaiting=true\n(?:.*\n)*.*order state=open awaiting=false/u,
  );
  expect(value.fills).toBeGreaterThan(0);
  expect((await backtest('rises', 1)).value.hash).toBe(value.hash);
});

test('one that is never reached waits until the end', async () => {
  const { orders, value } = await backtest('never', 1_000_000);
  expect(orders.map(({ state }) => state)).not.toContain('filled');
  expect(value.fills).toBe(0);
});

test('on the wrong side, or without its line in allow, it is refused and says so', async () => {
  const wrong = await backtest('wrong', -50_000);
  expect(wrong.orders).toEqual([]);
  expect(wrong.lines).toMatch(/refused codes=STOP_PRICE limit="above the last trade at \d/u);
  const plain = allow.replace('[limit, stop-limit]', '[limit]');
  const forbidden = await backtest('forbidden', 1, plain);
  expect(forbidden.lines).toContain('refused codes=NOT_PERMITTED');
  expect(forbidden.told).toContain(
    'type stop-limit is not allowed: strategies.mm-xbt.allow.types is limit; to allow it, set it to [limit, stop-limit]',
  );
});

test('an order is cancelled when it expires, at the same time in each run', async () => {
  const run = `let count = 0;
    return context.every(10_000).pipe(rx.mergeMap(() => {
      if (market.top?.bid === undefined || count++ > 0) return [];
      const terms = { side: 'BID', price: market.top.bid - 10000, volume: 10000, postOnly: true };
      const expiresMs = context.nowMs() + 7_500;
      return [{ kind: 'place', pair, key: 'a', terms, expiresMs, reason: 'for a while' },
        { kind: 'place', pair, key: 'b', terms, expiresMs: context.nowMs(), reason: 'too late' }];
    }));`;
  const { orders, told, value } = await play('expires', run);
  const { state, createdMs, expiresMs = 0, cancelRequestedMs } = orders[0] ?? {};
  expect([orders.length, state, expiresMs - (createdMs ?? 0)]).toEqual([1, 'cancelled', 7_500]);
  expect(cancelRequestedMs).toBe(expiresMs);
  expect(told).toMatch(/EXPIRED: the order expires at 2026-11-20T12:00:\S+Z, but it is 2026/u);
  expect((await play('expires', run)).value.hash).toBe(value.hash);
});

test('a backtest trades market orders, and reads what they did', async () => {
  const run = `let count = 0;
    const terms = () => count % 2 === 0
      ? { type: 'market', side: 'BID', spend: market.valueOf(market.top.ask, 10000) }
      : { type: 'market', side: 'ASK', volume: 10000 };
    const seen = market.order$.pipe(rx.tap(({ state, terms, booked }) => context.log('order',
      { state, pays: terms.pays, spent: booked?.value.toFixed() ?? '-' })), rx.ignoreElements());
    const told = market.refusal$.pipe(rx.tap(({ codes }) =>
      context.log('refused', { codes: codes.join() })), rx.ignoreElements());
    return rx.merge(seen, told, context.every(10_000).pipe(rx.mergeMap(() => {
      if (market.top?.ask === undefined || count > 3) return [];
      const [key, asked] = ['k' + count, terms()];
      count++;
      return [{ kind: 'place', pair, key, terms: asked, reason: 'now' }];
    })));`;
  const allowed =
    'allow: { sides: [BID, ASK], types: [market], timeInForce: [IOC], postOnly: never }';
  const { code, orders, lines, told, value } = await play('market', run, allowed);
  expect(code, told).toBe(0);
  expect(orders.map(({ side, state }) => `${side} ${state}`)).toEqual([
    ...['BID filled', 'ASK filled', 'BID filled', 'ASK filled'],
  ]);
  const [bought] = orders;
  const left = Number(bought?.pays) - Number(bought?.counter);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left).toBeLessThan(1);
  expect(lines).toMatch(/order state=filled pays=\d[\d.]* spent=\d/u);
  expect((await play('market', run, allowed)).value.hash).toBe(value.hash);
  const forbidden = await play('market', run, allow);
  expect(forbidden.lines).toContain('refused codes=NOT_PERMITTED');
});

/** Buys and sells at market, in turn, and is done after six orders. */
const atMarket = `/** A plugin of a test. */
import { map, merge, mergeMap, of, take, toArray } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';

export default defineStrategy({
  name: 'takes',
  parameters: z.strictObject({}),
  pairs: 1,
  run(context) {
    const [market] = context.pairs;
    let count = 0;
    const place = () => {
      const { top, pair } = market;
      if (top?.ask === undefined || market.orders.length > 0) return [];
      const volume = market.lots('0.001');
      const terms = count % 2 === 0
        ? { type: 'market', side: 'BID', spend: market.valueOf(top.ask, volume) }
        : { type: 'market', side: 'ASK', volume: market.lots('0.0009') };
      return of({ kind: 'place', pair, key: \`k\${count++}\`, terms, reason: 'now' });
    };
    const done = market.order$.pipe(
      mergeMap(({ state }) => (state === 'filled' ? [state] : [])),
      take(6), toArray(), map(() => ({ kind: 'done', reason: 'all traded' })),
    );
    return merge(context.every(500).pipe(mergeMap(place)), done);
  },
});
`;

test('at the simulated exchange they trade; why tells what they paid, and the journal replays', async () => {
  const opened = await openPlace();
  const { root, home } = opened;
  mkdirSync(join(root, 'strategies', 'takes'));
  writeFileSync(join(root, 'strategies', 'takes', 'strategy.ts'), atMarket);
  const line = 'allow: { sides: [BID, ASK], types: [market], timeInForce: [IOC], postOnly: never }';
  const config = writeConfig(opened, 'takes', (given) =>
    given.replace('plugin: many', 'plugin: takes').replace(/allow: .*$/mu, line),
  );
  const bot = millrace(['run', config, '--home', home, '--json'], { root });
  expect((await bot.ended).code, bot.text).toBe(0);
  expect(bot.summary()).toMatchObject({ differences: 0, failedStrategies: [], incidents: 0 });
  const seen = /BID for [\d.]+ ZAR at market is filled \(order (?<id>\d+)\)/u.exec(bot.text);
  const id = seen?.groups?.['id'] ?? '';
  const why = millrace(['why', config, id, '--home', home], { root });
  expect((await why.ended).code, why.text).toBe(0);
  expect(why.text).toMatch(/BID XBTZAR at market, spends \d/u);
  const replay = millrace(['replay', '--all', '--json', '--home', home], { root });
  expect((await replay.ended).code, replay.text).toBe(0);
  expect(JSON.parse(replay.stdout)).toMatchObject({ journals: 1, different: 0 });
  const reconcile = millrace(['reconcile', config, '--home', home], { root });
  expect((await reconcile.ended).code, reconcile.text).toBe(0);
}, 180_000);

/** Places a stop order near the market, and is done when it has traded. */
const source = `/** A plugin of a test. */
import { filter, map, merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';

export default defineStrategy({
  name: 'stops',
  parameters: z.strictObject({}),
  pairs: 1,
  run(context) {
    const [market] = context.pairs;
    let tries = 0;
    const place = () => {
      const { top, pair } = market;
      if (top?.ask === undefined || market.orders.length > 0) return [];
      const stop = { price: market.round(top.ask * 1.0002, 'up') };
      const price = market.round(stop.price * 1.005, 'up');
      const terms = { side: 'BID', price, volume: market.lots('0.001'), stop };
      return of({ kind: 'place', pair, key: \`in\${++tries}\`, terms, reason: 'rises' });
    };
    const done = market.order$.pipe(
      filter(({ state }) => state === 'filled'),
      map(({ key }) => ({ kind: 'done', reason: key + ' is filled' })),
    );
    return merge(context.every(500).pipe(mergeMap(place)), done);
  },
});
`;

test('at the simulated exchange it is triggered by others; why tells it, and the journal replays', async () => {
  const opened = await openPlace();
  const { root, home } = opened;
  mkdirSync(join(root, 'strategies', 'stops'));
  writeFileSync(join(root, 'strategies', 'stops', 'strategy.ts'), source);
  const config = writeConfig(opened, 'stops', (given) =>
    given.replace('plugin: many', 'plugin: stops').replace(/allow: .*$/mu, allow),
  );
  const bot = millrace(['run', config, '--home', home, '--json'], { root });
  expect((await bot.ended).code, bot.text).toBe(0);
  expect(bot.summary()).toMatchObject({ differences: 0, failedStrategies: [], incidents: 0 });
  const seen = /BID 0\.001 XBT at \d+(?:\.\d+)? ZAR is triggered \(order (?<id>\d+)\)/u.exec(
    bot.text,
  );
  const id = seen?.groups?.['id'] ?? '';
  const why = millrace(['why', config, id, '--home', home], { root });
  expect((await why.ended).code, why.text).toBe(0);
  expect(why.text).toMatch(/waits for the last trade at or above \d/u);
  expect(why.text).toMatch(/state {4}\w+: triggered: /u);
  const replay = millrace(['replay', '--all', '--json', '--home', home], { root });
  expect((await replay.ended).code, replay.text).toBe(0);
  expect(JSON.parse(replay.stdout)).toMatchObject({ journals: 1, different: 0 });
  const reconcile = millrace(['reconcile', config, '--home', home], { root });
  expect((await reconcile.ended).code, reconcile.text).toBe(0);
}, 180_000);
