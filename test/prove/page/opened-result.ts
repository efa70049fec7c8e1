/** A page of a result in the browser: its figures, its charts and what it loads. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type CheckTools, eventually } from './check-log.ts';
import { type OpenedPage, openPage } from './opened-page.ts';
import { figureAt } from './result-in-page.mjs';

export type OpenedResult = OpenedPage & {
  /** Everything that the page asked for, besides itself. */
  readonly requests: readonly string[];
};

export async function openResult(
  { browser, plant }: Pick<CheckTools, 'browser' | 'plant'>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedResult> {
  const address = pathToFileURL(path).href;
  const opened = await openPage(browser, 'about:blank', { ...options, plant });
  const requests: string[] = [];
  opened.page.on('request', (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith('data:')) requests.push(url);
  });
  await opened.page.goto(address);
  await opened.page.locator('.result .chart canvas').first().waitFor();
  return { ...opened, requests };
}

export type FigurePlace = readonly [title: string, row: string, column?: number];

/** Compares a figure with what the result says; null is shown as not known. */
export async function sameFigure(
  page: Page,
  [title, row, column = 0]: FigurePlace,
  told: string | number | null | undefined,
): Promise<void> {
  const shown = await page.evaluate(figureAt, [title, row, column] as const);
  const wanted = told === null || told === undefined ? null : String(told);
  assert.equal(shown, wanted, `${title}, ${row}, ${column}`);
}

/** The shown range of the charts, as the page says it. */
export function rangeText(page: Page): Promise<string> {
  return page.locator('.chart-range').first().innerText();
}

/** Moves the pointer over a chart until the read-out matches; returns the text. */
export async function findMark(page: Page, chart: string, wanted: RegExp): Promise<string> {
  await page.locator(chart).first().scrollIntoViewIfNeeded();
  const box = await page.locator(`${chart} .u-over`).first().boundingBox();
  assert.ok(box !== null);
  const mark = page.locator(`${chart} .chart-mark-text`).first();
  for (let x = box.width - 10; x > 0; x -= 9)
    for (let y = 8; y < box.height; y += 6) {
      await page.mouse.move(box.x + x, box.y + y);
      if ((await mark.count()) === 0) continue;
      const text = await mark.innerText();
      if (wanted.test(text)) return text;
    }
  throw new Error(`nothing in the chart says ${wanted}`);
}

/** Waits until something that the page shows changes from `before`. */
export async function changedFrom<Value>(
  before: Value,
  read: () => Promise<Value>,
): Promise<Value> {
  return eventually(async () => {
    const now = await read();
    assert.notDeepEqual(now, before);
    return now;
  }, 5_000);
}
