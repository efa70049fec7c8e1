/** The page of two results: side by side, overlaid, and with the differences of their figures. */
import assert from 'node:assert/strict';
import { type CheckTools, eventually } from './check-log.ts';
import { contrasts, overflow } from './in-page.mjs';
import { openResult, rangeText, sameFigure } from './opened-result.ts';
import type { ResultFolder } from './result-files.ts';
import { chartPictures } from './result-in-page.mjs';

const contrastMin = 4.5;

export async function checkComparison(
  tools: CheckTools,
  { near, far, comparison }: ResultFolder,
): Promise<void> {
  const { check, picture } = tools;
  const opened = await openResult(tools, comparison);
  const { page } = opened;
  await picture(page, 'comparison');
  const [a, b] = [near.told.metrics, far.told.metrics];
  await check('a comparison has the figures of both, and their differences', async () => {
    for (const [row, name] of [
      ['Profit', 'profit'],
      ['Turnover', 'turnover'],
      ['Round trips', 'roundTrips'],
    ] as const) {
      await sameFigure(page, ['Trader', row, 0], a.trader[name]);
      await sameFigure(page, ['Trader', row, 1], b.trader[name]);
    }
    const difference = Number(b.trader['roundTrips']) - Number(a.trader['roundTrips']);
    await sameFigure(page, ['Trader', 'Round trips', 2], difference);
  });
  await check('a comparison has the settings that differ', async () => {
    const row = 'strategies.0.parameters.halfSpread';
    await sameFigure(page, ['Settings that differ', row, 0], '"20bps"');
    await sameFigure(page, ['Settings that differ', row, 1], '"30bps"');
  });
  await check('a comparison shows both results side by side', async () => {
    for (const [side, { told }] of [
      ['A', near],
      ['B', far],
    ] as const) {
      const part = page.locator(`[data-side=${side}]`);
      assert.ok((await part.innerText()).includes(told.hash.slice(0, 16)));
      assert.equal(await part.locator('.chart canvas').count(), 1);
      assert.equal(
        await part.locator('.fact [data-exact]').first().getAttribute('data-exact'),
        told.profit,
      );
    }
    const [left, right] = await Promise.all(
      ['A', 'B'].map((side) => page.locator(`[data-side=${side}]`).boundingBox()),
    );
    assert.ok(left && right && right.x >= left.x + left.width);
  });
  await check('a comparison overlays profit, drawdown and position', async () => {
    const keys = await page.locator('[data-overlay] .chart-key').allInnerTexts();
    for (const name of ['profit', 'below the peak', 'position'])
      for (const side of ['A', 'B'])
        assert.ok(
          keys.some((key) => key.startsWith(`${side}: ${name}`)),
          `${side}: ${name}`,
        );
  });
  await check('all charts of a comparison zoom together', async () => {
    const before = await page.evaluate(chartPictures);
    const range = await rangeText(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await eventually(async () => {
      const after = await page.evaluate(chartPictures);
      assert.equal(after.length, 5);
      assert.ok(after.every((one, index) => one !== before[index]));
    });
    assert.notEqual(await rangeText(page), range);
  });
  await check('a comparison loads nothing and complains about nothing', () => {
    assert.deepEqual([opened.requests, opened.complaints], [[], []]);
  });
  await opened.close();
  for (const colorScheme of ['dark', 'light'] as const) {
    const viewport = { width: 420, height: 800 };
    const small = await openResult(tools, comparison, { colorScheme, viewport });
    await small.page.waitForTimeout(500);
    await check(`at 420 px the ${colorScheme} comparison fits and is readable`, async () => {
      assert.equal(await small.page.evaluate(overflow), 0);
      const poor = (await small.page.evaluate(contrasts)).filter(
        ({ ratio }) => ratio < contrastMin,
      );
      assert.deepEqual(poor, []);
    });
    await small.close();
  }
}
