/**
 * What a strategy says in a backtest: lines, metrics and plots, in results and page but not in the
 * hash; and tags of its orders, with figures for each.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { TagResult } from '../../src/backtest/metrics/run-tags.ts';
import type { BacktestPageData } from '../../src/backtest/report/page-data.ts';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { Decimal } from '../../src/domain/money.ts';
import type { OrderRow } from '../../src/domain/records.ts';
import { Output } from '../../src/terminal/output.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-outputs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const farBid = `[
  { level: 'bid', side: 'BID', price: 990000 - count * 10, volume: 10000, postOnly: true },
]`;

/** Quotes every ten seconds; `say` is a statement at each of them. */
async function backtest(name: string, say: string, orders = farBid) {
  const run = `return context.every(10_000).pipe(rx.map((count) => { ${say}; return {
    kind: 'quote', pair, reason: 'planted', orders: ${orders} }; }));`;
  const strategies = writePlugin(folder, name, run);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runBacktestCommand({
    scenario: writeFirst(join(folder, `of-${name}`), minuteOf(name)),
    graceMs: 60_000,
    workspace: { ...workspace, strategies },
    output: new Output({ workspace, isJson: true, stdout, stderr }),
  });
  const value = JSON.parse(printed(stdout));
  const page = pageContentIn(value.report) as BacktestPageData;
  return { code, value, page, told: printed(stderr) };
}

test('they are shown and kept, and change neither orders nor hash', async () => {
  const loud = await backtest(
    'loud',
    `context.log('</script><script>alert(1)', { count, text: 'a b' });
     context.metric('count', count);
     context.metric('</script>', count);
     market.plot('fair', 990000.5 + count);
     market.plot('odd', count % 2, { pane: 'Odd (%)' })`,
  );
  const quiet = await backtest('quiet', '');
  expect([loud.code, loud.value.ambient, loud.value.partial]).toEqual([0, [], undefined]);
  expect(loud.value.hash).toBe(quiet.value.hash);
  expect(quiet.value.series).toEqual([]);

  const [line, refused] = loud.value.printed.lines;
  expect(line).toMatch(/Z mm-xbt: <\/script><script>alert\(1\) count=0 text="a b"$/u);
  expect(refused).toContain('mm-xbt: context.metric: name must be 1 to 40 letters');
  expect(loud.told).toMatch(/^2026-\S+ {3}log {7}mm-xbt: <\/script>/mu);
  expect(loud.told).toMatch(/^2026-\S+ ! log {7}mm-xbt: context\.metric: name/mu);
  expect(loud.page.printed).toEqual(loud.value.printed);

  const [metric, fair, odd] = loud.value.series;
  const { count } = metric;
  expect(count).toBeGreaterThan(3);
  expect(metric).toMatchObject({
    ...{ strategyId: 'mm-xbt', kind: 'metric', name: 'count', pair: null, leftOut: 0 },
    ...{ last: count - 1, min: 0, max: count - 1 },
  });
  expect(metric.values).toEqual(Array.from({ length: count }, (_, at) => at));
  expect(metric.timesMs[1] - metric.timesMs[0]).toBe(10_000);
  expect(fair).toMatchObject({ kind: 'plot', name: 'fair', pair: 'XBTZAR', pane: null });
  expect(fair.last).toBe(990_000.5 + count - 1);
  expect(odd.pane).toBe('Odd (%)');

  const { panes } = loud.page.markets[0]?.chart ?? { panes: [] };
  const own = panes[0]?.series.find(({ name }) => name === 'fair');
  expect(own?.values.at(-1)).toBe(String(fair.last));
  expect(own?.values[0]).toBeNull();
  expect(panes[1]).toMatchObject({ title: 'Odd (%) (plot)', series: [{ name: 'odd' }] });
  const table = loud.page.tables.find(({ title }) => title === "Strategies' metrics");
  expect(table?.rows[0]?.name).toBe('mm-xbt count');
  expect(quiet.page.markets[0]?.chart.panes.map(({ title }) => title)).toEqual(
    panes.map(({ title }) => title).filter((title) => title !== 'Odd (%) (plot)'),
  );
}, 60_000);

test('orders have the figures of their tag, which add up to those of the pair', async () => {
  const touch = (bid: string, ask: string) => `[
    { level: 'bid', side: 'BID', price: market.top.bid, volume: 10000, postOnly: true ${bid} },
    { level: 'ask', side: 'ASK', price: market.top.ask, volume: 10000, postOnly: true ${ask} },
  ]`;
  const tagged = await backtest('tagged', '', touch(`, tag: 'low'`, ''));
  const plain = await backtest('plain', '', touch('', ''));
  expect(plain.value.tags).toEqual([]);
  expect(plain.value.fills).toBeGreaterThan(0);
  for (const name of ['orders', 'fills', 'profit', 'position', 'cash', 'volume'])
    expect([name, tagged.value[name]]).toEqual([name, plain.value[name]]);
  const { tags, fills, orders, profit, volume, turnover, fees, makerFills } = tagged.value;
  expect(tags.map(({ tag, pair }: TagResult) => [tag, pair])).toEqual([
    ['low', 'XBTZAR'],
    [null, 'XBTZAR'],
  ]);
  const sum = (pick: (one: TagResult) => string | number | null): string =>
    tags
      .reduce((total: Decimal, one: TagResult) => total.plus(pick(one) ?? 'NaN'), new Decimal(0))
      .toFixed();
  expect([sum((one) => one.orders), sum((one) => one.fills)]).toEqual([`${orders}`, `${fills}`]);
  expect(sum((one) => one.makerFills)).toBe(`${makerFills}`);
  const exact = (text: string): string => new Decimal(text).toFixed();
  expect(sum((one) => one.profit)).toBe(exact(profit));
  expect(sum((one) => one.volume)).toBe(exact(volume));
  expect(sum((one) => one.turnover)).toBe(exact(turnover));
  expect(sum((one) => one.fees.base)).toBe(exact(fees.base));
  expect(sum((one) => one.fees.counter)).toBe(exact(fees.counter));

  const results = JSON.parse(readFileSync(tagged.value.results, 'utf8'));
  const byTag = (tag: string | undefined, side: string) =>
    results.orderRows.filter((one: OrderRow) => one.tag === tag && one.side === side).length;
  expect([byTag('low', 'BID'), byTag(undefined, 'ASK')]).toEqual([tags[0].orders, tags[1].orders]);
  expect(byTag('low', 'ASK')).toBe(0);
  const table = tagged.page.tables.find(({ title }) => title === 'By tag of the order');
  expect(table?.rows.map(({ name }) => name)).toEqual(['low', '(no tag)']);
}, 60_000);
