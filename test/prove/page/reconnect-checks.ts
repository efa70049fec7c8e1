/** Several bots on one page, one that is stopped or killed, and the page's way back. */
import assert from 'node:assert/strict';
import { newHome } from '../../support/process-bot.ts';
import { type CheckTools, eventually } from './check-log.ts';
import { openLivePage } from './opened-page.ts';
import { type PageBot, startPageBot } from './page-bot.ts';

/** `bot` is killed and started again; the result is the bot that runs then. */
export async function checkReconnecting(
  tools: CheckTools,
  bot: PageBot,
  state: string,
): Promise<PageBot> {
  await checkSeveralBots(tools, bot, state);
  return await checkKill(tools, bot, state);
}

async function checkSeveralBots(tools: CheckTools, bot: PageBot, state: string): Promise<void> {
  const { browser, check, picture, plant } = tools;
  const other = await startPageBot({ home: newHome(), state });
  const opened = await openLivePage(browser, bot.address, { plant });
  const { page } = opened;
  const choice = page.locator('.bot-choice');
  await check('a second bot finds another port', () => assert.notEqual(other.origin, bot.origin));
  await check('every bot of this machine is on the page', () =>
    eventually(async () => assert.equal(await choice.locator('option').count(), 2)),
  );
  await check('the page shows another bot', async () => {
    await choice.selectOption({ index: 1 });
    const { pid } = await other.status();
    await page.locator('footer', { hasText: `process ${pid}` }).waitFor();
  });
  await check('the address names the bot that is shown, and nothing secret', () => {
    const { hash } = new URL(page.url());
    assert.match(hash, /^#bot=demo-[0-9a-f]{8}$/u);
  });
  const orders = await other.status();
  await other.process.kill();
  await check('the page says that the other bot was killed', async () => {
    const problem = page.locator('[data-panel=state] .problem');
    await problem.waitFor();
    await eventually(async () =>
      assert.match(await problem.innerText(), /since \d{4}-.* UTC: .*(?:killed|crashed)/su),
    );
  });
  await check('the orders and figures of a killed bot are still shown', async () => {
    await page.locator('[data-panel=orders] tbody tr').first().waitFor();
    assert.ok(orders.orders.accepted > 0);
    await picture(page, 'killed');
  });
  await check('the list of bots says which one is gone', () =>
    eventually(async () =>
      assert.match((await choice.locator('option').allInnerTexts()).join(), /gone/u),
    ),
  );
  await check('a page that is opened on a killed bot shows what its store knows', async () => {
    await page.reload();
    await page.locator('[data-panel=stored]').waitFor();
    assert.match(await page.locator('[data-panel=stored]').innerText(), /did not end in order/u);
    await page.locator('.chart canvas').first().waitFor();
    await picture(page, 'stored');
  });
  await opened.close();
}

async function checkKill(tools: CheckTools, bot: PageBot, state: string): Promise<PageBot> {
  const { browser, check, picture, plant } = tools;
  const opened = await openLivePage(browser, bot.address, { plant });
  const { page } = opened;
  const before = await bot.status();
  await bot.process.kill();
  const problem = page.locator('[data-panel=state] .problem');
  await check('after kill -9 the page says since when it is disconnected', async () => {
    await problem.waitFor();
    assert.match(await problem.innerText(), /^Disconnected since \d{4}-\d\d-\d\d .* UTC/u);
    assert.match(await page.locator('.top').innerText(), /disconnected/u);
    assert.match(await page.title(), /disconnected/u);
    await picture(page, 'disconnected');
  });
  await check('the last figures stay while it is disconnected', async () => {
    assert.ok((await page.locator('[data-panel=profit] [data-exact]').count()) > 0);
  });
  const port = Number(new URL(bot.origin).port);
  const next = await startPageBot({ home: bot.home, state, port });
  await check('the bot has the same address after its start', () =>
    assert.equal(next.address, bot.address),
  );
  await check('the page connects again by itself', async () => {
    await page.locator('.top .badge', { hasText: '● connected' }).waitFor({ timeout: 30_000 });
    assert.equal(await problem.count(), 0);
  });
  await check('the page says what happened: another run', async () => {
    const { run } = await next.status();
    assert.ok(run > before.run);
    await page.locator('[data-panel=state]', { hasText: `run ${run}` }).waitFor({ timeout: 5_000 });
  });
  await check('the figures are those of the new run', async () => {
    const { pid } = await next.status();
    await page.locator('footer', { hasText: `process ${pid}` }).waitFor({ timeout: 10_000 });
  });
  await opened.close();
  return next;
}
