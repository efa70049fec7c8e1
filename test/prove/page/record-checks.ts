/** Orders with their stories, fills, notices, incidents, days and log, against the database. */
import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import type { Page } from 'playwright-core';
import { type CheckTools, eventually } from './check-log.ts';
import { columnOf } from './opened-page.ts';
import type { PageBot } from './page-bot.ts';
import { openTruth, type StoreTruth } from './store-truth.ts';

async function openTab(page: Page, name: string): Promise<void> {
  await page.locator(`[data-tab=${name}]`).click();
  await page.locator(`[data-panel=${name}]`).waitFor();
}

const idsOf = (truth: StoreTruth, where: string, before = 1e15): string[] =>
  truth
    .rows(
      `SELECT intent_id AS id FROM orders WHERE ${where} AND intent_id < ? ORDER BY 1 DESC LIMIT 50`,
      before,
    )
    .map(({ id }) => String(id));

/** The list is read every few seconds, and the bot goes on: it must be right once. */
async function compareIds(page: Page, wanted: () => string[]): Promise<void> {
  await eventually(async () => {
    const shown = await columnOf(page, 'orders', 2);
    assert.ok(shown.length > 0, 'no orders are shown');
    assert.deepEqual(shown, wanted().slice(0, shown.length));
  }, 30_000);
}

export async function checkRecords({ check }: CheckTools, page: Page, bot: PageBot): Promise<void> {
  const truth = openTruth(bot.store);
  const orders = page.locator('[data-panel=orders]');
  await openTab(page, 'orders');
  await check('the orders are the newest of the store, newest first', () =>
    compareIds(page, () => idsOf(truth, '1 = 1')),
  );
  await check('each order has the price, volume and state of the store', async () => {
    await eventually(async () => {
      const [id] = await columnOf(page, 'orders', 2);
      const row = orders.locator('tbody tr').first();
      const shown = await row
        .locator('[data-exact]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-exact')));
      const state = await row.locator('td:nth-child(9)').innerText();
      const [wanted] = truth.rows('SELECT * FROM orders WHERE intent_id = ?', Number(id));
      assert.deepEqual(
        [...shown.slice(0, 2), state],
        [wanted?.['price'], wanted?.['volume'], wanted?.['state']],
      );
    });
  });
  await check('a filter shows the orders of one state', async () => {
    await orders.locator('select').selectOption('filled');
    await compareIds(page, () => idsOf(truth, "state = 'filled'"));
  });
  await check('a filter that finds nothing says so', async () => {
    await orders.locator('select').selectOption('absent');
    await orders.locator('.empty', { hasText: 'No orders' }).waitFor();
  });
  await orders.locator('select').selectOption('');
  await check('older orders follow page by page', async () => {
    const last = await eventually(async () => {
      const ids = await columnOf(page, 'orders', 2);
      assert.equal(ids.length, 50);
      return Number(ids.at(-1));
    });
    await orders.getByRole('button', { name: 'Older' }).click();
    await compareIds(page, () => idsOf(truth, '1 = 1', last));
  });
  await check('a head sorts by its column, as numbers, and then the other way', async () => {
    const prices = async (): Promise<number[]> =>
      (await columnOf(page, 'orders', 6)).map((one) => Number(one.replaceAll(',', '')));
    const head = orders.getByRole('button', { name: 'Price' });
    await head.click();
    const up = await prices();
    assert.deepEqual(
      up,
      up.toSorted((a, b) => a - b),
    );
    await head.click();
    const down = await prices();
    assert.deepEqual(
      down,
      down.toSorted((a, b) => b - a),
    );
    assert.notDeepEqual(up, down);
  });
  await check('a head sorts by the keyboard, and says so', async () => {
    await orders.getByRole('button', { name: 'Order', exact: true }).focus();
    await page.keyboard.press('Enter');
    const ids = (await columnOf(page, 'orders', 2)).map(Number);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(await orders.locator('th[aria-sort=ascending]').count(), 1);
  });
  await check('newer orders come back', async () => {
    await orders.getByRole('button', { name: 'Newer' }).click();
    await eventually(async () =>
      assert.ok(await orders.getByRole('button', { name: 'Newer' }).isDisabled()),
    );
  });
  await checkStory({ check }, page, truth);
  await checkTabs({ check }, page, bot, truth);
  truth.close();
}

type Check = Pick<CheckTools, 'check'>;

async function checkStory({ check }: Check, page: Page, truth: StoreTruth): Promise<void> {
  const orders = page.locator('[data-panel=orders]');
  await orders.locator('select').selectOption('filled');
  let id = 0;
  await check(
    'the keyboard goes from row to row, and Enter opens the story of an order',
    async () => {
      await eventually(async () => {
        const states = await columnOf(page, 'orders', 9);
        assert.ok(states.length > 1 && states.every((one) => one === 'filled'));
      });
      await orders.locator('tbody tr').first().focus();
      await page.keyboard.press('ArrowDown');
      id = Number((await page.locator('tr:focus td:nth-child(2)').innerText()).trim());
      await page.keyboard.press('Enter');
      await page.locator(`[data-story="${id}"]`).waitFor();
    },
  );
  await check('the story has every state of the store with its proof', async () => {
    const wanted = truth.rows(
      'SELECT state, proof FROM evidence WHERE intent_id = ? ORDER BY id',
      id,
    );
    const shown = await page.locator('.timeline-event.is-state .timeline-text').allInnerTexts();
    assert.equal(shown.length, wanted.length);
    assert.ok(
      wanted.every(({ state, proof }) => shown.some((one) => one.includes(`${state}: ${proof}`))),
    );
  });
  await check('the story has the decision of the gate and each attempt', async () => {
    assert.equal(await page.locator('.timeline-event.is-decision').count(), 1);
    const [attempts] = truth.rows('SELECT count(*) AS n FROM attempts WHERE intent_id = ?', id);
    assert.equal(await page.locator('.timeline-event.is-attempt').count(), attempts?.['n']);
  });
  await check('the story has every fill of the store', async () => {
    const fills = truth.rows('SELECT sequence FROM fills WHERE intent_id = ?', id);
    const shown = await page.locator('.timeline-event.is-fill .timeline-text').allInnerTexts();
    assert.ok(fills.length > 0);
    assert.equal(shown.length, fills.length);
    assert.ok(
      fills.every(({ sequence }) => shown.some((one) => one.includes(`trade ${sequence}:`))),
    );
  });
  await check('the sums of the story are exact', async () => {
    const fills = truth.rows('SELECT counter FROM fills WHERE intent_id = ?', id);
    const wanted = truth.sum(fills, ({ counter }) => new Decimal(counter ?? 0));
    const shown = await page
      .locator('[data-story] .fact', { hasText: 'Counter' })
      .locator('[data-exact]')
      .first()
      .getAttribute('data-exact');
    assert.equal(new Decimal(shown ?? 'NaN').toFixed(), wanted.toFixed());
  });
  await check('Escape closes the story, and the focus is on the order again', async () => {
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    const focused = await page.locator('tr:focus td:nth-child(2)').innerText();
    assert.equal(Number(focused), id);
  });
  await orders.locator('select').selectOption('');
}

async function checkTabs(
  { check }: Check,
  page: Page,
  bot: PageBot,
  truth: StoreTruth,
): Promise<void> {
  await check('arrow keys go from tab to tab', async () => {
    await page.locator('[data-tab=orders]').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-panel=fills]').waitFor();
    assert.equal(await page.locator('[data-tab=fills]:focus').count(), 1);
  });
  await check('the newest fills are those of the store', () =>
    eventually(async () => {
      const wanted = truth.rows(
        'SELECT intent_id AS id, price FROM fills ORDER BY traded_ms DESC, sequence DESC LIMIT 10',
      );
      const shown = await page
        .locator('[data-panel=fills] tbody tr')
        .evaluateAll((rows) =>
          rows
            .slice(0, 10)
            .map((row) => [
              Number(row.lastElementChild?.textContent),
              row.querySelector('[data-exact]')?.getAttribute('data-exact'),
            ]),
        );
      assert.deepEqual(
        shown.map(String).sort(),
        wanted.map(({ id, price }) => String([id, price])).sort(),
      );
    }),
  );
  await check('what the bot reports is shown, newest first', async () => {
    await openTab(page, 'notices');
    const { notices } = await bot.status();
    const wanted = notices.at(-1)?.text ?? 'none';
    const shown = await columnOf(page, 'notices', 4);
    assert.ok(shown.length > 10);
    assert.ok(shown.includes(wanted) || notices.length >= 100, wanted);
  });
  await check('notices are filtered by topic', async () => {
    await page.locator('[data-panel=notices] select').selectOption('fill');
    const topics = await columnOf(page, 'notices', 3);
    assert.deepEqual([...new Set(topics)], ['fill']);
  });
  await check('a strategy’s own words are shown', async () => {
    await openTab(page, 'notes');
    await eventually(async () => {
      const note = (await bot.status()).strategies[0]?.note;
      assert.equal(await page.locator('.notes dd').first().innerText(), note);
    });
  });
  await check('the incidents are those of the store', async () => {
    await openTab(page, 'incidents');
    await page.locator('[data-panel=incidents] :is(tbody tr, .empty)').first().waitFor();
    const [wanted] = truth.rows('SELECT count(*) AS n FROM incidents');
    assert.equal(await page.locator('[data-panel=incidents] tbody tr').count(), wanted?.['n']);
  });
  await check('the days add up to the fills of the store', async () => {
    await openTab(page, 'days');
    await page.locator('[data-panel=days] tbody tr').first().waitFor();
    const fills = (await columnOf(page, 'days', 3)).reduce((sum, one) => sum + Number(one), 0);
    const [wanted] = truth.rows('SELECT count(*) AS n FROM fills');
    // The list is not read again before a minute has passed.
    assert.ok(fills > 0 && fills <= Number(wanted?.['n']) && fills >= Number(wanted?.['n']) - 30);
  });
  await check('the log is shown from the level that is chosen', async () => {
    await openTab(page, 'log');
    await page.locator('[data-panel=log] tbody tr').first().waitFor();
    assert.ok((await columnOf(page, 'log', 4)).length > 20);
    await page.locator('[data-panel=log] select').selectOption('error');
    await eventually(async () => assert.ok(!(await columnOf(page, 'log', 2)).includes('info')));
  });
}
