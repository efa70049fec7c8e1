/** The page of a backtest: its figures against the JSON result, charts, themes, texts and size. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pageContentIn } from '../../support/page-content.ts';
import { type CheckTools, eventually } from './check-log.ts';
import { backgroundColour, contrasts, drawnPixels, overflow } from './in-page.mjs';
import {
  changedFrom,
  type FigurePlace,
  findMark,
  openResult,
  rangeText,
  sameFigure,
} from './opened-result.ts';
import {
  extremes,
  type ResultFolder,
  type ToldResult,
  writeChanged,
  writeManyFills,
} from './result-files.ts';
import { chartPictures, foreignElements, usableMs, zoomMs } from './result-in-page.mjs';

const narrow = { width: 420, height: 800 };
const contrastMin = 4.5;
const bytesMax = 5_000_000;
const usableMsMax = 1_000;
const manyFills = 100_000;
const markouts = 'Markouts: move of the mid in our favour after a fill';
const places = 'Fills by place in the queue: volume ahead when placed, in own volumes';

export async function checkResult(tools: CheckTools, { near }: ResultFolder): Promise<void> {
  const { check, picture } = tools;
  const opened = await openResult(tools, near.page);
  const { page } = opened;
  await picture(page, 'backtest');
  await checkFigures(check, page, near.told);
  await checkCharts(check, page, near.told);
  await check('the page of a backtest loads nothing and complains about nothing', () => {
    assert.deepEqual([opened.requests, opened.complaints], [[], []]);
  });
  await opened.close();
  await checkLooks(tools, near.page);
}

async function checkFigures(
  check: CheckTools['check'],
  page: Page,
  { metrics, limits, hash, fills, orders }: ToldResult,
): Promise<void> {
  const { trader, returns, position, holding, maker, days } = metrics;
  const same = (
    sentence: string,
    figures: readonly (readonly [FigurePlace, string | number | null | undefined])[],
  ): Promise<void> =>
    check(`${sentence} of a backtest are those of its JSON`, async () => {
      for (const [place, told] of figures) await sameFigure(page, place, told);
    });
  await same('profit, turnover, fees, drawdown and round trips', [
    [['Trader', 'Profit'], trader['profit']],
    [['Trader', 'Turnover'], trader['turnover']],
    [['Trader', 'Fees per turnover'], trader['feesBps']],
    [['Trader', 'Worst drawdown'], trader['drawdownMax']],
    [['Trader', 'Round trips'], trader['roundTrips']],
    [['Trader', 'Profit factor'], trader['profitFactor']],
  ]);
  const instead = 'Returns, and holding instead';
  await same('returns and holding', [
    [[instead, 'Value of the account at the start'], returns['startValue']],
    [[instead, 'Profit per year, share of start value'], returns['profitSharePerYear']],
    [[instead, 'Change of the mid'], holding['priceChange']],
    [[instead, 'Gain of the start balance, held'], holding['startBaseGain']],
    [[instead, 'Gain of the account'], holding['accountGain']],
  ]);
  await same('time and value of the position', [
    [['Position in time and value', 'Time with a long position'], position['longShare']],
    [['Position in time and value', 'Mean size'], position['valueMean']],
    [['Position in time and value', 'Largest short position'], position['shortValueMax']],
  ]);
  await same('markouts, also by side,', [
    ...maker.markouts.flatMap((markout, index) => {
      const row = ['10 ms', '100 ms', '1 s', '10 s', '60 s', '5 min'][index] ?? '';
      return [
        [[markouts, row, 0], markout['bps']],
        [[markouts, row, 1], markout.bid['bps']],
        [[markouts, row, 2], markout.ask['bps']],
        [[markouts, row, 4], markout['fills']],
      ] as const;
    }),
  ]);
  await same('fills by place in the queue', [
    [[places, 'none ahead', 0], maker.queuePlaces[0]?.['orders']],
    [[places, 'none ahead', 1], maker.queuePlaces[0]?.['fillRatio']],
    [[places, 'up to 3', 2], maker.queuePlaces[2]?.['volumeRatio']],
  ]);
  await same(
    'days',
    days.flatMap((day) => [
      [['Days (UTC)', String(day['day']), 0], day['profit']],
      [['Days (UTC)', String(day['day']), 2], day['turnover']],
    ]),
  );
  await same(
    'uses of limits',
    limits
      .filter(({ key }) => !String(key).startsWith('limits.eachStrategy'))
      .map((limit) => [['Highest use of each limit', String(limit['key']), 0], limit['used']]),
  );
  await check('the page of a backtest has cautions, hash, counts and settings', async () => {
    const text = await page.locator('main').innerText();
    for (const caution of metrics.cautions) assert.ok(text.includes(caution), caution);
    assert.ok(text.includes(hash.slice(0, 16)));
    await page.locator('summary', { hasText: 'Settings' }).click();
    assert.match(await page.locator('details[open] pre').innerText(), /"halfSpread": "20bps"/u);
    await page.locator('summary', { hasText: 'Settings' }).click();
  });
  await check('its marks are all fills and orders of the JSON', () => {
    const [market] = pageContentIn(readPath(page)).markets;
    assert.deepEqual([market?.marks.fills.atMs.length, market?.marks.orders.all], [fills, orders]);
  });
  await check('a figure of a backtest is rounded, and exact on hover', async () => {
    const figure = page.locator('[aria-label=Trader] [data-exact]').first();
    const exact = (await figure.getAttribute('data-exact')) ?? '';
    assert.ok((await figure.innerText()).replaceAll(/[^\d]/gu, '').length < exact.length);
    await eventually(async () => {
      await page.mouse.move(0, 0);
      await figure.hover();
      const shown = await page.locator('.tip.is-shown').innerText({ timeout: 1_000 });
      assert.ok(shown.replaceAll(',', '').startsWith(exact), `${shown} of ${exact}`);
    });
  });
}

function readPath(page: Page): string {
  return decodeURIComponent(new URL(page.url()).pathname);
}

async function checkCharts(
  check: CheckTools['check'],
  page: Page,
  { results }: ToldResult,
): Promise<void> {
  await check('each chart of a backtest draws something', async () => {
    const drawn = await page.locator('.chart canvas').evaluateAll(drawnPixels);
    assert.equal(drawn.length, 4);
    assert.ok(
      drawn.every((pixels) => pixels > 500),
      String(drawn),
    );
  });
  await check('the charts of a backtest zoom together', async () => {
    const before = await page.evaluate(chartPictures);
    const range = await rangeText(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await eventually(async () => {
      const after = await page.evaluate(chartPictures);
      assert.ok(after.every((picture, index) => picture !== before[index]));
    });
    assert.notEqual(await rangeText(page), range);
    assert.match(range, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d to \d{4}-/u);
  });
  const price = '[data-market] .chart:first-child';
  await check('hovering a fill says its terms, its order and the reason', async () => {
    for (let zoom = 0; zoom < 3; zoom++)
      await page.getByRole('button', { name: 'Zoom in' }).click();
    const text = await findMark(page, price, /(?:bought|sold)/u);
    const found =
      /(\S+) XBT at (\S+) ZAR as (maker|taker), fee \S+ \S+; order (\d+) of (\S+): (.+)$/u.exec(
        text,
      );
    assert.ok(found !== null, text);
    const { orderRows, fillRows } = JSON.parse(readFileSync(results, 'utf8')) as {
      readonly orderRows: readonly { readonly intentId: number; readonly reason: string }[];
      readonly fillRows: readonly { readonly intentId: number; readonly price: string }[];
    };
    const [, , shownPrice, , id, , reason] = found;
    const order = orderRows.find(({ intentId }) => String(intentId) === id);
    assert.equal(order?.reason, reason);
    const fill = fillRows.find((row) => String(row.intentId) === id && row.price === shownPrice);
    assert.ok(fill !== undefined, `no fill of order ${id} at ${shownPrice}`);
  });
  await check('hovering an order over the book says its terms and how it ended', async () => {
    const text = await findMark(page, price, /: order \d+ of \S+: (?:bid|ask) for/u);
    assert.match(text, /(?:bid|ask) for \S+ XBT at \S+ ZAR, (?:filled|cancelled|rejected): ./u);
  });
  await check('the range of the charts and the scroll position outlive a reload', async () => {
    const range = await rangeText(page);
    await page.mouse.move(0, 0);
    await page.evaluate('scrollTo(0, 700)');
    await page.waitForTimeout(300);
    await page.reload();
    await page.locator('.result .chart canvas').first().waitFor();
    await eventually(async () => {
      assert.equal(await rangeText(page), range);
      assert.equal(await page.evaluate('scrollY'), 700);
    });
    await page.getByRole('button', { name: 'All', exact: true }).click();
  });
}

async function checkLooks(tools: CheckTools, path: string): Promise<void> {
  const { check, picture } = tools;
  const shades: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    const opened = await openResult(tools, path, { colorScheme, viewport: narrow });
    const { page } = opened;
    await page.waitForTimeout(500);
    shades.push(await page.evaluate(backgroundColour));
    await picture(page, `backtest-${colorScheme}-narrow`);
    await check(`texts of a backtest are readable in the ${colorScheme} theme`, async () => {
      const poor = (await page.evaluate(contrasts)).filter(({ ratio }) => ratio < contrastMin);
      assert.deepEqual(poor, []);
    });
    await check(`at 420 px the ${colorScheme} page of a backtest fits the screen`, async () =>
      assert.equal(await page.evaluate(overflow), 0),
    );
    await opened.close();
  }
  await check('the theme of a backtest is that of the system', () =>
    assert.notEqual(shades[0], shades[1]),
  );
}

/** Texts that would become elements or scripts if one of them was not escaped. */
const hostile = '</script><!--<script>alert(1)</script><img src=x onerror="alert(2)">\u2028';

export async function checkTexts(tools: CheckTools, { near, folder }: ResultFolder): Promise<void> {
  const { check } = tools;
  const path = writeChanged(join(folder, 'hostile.html'), near, (data) => ({
    ...data,
    ...{ scenario: hostile, settings: hostile, cautions: [hostile], notes: [hostile] },
    printed: { lines: [hostile], leftOut: 0 },
    tables: [...data.tables, { title: hostile, columns: [hostile], rows: [] }],
    markets: data.markets.map((market) => ({
      ...market,
      ...{ pair: hostile, base: hostile, cautions: [hostile] },
      marks: { ...market.marks, texts: market.marks.texts.map(() => hostile) },
    })),
  }));
  const opened = await openResult(tools, path);
  const { page } = opened;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await check('script text in names and reasons stays text in a backtest', async () => {
    const text = await page.locator('main').innerText();
    assert.ok(text.includes('<img src=x onerror="alert(2)">'));
    const shown = await findMark(page, '[data-market] .chart:first-child', /onerror/u);
    assert.ok(shown.includes('</script>'));
    assert.deepEqual(
      [await page.evaluate(foreignElements), dialogs, opened.requests],
      [[], [], []],
    );
  });
  await opened.close();
}

export async function checkManyFills(
  tools: CheckTools,
  { near, folder }: ResultFolder,
): Promise<void> {
  const { check, picture } = tools;
  const path = writeManyFills(join(folder, 'many.html'), near, manyFills);
  await check(`a page of ${manyFills} fills is smaller than ${bytesMax} bytes`, () => {
    const { size } = statSync(path);
    assert.ok(size < bytesMax, String(size));
  });
  const opened = await openResult(tools, path);
  const { page } = opened;
  await check(`a page of ${manyFills} fills is usable within ${usableMsMax} ms`, async () => {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      await page.reload();
      times.push(await page.evaluate(usableMs));
      times.push(await page.evaluate(zoomMs));
      await page.getByRole('button', { name: 'All', exact: true }).click();
    }
    const [usable, zoomed] = [0, 1].map((part) =>
      Math.min(...times.filter((_, index) => index % 2 === part)),
    ) as [number, number];
    assert.ok(usable < usableMsMax && zoomed < usableMsMax / 4, `${usable} ms, zoom ${zoomed} ms`);
  });
  await picture(page, 'backtest-many-fills');
  await check('it says how many fills, orders and refusals it leaves out', async () => {
    const { fills, orders } = pageContentIn(path).markets[0]?.marks ?? {};
    const text = await page.locator('[data-market]').innerText();
    assert.ok(text.includes(`${fills?.atMs.length} of ${manyFills} fills`));
    assert.ok(text.includes(`${orders?.fromMs.length} of ${manyFills / 4} orders`));
    assert.ok((fills?.atMs.length ?? 0) < manyFills / 5);
  });
  await check('it keeps the fills at the lowest and the highest price', () => {
    const prices = pageContentIn(path).markets[0]?.marks.fills.price ?? [];
    assert.ok(prices.includes(extremes.low) && prices.includes(extremes.high));
  });
  await check('hovering a refusal says which check refused, with its values', async () => {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const text = await findMark(page, '[data-market] .chart:first-child', /refused/u);
    assert.match(text, /refused for mm-xbt: POSITION: 0\.21, limit 0\.2 XBT$/u);
  });
  await changedFrom('', () => rangeText(page));
  await opened.close();
}
