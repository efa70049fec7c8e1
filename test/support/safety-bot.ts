/**
 * A bot with many open orders as real processes: an exchange, `run`, and plugins that no user has.
 * The package is copied, so that plugins and venues of the test lie where they belong.
 */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimers } from '../../src/runtime/timers.ts';
import { type Exchange, startExchange } from '../../src/testing.ts';
import type { OrderRecord } from '../../src/venues/luno/api/operations/order-operations.ts';
import { type Client, createClient } from '../../src/venues/luno/client/client.ts';
import { packageRoot } from './package-root.ts';
import { endsWith, newHome } from './process-bot.ts';

export const namespace = 'safety22';
export const ordersQuoted = 50;
const lookEveryMs = 1_500;

/** Quotes many orders far from the market; with `loops` it never returns from its third tick. */
const plugin = (name: string, loops: boolean): string => `/** A plugin of a test. */
import { mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../src/index.ts';

export default defineStrategy({
  name: '${name}',
  parameters: z.strictObject({}),
  pairs: 1,
  run(context) {
    const [market] = context.pairs;
    let count = 0;
    return context.every(1000).pipe(mergeMap(() => {
      const { top, pair } = market;
      if (top?.bid === undefined || top.ask === undefined) return [];
      count++;
      if (${loops} && count > 8) for (;;) {}
      const mid = (top.bid + top.ask) / 2;
      const orders = Array.from({ length: ${ordersQuoted} }, (_, i) => {
        const isBid = i % 2 === 0;
        const price = market.round(mid * (1 + (isBid ? -1 : 1) * (0.02 + i * 0.0001)), 'down');
        const side = isBid ? 'BID' : 'ASK';
        const volume = market.lots('0.001');
        return { side, price, volume, postOnly: true, level: 'l' + i };
      });
      const toleranceTicks = Math.round(mid * 0.01);
      return of({ kind: 'quote', pair, orders, toleranceTicks, reason: 'many' });
    }));
  },
});
`;

export type SafetyPlace = {
  /** The copy of the package. */
  readonly root: string;
  /** Of the exchange and of a first bot. */
  readonly home: string;
  readonly exchange: Exchange;
  readonly client: Client;
};

/** Copies what a bot runs on to a new folder. */
export function copyPackage(root: string): void {
  mkdirSync(root);
  for (const name of ['src', 'strategies', 'config', 'package.json'])
    cpSync(join(packageRoot, name), join(root, name), { recursive: true });
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
}

/** Copies the package and starts an exchange. */
export async function openPlace(): Promise<SafetyPlace> {
  const home = newHome();
  const root = join(home, 'package');
  copyPackage(root);
  for (const [name, loops] of [
    ['many', false],
    ['loops', true],
  ] as const) {
    mkdirSync(join(root, 'strategies', name));
    writeFileSync(join(root, 'strategies', name, 'strategy.ts'), plugin(name, loops));
  }
  const exchange = await startExchange({ home, child: true });
  endsWith(exchange.stop);
  const { baseUrl, streamUrl } = exchange;
  writeFileSync(
    join(root, 'config', 'venues', 'simulator.yaml'),
    `version: 1\nbaseUrl: ${baseUrl}\nstreamUrl: ${streamUrl}\n`,
  );
  const { id: keyId, secret: keySecret } = exchange.keys.bot;
  const client = createClient({
    baseUrl,
    credentials: { keyId, keySecret },
    timers: createTimers(),
  });
  return { root, home, exchange, client };
}

/** Writes the configuration of a bot; returns its path. */
export function writeConfig(
  { root }: Pick<SafetyPlace, 'root'>,
  name: string,
  change: (text: string) => string = (text) => text,
): string {
  const text = readFileSync(join(packageRoot, 'config', 'demo.yaml'), 'utf8')
    .replace('bot: demo ', `bot: ${name}\nnamespace: ${namespace} `)
    .replace(/^egress: .*\n/mu, '')
    .replace('plugin: simple-mm ', 'plugin: many ')
    .replace(/parameters:\n(?: {6}.*\n)+/u, 'parameters: {}\n')
    .replace('collar: "2%" ', 'collar: "9%" ')
    .replace('ordersOpenMax: 20', 'ordersOpenMax: 100')
    .replaceAll(/ordersPer(Second|Minute)Max: \d+/gu, 'ordersPer$1Max: 1000')
    .replace('collarBudgetMax: { ZAR: "20000" }', 'collarBudgetMax: { ZAR: "1000000" }')
    .replace('refusals: { max: 300,', 'refusals: { max: 100000,');
  const path = join(root, 'config', `${name}.yaml`);
  writeFileSync(path, change(text));
  return path;
}

/** The open orders at the exchange whose id begins with `prefix`. */
export async function openOrders(
  { client }: Pick<SafetyPlace, 'client'>,
  prefix = `b1-${namespace}-`,
): Promise<readonly OrderRecord[]> {
  for (;;) {
    const reply = await client.request('listOrdersV2', { limit: 1000 });
    if (reply.kind === 'ok') {
      const { orders } = reply.body;
      return orders.filter((order) => order.client_order_id.startsWith(prefix));
    }
    // Bot, watchdog and test share the calls of one account.
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Resolves when that many are open; rejects after `withinMs`. */
export async function untilOpen(
  place: Pick<SafetyPlace, 'client'>,
  isEnough: (count: number) => boolean,
  withinMs = 60_000,
): Promise<void> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const { length } = await openOrders(place);
    if (isEnough(length)) return;
    if (performance.now() > untilMs) throw new Error(`${length} orders are open`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
