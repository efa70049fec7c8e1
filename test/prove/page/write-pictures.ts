/**
 * `node src/launch.mjs test/prove/page/write-pictures.ts` writes the picture of the live page for
 * the documents, from a demo bot that trades for some minutes.
 */
import { join } from 'node:path';
import { packageRoot } from '../../support/package-root.ts';
import { endAll, newHome } from '../../support/process-bot.ts';
import { eventually } from './check-log.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { openLivePage } from './opened-page.ts';
import { startPageBot } from './page-bot.ts';

/** A chart with fewer fills shows little. */
const fillsMin = 80;

const executable = findChromium();
if (executable === undefined) throw new Error('Chromium is missing: apt-get install chromium');
const browser = await launchChromium(executable);
try {
  const bot = await startPageBot({ home: newHome(), state: newHome() });
  await eventually(async () => {
    const fills = (await bot.status()).strategies[0]?.fills ?? 0;
    if (fills < fillsMin) throw new Error(`only ${fills} fills after ten minutes`);
  }, 600_000);
  const opened = await openLivePage(browser, bot.address, {
    colorScheme: 'dark',
    viewport: { width: 1360, height: 1000 },
    plant: undefined,
  });
  await opened.page.waitForTimeout(3_000);
  const file = join(packageRoot, 'docs/images/live-page.png');
  await opened.page.screenshot({ path: file });
  console.log(`wrote ${file}`);
  await opened.close();
} finally {
  await browser.close();
  await endAll();
}
