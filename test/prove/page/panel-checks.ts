/** Each panel of the live page against the bot's status and its database. */
import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import type { Page } from 'playwright-core';
import type { BotStatus } from '../../../src/domain/bot-status.ts';
import { type CheckTools, eventually } from './check-log.ts';
import { exactIn, factOf } from './opened-page.ts';
import type { PageBot } from './page-bot.ts';
import { openTruth, positionOf, type StoreTruth } from './store-truth.ts';

type Shown = (page: Page) => Promise<unknown>;
type Wanted = (status: BotStatus, truth: StoreTruth) => unknown;

/**
 * Figures move while they are compared: the page is right if it shows what was true before or after
 * it was read, within some tries.
 */
async function comparePanel(
  page: Page,
  bot: PageBot,
  truth: StoreTruth,
  [shown, wanted]: readonly [Shown, Wanted],
): Promise<void> {
  await eventually(async () => {
    const before = wanted(await bot.status(), truth);
    const seen = await shown(page);
    const after = wanted(await bot.status(), truth);
    try {
      assert.deepEqual(seen, before);
    } catch {
      assert.deepEqual(seen, after);
    }
  });
}

const fact =
  (panel: string, name: string): Shown =>
  (page) =>
    factOf(page, `[data-panel=${panel}]`, name);
const text =
  (place: string): Shown =>
  (page) =>
    page.locator(place).first().innerText();
const texts =
  (place: string): Shown =>
  (page) =>
    page.locator(place).allInnerTexts();
const numbers =
  (place: string): Shown =>
  async (page) =>
    (await page.locator(place).allInnerTexts()).map((one) => plain(one));

/** A shown figure as decimal text without groups and trailing zeros. */
function plain(shown: string): string {
  return new Decimal(shown.replaceAll(',', '').replace('−', '-').trim()).toFixed();
}

const decimals = (all: readonly string[]): string[] => all.map((one) => new Decimal(one).toFixed());
const market = (status: BotStatus) => status.markets[0];
const strategy = (status: BotStatus) => status.strategies[0];
const newestRun = 'SELECT max(run_id) AS run FROM runs';

const panels: Readonly<Record<string, readonly [Shown, Wanted]>> = {
  'the mode is shown': [text('.top .badge'), ({ mode }) => mode],
  'the state of the bot is shown': [text('[data-panel=state] .card-aside'), ({ state }) => state],
  'the readiness is shown': [
    texts('[data-panel=state] .state-badges .badge:nth-child(-n+2)'),
    ({ isReconciled, areBooksUsable }) => [
      isReconciled ? 'reconciled' : 'not reconciled',
      areBooksUsable ? 'books usable' : 'a book is unusable',
    ],
  ],
  'the best bid is that of the book': [fact('ladder', 'Bid'), (status) => market(status)?.bid],
  'the best ask is that of the book': [fact('ladder', 'Ask'), (status) => market(status)?.ask],
  'the last trade is shown': [
    fact('ladder', 'Last trade'),
    (status) => market(status)?.lastTrade?.price ?? null,
  ],
  'the ladder has every bid of the status': [
    numbers('.ladder-row.is-buy .ladder-price'),
    (status) => decimals(market(status)?.bids.map(({ price }) => price) ?? []),
  ],
  'the ladder has every ask of the status': [
    numbers('.ladder-row.is-sell .ladder-price'),
    (status) => decimals(market(status)?.asks.map(({ price }) => price) ?? []).reverse(),
  ],
  'the ladder has the volume of each price': [
    async (page) =>
      (
        await page
          .locator('.ladder-text')
          .evaluateAll((all) => all.map((one) => one.getAttribute('data-tip')?.split(' ')[0] ?? ''))
      ).map(plain),
    (status) => [
      ...decimals(market(status)?.asks.map(({ volume }) => volume) ?? []).reverse(),
      ...decimals(market(status)?.bids.map(({ volume }) => volume) ?? []),
    ],
  ],
  'the ladder has our orders at their prices': [
    async (page) =>
      (await page.locator('.ladder-row.is-own .ladder-price').allInnerTexts()).map(plain).sort(),
    (status) =>
      [
        ...new Set(
          [...(market(status)?.bids ?? []), ...(market(status)?.asks ?? [])]
            .filter(({ own }) => Number(own) > 0)
            .map(({ price }) => new Decimal(price).toFixed()),
        ),
      ].sort(),
  ],
  'each own order has its place in the queue': [
    async (page) => (await page.locator('.ladder-order').allInnerTexts()).map(placeOf).sort(),
    (status) =>
      (market(status)?.ownOrders ?? [])
        .filter(({ state, aheadVolume }) => state === 'open' && aheadVolume !== null)
        .map(({ aheadVolume }) => (Number(aheadVolume) === 0 ? 'first' : 'ahead'))
        .sort(),
  ],
  'an own order in the ladder is an open order of the store': [
    async (page) =>
      (
        await page
          .locator('.ladder-order')
          .evaluateAll((all) => all.map((one) => one.getAttribute('data-tip') ?? ''))
      )
        .map((tip) => Number(/^Order (\d+)/u.exec(tip)?.[1]))
        .sort((a, b) => a - b),
    (_, truth) =>
      truth
        .rows("SELECT intent_id AS id FROM orders WHERE state = 'open' ORDER BY 1")
        .map(({ id }) => id),
  ],
  'the profit is that of the status': [
    fact('profit', 'Profit'),
    (status) => strategy(status)?.profit,
  ],
  'the spread is a part of the profit': [
    fact('profit', 'Spread'),
    (status) => strategy(status)?.profitParts?.spread,
  ],
  'the inventory is a part of the profit': [
    fact('profit', 'Inventory'),
    (status) => strategy(status)?.profitParts?.inventory,
  ],
  'profit = spread − fees + inventory, as shown': [
    async (page) => {
      const [profit = 0, spread = 0, fees = 0, inventory = 0] = (
        await exactIn(page, '[data-panel=profit] .strategy')
      ).map((one) => one ?? 0);
      return new Decimal(spread).minus(fees).plus(inventory).minus(profit).toFixed();
    },
    () => '0',
  ],
  'the fees are those of the status': [
    fact('profit', 'Fees'),
    (status) => strategy(status)?.profitParts?.fees,
  ],
  'the fees in the counter currency are those of the store': [
    async (page) =>
      new Decimal((await factOf(page, '[data-panel=profit]', 'Fees')) ?? 0).gte(0) &&
      (await factOf(page, '[data-panel=profit]', 'Fees')) !== '0',
    (_, truth) =>
      truth.rows("SELECT 1 FROM fills WHERE fee_counter <> '0' OR fee_base <> '0'").length > 0,
  ],
  'the number of fills is that of the store': [
    fact('profit', 'Fills'),
    (_, truth) => String(truth.rows('SELECT count(*) AS fills FROM fills')[0]?.['fills']),
  ],
  'the position is the exact sum of the fills of the store': [
    async (page) =>
      new Decimal((await exactIn(page, '[data-panel=inventory]'))[0] ?? 'NaN').toFixed(),
    (_, truth) => positionOf(truth),
  ],
  'the inventory stands between its limits': [
    (page) => page.locator('[data-panel=inventory] .balance-bar').count(),
    (status) => status.strategies.length,
  ],
  'every limit is shown with its use': [
    async (page) =>
      (
        await page
          .locator('[data-panel=limits] .use [data-limit]')
          .evaluateAll((all) =>
            all.map((one) => `${one.getAttribute('data-scope')} ${one.getAttribute('data-limit')}`),
          )
      ).sort(),
    ({ limits }) =>
      limits
        .filter(({ share }) => share !== null)
        .map(({ scope, key }) => `${scope} ${key}`)
        .sort(),
  ],
  'the limits on single orders are shown': [
    (page) => page.locator('[data-panel=limits] details [data-limit]').count(),
    ({ limits }) => limits.filter(({ share }) => share === null).length,
  ],
  'the fullest limit stands first': [
    async (page) =>
      page.locator('[data-panel=limits] .use [data-limit]').first().getAttribute('data-limit'),
    ({ limits }) => limits.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))[0]?.key,
  ],
  'the presence is that of the status': [
    async (page) => (await exactIn(page, '[data-panel=presence]')).map(Number),
    (status) => {
      const presence = strategy(status)?.presence;
      return [
        ...[presence?.bothQuoted, presence?.bidQuoted, presence?.askQuoted],
        ...[presence?.bidAtTouch, presence?.askAtTouch],
      ];
    },
  ],
  'the calls left are those of the status': [
    async (page) => Math.floor(Number(await factOf(page, '[data-panel=calls]', 'Calls left'))),
    ({ calls }) => Math.floor(calls.forOrders ?? Number.NaN),
  ],
  ...Object.fromEntries(
    (['p50', 'p95', 'p99'] as const).map((name) => [
      `the latency ${name} is that of the status`,
      [
        async (page: Page) => Number(await factOf(page, '[data-panel=calls]', name)),
        ({ latency }: BotStatus) => latency?.[`${name}Ms`],
      ] as const,
    ]),
  ),
  'the accepted orders are those of the status': [
    fact('calls', 'Accepted'),
    ({ orders }) => String(orders.accepted),
  ],
  'the rejected orders are those of the status': [
    fact('calls', 'Rejected'),
    ({ orders }) => String(orders.rejected),
  ],
  'each refused check is a row': [
    (page) => page.locator('[data-panel=refusals] tbody tr').count(),
    ({ refusals }) => refusals.length,
  ],
  'balances and what is available of them are those of the status': [
    (page) => exactIn(page, '[data-panel=balances]'),
    ({ balances }) => balances.flatMap(({ balance, available }) => [balance, available]),
  ],
  'the page names the run, the process and the settings': [
    async (page) => {
      const footer = await page.locator('footer').innerText();
      return /^Run (\d+) of demo, process (\d+),.*Settings (\w+)/su.exec(footer)?.slice(1);
    },
    ({ pid, configHash }, truth) => [
      String(truth.rows(newestRun)[0]?.['run']),
      String(pid),
      configHash.slice(0, 12),
    ],
  ],
};

function placeOf(shown: string): string {
  return shown.includes('first') ? 'first' : shown.includes('ahead') ? 'ahead' : 'none';
}

export async function checkPanels({ check }: CheckTools, page: Page, bot: PageBot): Promise<void> {
  const truth = openTruth(bot.store);
  try {
    for (const [sentence, panel] of Object.entries(panels))
      await check(sentence, () => comparePanel(page, bot, truth, panel));
  } finally {
    truth.close();
  }
}
