/** Operators' commands from the page: what they ask for, what refuses them, what they do. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type CheckTools, eventually } from './check-log.ts';
import { keptTexts } from './in-page.mjs';
import type { PageBot } from './page-bot.ts';
import { openTruth } from './store-truth.ts';

const dialog = 'dialog';
const reason = 'a proof of the page <img src=x onerror="hacked=1">';

async function openCommand(page: Page, command: string, why = reason): Promise<void> {
  await page.getByRole('button', { name: 'Command …' }).click();
  await page.locator(`${dialog} select`).first().selectOption(command);
  await page.locator(`${dialog} input[maxlength="60"]`).fill('Anna');
  await page.locator(`${dialog} input`).last().fill(why);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function sendCommand(page: Page, command: string, token: string): Promise<void> {
  await openCommand(page, command);
  await page.locator(`${dialog} input`).first().fill(command);
  await page.locator(`${dialog} input[type=password]`).fill(token);
  await page.getByRole('button', { name: `Send ${command}` }).click();
}

async function closeDialog(page: Page): Promise<void> {
  await page.locator(`${dialog} header button`).click();
  await page.locator(dialog).waitFor({ state: 'detached' });
}

export async function checkCommands(tools: CheckTools, page: Page, bot: PageBot): Promise<void> {
  const { check, picture } = tools;
  const send = page.getByRole('button', { name: 'Send halt' });
  await check('a command without a reason goes no further', async () => {
    await openCommand(page, 'halt', '');
    assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 1);
    await closeDialog(page);
  });
  await check('a command needs its own word and a token', async () => {
    await openCommand(page, 'halt');
    assert.ok(await send.isDisabled());
    await page.locator(`${dialog} input[type=password]`).fill(bot.commandToken);
    assert.ok(await send.isDisabled(), 'without the word');
    await page.locator(`${dialog} input`).first().fill('resume');
    assert.ok(await send.isDisabled(), 'with another word');
    await page.locator(`${dialog} input`).first().fill('halt');
    assert.ok(await send.isEnabled());
    await picture(page, 'command');
    await closeDialog(page);
  });
  await check('a wrong command token is refused, and the bot goes on', async () => {
    await sendCommand(page, 'halt', 'f'.repeat(32));
    await page.locator(`${dialog} .problem`).waitFor();
    assert.equal((await bot.status()).state, 'ACTIVE');
    await closeDialog(page);
  });
  await check('a halt halts the bot', async () => {
    await sendCommand(page, 'halt', bot.commandToken);
    await page.getByRole('button', { name: 'Close' }).last().waitFor();
    await eventually(async () => assert.equal((await bot.status()).state, 'HALTED'));
    await closeDialog(page);
  });
  await check('the page says that it is halted, since when and why, as text', async () => {
    const state = page.locator('[data-panel=state]');
    await state.locator('.badge', { hasText: 'HALTED' }).first().waitFor();
    await eventually(async () => assert.ok((await state.innerText()).includes('<img src=x')));
    assert.equal(await state.locator('img').count(), 0);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
  await check('the page says why the strategy does not trade, and what ends it', async () => {
    const block = page.locator('[data-block=halted]');
    await block.waitFor();
    const [wanted] = (await bot.status()).notTrading;
    const shown = await block.innerText();
    assert.ok(shown.includes(wanted?.reason ?? '?') && shown.includes(wanted?.ends ?? '?'), shown);
    await picture(page, 'halted');
  });
  await check('the ladder has no order of ours then', () =>
    eventually(async () => assert.equal(await page.locator('.ladder-order').count(), 0)),
  );
  await check('the title of the tab says that the bot is halted', async () => {
    assert.match(await page.title(), /HALTED/u);
  });
  await check('the command is kept with its user and reason', async () => {
    await page.locator('[data-tab=commands]').click();
    const row = page.locator('[data-panel=commands] tbody tr', { hasText: 'halt' }).first();
    await row.waitFor();
    const shown = await row.innerText();
    assert.ok(shown.includes('a proof of the page'), shown);
    assert.match(await row.locator('td:nth-child(2)').innerText(), /Anna/u);
    const truth = openTruth(bot.store);
    const kept = truth.rows("SELECT reason FROM trading_states WHERE state = 'HALTED'");
    truth.close();
    assert.ok(kept.some((one) => String(one['reason']).includes('a proof of the page')));
  });
  await check('the line of the halt offers to resume, with its scope', async () => {
    await page
      .locator('[data-panel=state]')
      .getByRole('button', { name: 'Resume …' })
      .first()
      .click();
    assert.equal(await page.locator(`${dialog} select`).first().inputValue(), 'resume');
    await closeDialog(page);
  });
  await check('the token of a command is kept for the next one of this tab', async () => {
    await openCommand(page, 'resume');
    assert.equal(
      await page.locator(`${dialog} input[type=password]`).inputValue(),
      bot.commandToken,
    );
    await closeDialog(page);
  });
  await check('no token is in the address or in what other tabs can read', async () => {
    const kept = await page.evaluate(keptTexts);
    assert.ok(!kept.includes(bot.commandToken));
    assert.ok(!kept.includes(new URL(bot.address).hash.slice(7)));
  });
  await check('a resume lets the bot trade again', async () => {
    await sendCommand(page, 'resume', bot.commandToken);
    await eventually(async () => assert.equal((await bot.status()).state, 'ACTIVE'));
    await closeDialog(page);
    await page.locator('[data-panel=state]', { hasText: 'Every strategy trades' }).waitFor();
  });
  await checkSet(tools, page, bot);
}

async function checkSet({ check, picture }: CheckTools, page: Page, bot: PageBot): Promise<void> {
  const panel = page.locator('[data-panel=parameters]');
  const row = panel.locator('tbody tr', { hasText: 'halfSpread' });
  const halfSpread = async () => {
    const [strategy] = (await bot.status()).parameters;
    return strategy?.parameters.find(({ name }) => name === 'halfSpread')?.value;
  };
  const set = async (text: string): Promise<void> => {
    await panel.getByRole('button', { name: 'Set …' }).first().click();
    const further = page.getByRole('button', { name: 'Continue' });
    assert.ok(await further.isDisabled(), 'nothing has changed');
    await page.locator(`${dialog} input[name=halfSpread]`).fill(text);
    await page.locator(`${dialog} input[maxlength="60"]`).fill('Anna');
    await page.locator(`${dialog} input`).last().fill(reason);
    await further.click();
    await page.locator(`${dialog} input`).first().fill('set');
    await page.locator(`${dialog} input[type=password]`).fill(bot.commandToken);
    await page.getByRole('button', { name: 'Send set' }).click();
  };
  const before = await halfSpread();
  await check('a value out of range is refused, with what is allowed, as text', async () => {
    await set('<b>1</b>');
    const shown = await page.locator(`${dialog} .problem`).innerText();
    assert.ok(shown.includes('<b>1</b>') && shown.includes('must be a share'), shown);
    assert.equal(await halfSpread(), before);
    await closeDialog(page);
  });
  await check('a set changes the parameter, and the page marks it with both values', async () => {
    await set('33bps');
    await eventually(async () => assert.equal(await halfSpread(), '33bps'));
    await closeDialog(page);
    await row.locator('.badge', { hasText: 'changed' }).waitFor();
    assert.match(await row.innerText(), /33bps/u);
    const tip = await row.locator('.badge').getAttribute('data-tip');
    assert.ok(tip?.includes(`${before} in the settings file. Set by page Anna`), String(tip));
    await picture(page, 'set');
  });
  await check('the change is kept with its user, reason, old and new value', () =>
    eventually(() => {
      const truth = openTruth(bot.store);
      const rows = truth.rows("SELECT * FROM operator_commands WHERE command = 'set'");
      truth.close();
      const [refused, done] = rows.map((one) => JSON.stringify(one));
      assert.ok(refused?.includes('refused'), String(refused));
      for (const part of ['page Anna', reason, `halfSpread is 33bps, was ${before}`])
        assert.ok(done?.includes(JSON.stringify(part).slice(1, -1)), String(done));
    }),
  );
}
