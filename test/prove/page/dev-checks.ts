/** The page of `millrace dev`: each report takes the place of the last, and the reader stays. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DevPage } from '../../../src/cli/dev/dev-page.ts';
import { type CheckTools, eventually } from './check-log.ts';
import { openPage } from './opened-page.ts';
import type { ResultFolder } from './result-files.ts';

export async function checkDev(
  { browser, check, plant }: CheckTools,
  { near, far }: ResultFolder,
): Promise<void> {
  const dev = new DevPage();
  const address = await dev.listen(0);
  dev.show(readFileSync(near.page, 'utf8'));
  const opened = await openPage(browser, address, { plant });
  const { page } = opened;
  const report = page.frameLocator('iframe:not(.next)');
  await check('the page of dev shows the report with its charts', async () => {
    await report.locator('.result .chart canvas').first().waitFor();
    assert.ok((await report.locator('main').innerText()).includes(near.told.hash.slice(0, 16)));
    assert.equal(await page.title(), 'Backtest first');
  });
  await check(
    'range, scroll position and opened parts stay when the next run is shown',
    async () => {
      await report.getByRole('button', { name: 'Zoom in' }).click();
      await report.locator('summary', { hasText: 'Settings' }).click();
      const range = await report.locator('.chart-range').innerText();
      const frame = page.frames().find((one) => one.url().endsWith('/report'));
      await frame?.evaluate('scrollTo(0, 640)');
      await page.waitForTimeout(300);
      dev.show(readFileSync(far.page, 'utf8'));
      await eventually(async () => {
        const text = await report.locator('main').innerText();
        assert.ok(text.includes(far.told.hash.slice(0, 16)));
        assert.equal(await page.locator('iframe').count(), 1);
      });
      assert.equal(await report.locator('.chart-range').innerText(), range);
      assert.equal(await report.locator('details[open]').count(), 1);
      const next = page.frames().find((one) => one.url().endsWith('/report'));
      assert.equal(await next?.evaluate('scrollY'), 640);
    },
  );
  await check('a run with a problem is said above the last report', async () => {
    dev.fail('strategy.ts:3: <b>no</b>');
    await eventually(async () =>
      assert.equal(await page.locator('#dev-problem').innerText(), 'strategy.ts:3: <b>no</b>'),
    );
    assert.ok((await report.locator('main').innerText()).includes(far.told.hash.slice(0, 16)));
  });
  await check('the page of dev complains about nothing', () =>
    assert.deepEqual(opened.complaints, []),
  );
  await opened.close();
  await dev.close();
}
