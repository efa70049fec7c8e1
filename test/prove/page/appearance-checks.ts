/** Themes, narrow screens, keyboard, contrast, motion, and exact figures on hover and focus. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type CheckTools, eventually } from './check-log.ts';
import {
  backgroundColour,
  contrasts,
  focused,
  focusOutline,
  namelessControls,
  overflow,
  pictureOf,
  runningAnimations,
} from './in-page.mjs';
import { openLivePage } from './opened-page.ts';
import type { PageBot } from './page-bot.ts';

const narrow = { width: 400, height: 800 };
const contrastMin = 4.5;

const background = (page: Page): Promise<string> => page.evaluate(backgroundColour);

export async function checkAppearance(tools: CheckTools, bot: PageBot): Promise<void> {
  await checkThemes(tools, bot);
  await checkNarrow(tools, bot);
  await checkReaching(tools, bot);
}

async function checkThemes(
  { browser, check, picture, plant }: CheckTools,
  bot: PageBot,
): Promise<void> {
  const shades: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    const opened = await openLivePage(browser, bot.address, { colorScheme, plant });
    const { page } = opened;
    await page.waitForTimeout(1_500);
    shades.push(await background(page));
    await picture(page, colorScheme);
    await check(`texts are readable in the ${colorScheme} theme`, async () => {
      const poor = (await page.evaluate(contrasts)).filter(({ ratio }) => ratio < contrastMin);
      assert.deepEqual(poor, []);
    });
    await check(`buy and sell differ by word and arrow in the ${colorScheme} theme`, async () => {
      const sides = await page.locator('[data-panel=orders] .side').allInnerTexts();
      assert.ok(sides.includes('▲ buy') && sides.includes('▼ sell'));
    });
    if (colorScheme === 'light') await checkSwitch(check, page, shades);
    await check(`nothing complained in the ${colorScheme} theme`, () =>
      assert.deepEqual(opened.complaints, []),
    );
    await opened.close();
  }
}

async function checkSwitch(
  check: CheckTools['check'],
  page: Page,
  [dark, light]: readonly string[],
): Promise<void> {
  await check('the theme is that of the system', () => assert.notEqual(dark, light));
  const choice = page.locator('.theme-switch select');
  await check('the switch chooses the other theme', async () => {
    await choice.selectOption('dark');
    assert.equal(await background(page), dark);
  });
  await check('the charts follow the theme', async () => {
    const text = () => page.locator('.chart canvas').first().evaluate(pictureOf);
    const before = await text();
    await choice.selectOption('light');
    await eventually(async () => assert.notEqual(await text(), before));
    await choice.selectOption('dark');
  });
  await check('the choice outlives a visit', async () => {
    await page.reload();
    await page.locator('[data-panel=profit]').waitFor();
    assert.equal(await background(page), dark);
    assert.equal(await choice.inputValue(), 'dark');
    await choice.selectOption('system');
  });
}

async function checkNarrow(
  { browser, check, picture, plant }: CheckTools,
  bot: PageBot,
): Promise<void> {
  const opened = await openLivePage(browser, bot.address, { viewport: narrow, plant });
  const { page } = opened;
  await page.waitForTimeout(1_000);
  await picture(page, 'narrow');
  for (const tab of await page.locator('[data-tab]').all()) {
    const name = await tab.getAttribute('data-tab');
    await check(`at 400 px the page with ${name} is not wider than the screen`, async () => {
      await tab.click();
      await page.locator(`[data-panel=${name}]`).waitFor();
      assert.equal(await page.evaluate(overflow), 0);
    });
  }
  await check('at 400 px the charts have the width of the screen', async () => {
    const box = await page.locator('.chart-plot').first().boundingBox();
    assert.ok(box !== null && box.width > 300 && box.width <= 400, String(box?.width));
  });
  await check('at 400 px a dialog fits', async () => {
    await page.getByRole('button', { name: 'Command …' }).click();
    const box = await page.locator('dialog').boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 400);
    await page.keyboard.press('Escape');
  });
  await opened.close();
}

async function checkReaching(tools: CheckTools, bot: PageBot): Promise<void> {
  const { browser, check, plant } = tools;
  const opened = await openLivePage(browser, bot.address, { reducedMotion: 'reduce', plant });
  const { page } = opened;
  await check('the token that opened the page is not in the address', () =>
    assert.ok(!page.url().includes('token')),
  );
  await check('the first stop of the keyboard skips to the content', async () => {
    await page.keyboard.press('Tab');
    assert.match(await page.evaluate(focused), /href="#content"/u);
  });
  await check(
    'the keyboard reaches the bots, the commands and the theme in this order',
    async () => {
      const stops: string[] = [];
      for (let stop = 0; stop < 8; stop++) {
        await page.keyboard.press('Tab');
        stops.push(await page.evaluate(focused));
      }
      const places = ['bot-choice', 'is-danger', '<select'].map((part) =>
        stops.findIndex((one) => one.includes(part)),
      );
      assert.ok(
        places.every((place) => place >= 0),
        stops.join('\n'),
      );
    },
  );
  await check('what has the focus of the keyboard is outlined', async () => {
    assert.equal(await page.evaluate(focusOutline), 'solid');
  });
  await check('a rounded figure is exact on hover', async () => {
    const figure = page.locator('[data-panel=profit] [data-exact]').first();
    await eventually(async () => {
      await page.mouse.move(0, 0);
      await figure.hover();
      const shown = (await page.locator('.tip.is-shown').innerText()).replaceAll(',', '');
      const exact = (await figure.getAttribute('data-exact')) ?? '';
      assert.ok(shown.replace('−', '-').startsWith(exact.slice(0, -1)), `${shown} of ${exact}`);
    });
    await page.mouse.move(0, 0);
  });
  await check('a rounded figure is exact on focus, until Escape', async () => {
    await page.locator('[data-panel=balances] [data-exact]').first().focus();
    await page.locator('.tip.is-shown').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.tip.is-shown').count(), 0);
  });
  await check('with reduced motion nothing is animated', async () => {
    assert.equal(await page.evaluate(runningAnimations), 0);
  });
  await check('every button and field has a name', async () => {
    assert.deepEqual(await page.evaluate(namelessControls), []);
  });
  await opened.close();
}
