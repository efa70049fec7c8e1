/** The linked charts: zooming and panning by mouse, wheel and keyboard, the read-out, the fills. */
import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { type CheckTools, eventually } from './check-log.ts';
import { drawnPixels } from './in-page.mjs';

const price = '.chart >> nth=0';

/** The shown range in milliseconds, as the page says it. */
async function rangeOf(page: Page): Promise<readonly [number, number]> {
  const shown = await page.locator('.chart-range').innerText();
  const [from = '', to = ''] = shown.replace(' UTC', '').split(' to ');
  return [Date.parse(`${from.replace(' ', 'T')}Z`), Date.parse(`${to.replace(' ', 'T')}Z`)];
}

async function lengthOf(page: Page): Promise<number> {
  const [from, to] = await rangeOf(page);
  return to - from;
}

type Place = { readonly x: number; readonly y: number; readonly width: number };

async function placeOf(page: Page): Promise<Place> {
  const box = await page.locator(`${price} >> .u-over`).boundingBox();
  assert.ok(box !== null);
  return { x: box.x, y: box.y + box.height / 2, width: box.width };
}

async function showAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'All', exact: true }).click();
}

export async function checkCharts({ check }: CheckTools, page: Page): Promise<void> {
  await page.locator(`${price} >> canvas`).scrollIntoViewIfNeeded();
  await showAll(page);
  await check('each chart draws something', async () => {
    const drawn = await page.locator('.chart canvas').evaluateAll(drawnPixels);
    assert.equal(drawn.length, 3);
    assert.ok(
      drawn.every((pixels) => pixels > 500),
      String(drawn),
    );
  });
  await checkZoom({ check }, page);
  await checkKeys({ check }, page);
  await checkReadout({ check }, page);
  await checkCandles({ check }, page);
}

async function checkCandles({ check }: Pick<CheckTools, 'check'>, page: Page): Promise<void> {
  await check(
    'candles load their library when they are asked for, and name its maker',
    async () => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.getByLabel('Candles').check();
      await page.locator('.candles canvas').first().waitFor();
      assert.equal(asked.filter((url) => url.endsWith('/candles.js')).length, 1);
      const link = page.locator('.candles-notice a');
      assert.equal(await link.getAttribute('href'), 'https://www.tradingview.com/');
      await page.getByLabel('Candles').uncheck();
      assert.equal(await page.locator('.candles').count(), 0);
    },
  );
}

async function checkZoom({ check }: Pick<CheckTools, 'check'>, page: Page): Promise<void> {
  await check('the button zooms in, and All shows everything again', async () => {
    const whole = await lengthOf(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const half = await lengthOf(page);
    assert.ok(half < 0.7 * whole, `${half} of ${whole}`);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    assert.ok((await lengthOf(page)) > 1.5 * half);
    await showAll(page);
    assert.ok((await lengthOf(page)) >= whole - 1_000);
  });
  await check('a zoom asks the server for the shown range', async () => {
    const isHistory = (request: Request): boolean => request.url().includes('/history?');
    const asked = page.waitForRequest(isHistory);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const query = new URL((await asked).url()).searchParams;
    const [from] = await rangeOf(page);
    assert.ok(Math.abs(Number(query.get('from')) - from) < 2_000);
    assert.ok(Number(query.get('points')) >= 1_000);
  });
  await check('dragging pans, and the charts stay linked', async () => {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const [before] = await rangeOf(page);
    const { x, y, width } = await placeOf(page);
    await page.mouse.move(x + width / 3, y);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y, { steps: 4 });
    await page.mouse.up();
    const [after] = await rangeOf(page);
    assert.ok(after < before - 500, `${after} is not before ${before}`);
  });
  await check('Shift and drag zoom to the selection', async () => {
    await showAll(page);
    const whole = await lengthOf(page);
    const { x, y, width } = await placeOf(page);
    await page.keyboard.down('Shift');
    await page.mouse.move(x + width / 4, y);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const length = await lengthOf(page);
    assert.ok(length > 0.15 * whole && length < 0.35 * whole, `${length} of ${whole}`);
  });
  await check('a double click shows everything', async () => {
    const { x, y, width } = await placeOf(page);
    const zoomed = await lengthOf(page);
    await page.mouse.dblclick(x + width / 2, y);
    assert.ok((await lengthOf(page)) > 2 * zoomed);
  });
  await check('the wheel scrolls the page, and zooms with Ctrl', async () => {
    const whole = await lengthOf(page);
    // A chart with the focus takes the wheel.
    await page.locator('h1').click();
    const { x, y, width } = await placeOf(page);
    await page.mouse.move(x + width / 2, y);
    await page.mouse.wheel(0, 40);
    assert.ok((await lengthOf(page)) >= whole - 1_000);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await eventually(async () => assert.ok((await lengthOf(page)) < 0.7 * whole));
  });
}

async function checkKeys({ check }: Pick<CheckTools, 'check'>, page: Page): Promise<void> {
  const plot = page.locator(`${price} >> .chart-plot`);
  await showAll(page);
  await plot.focus();
  await check('the keys + and − zoom, 0 shows everything', async () => {
    const whole = await lengthOf(page);
    await page.keyboard.press('+');
    const near = await lengthOf(page);
    assert.ok(near < 0.8 * whole);
    await page.keyboard.press('-');
    assert.ok((await lengthOf(page)) > 1.3 * near);
    await page.keyboard.press('+');
    await page.keyboard.press('0');
    assert.ok((await lengthOf(page)) >= whole - 1_000);
  });
  await check('arrow keys pan', async () => {
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    const [before] = await rangeOf(page);
    await page.keyboard.press('ArrowLeft');
    const [after] = await rangeOf(page);
    assert.ok(after < before);
  });
  await check('Shift and arrow keys move the cursor of every chart', async () => {
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    const times = await page.locator('.chart-time').allInnerTexts();
    assert.equal(times.length, 3);
    assert.equal(new Set(times).size, 1);
  });
  await check('Escape removes the cursor', async () => {
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.chart-time').count(), 0);
  });
  await page.keyboard.press('0');
}

async function checkReadout({ check }: Pick<CheckTools, 'check'>, page: Page): Promise<void> {
  await check('without a cursor the read-out has the newest own quotes', () =>
    eventually(async () => {
      const shown = await page.locator(`${price} >> output`).allInnerTexts();
      assert.equal(shown.length, 4);
      assert.ok(
        shown.slice(2).every((one) => /^[\d,]+$/u.test(one)),
        shown.join(),
      );
    }),
  );
  await check('hovering shows time and values in every chart', async () => {
    const { x, y, width } = await placeOf(page);
    await page.mouse.move(x + width * 0.6, y);
    await eventually(async () => {
      const times = await page.locator('.chart-time').allInnerTexts();
      assert.equal(new Set(times).size, 1);
      assert.match(times[0] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/u);
    });
  });
  let fill: readonly [number, number] | undefined;
  await check('hovering a fill says what it was and what the mid did', async () => {
    fill = await findFill(page);
    const shown = await page.locator(`${price} >> .chart-mark-text`).innerText();
    assert.match(shown, /(?:bought|sold) [\d.,]+ at [\d.,]+ as (?:maker|taker), order \d+, .*mid/u);
  });
  await check('a click on a fill opens the story of its order', async () => {
    assert.ok(fill !== undefined, 'no fill was found');
    const shown = await page.locator(`${price} >> .chart-mark-text`).innerText();
    const id = /order (\d+)/u.exec(shown)?.[1];
    await page.mouse.click(...fill);
    await page.locator(`[data-story="${id}"]`).waitFor({ timeout: 5_000 });
    await page.keyboard.press('Escape');
  });
  await check('fills can be coloured by another time after them', async () => {
    await page.locator('[data-panel=charts] select').last().selectOption('markout1s');
    const again = await findFill(page);
    assert.ok(again !== undefined);
    const shown = await page.locator(`${price} >> .chart-mark-text`).innerText();
    assert.match(shown, /after 1 s|not known/u);
  });
  await page.mouse.move(0, 0);
}

/** Moves the pointer over the chart until the read-out names a fill; returns the place. */
async function findFill(page: Page): Promise<readonly [number, number]> {
  const box = await page.locator(`${price} >> .u-over`).boundingBox();
  assert.ok(box !== null);
  const mark = page.locator(`${price} >> .chart-mark-text`);
  for (let x = box.width - 10; x > 0; x -= 12)
    for (let y = 10; y < box.height; y += 14) {
      await page.mouse.move(box.x + x, box.y + y);
      if ((await mark.count()) > 0) return [box.x + x, box.y + y];
    }
  throw new Error('no fill is in the chart');
}
