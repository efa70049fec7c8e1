/**
 * The checks of the debug page: stepping through the first backtest in a real browser shows what
 * the records of an independent run of it say.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { OrderRow, StoreRecord } from '../../../src/domain/records.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { writeFirst } from '../../support/first-scenario.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';
import { type BotProcess, millrace, newHome } from '../../support/process-bot.ts';
import { type CheckGroup, type CheckTools, eventually } from './check-log.ts';
import { overflow } from './in-page.mjs';
import { openPage } from './opened-page.ts';

const scenario = 'first';
const ordersShown = 8;

type Timed = { readonly atMicros: number; readonly records: readonly StoreRecord[] };
type Decision = Extract<StoreRecord, { kind: 'decision' }>;
type Rule = Readonly<Record<'code' | 'observed' | 'limit' | 'unit', string>>;

export const debugGroup: CheckGroup = {
  name: 'debug',
  run: async (tools) => {
    await checkRefusals(tools);
    const steps = await recordedSteps(join(packageRoot, 'backtests', scenario));
    const { debug, address } = await debugged(scenario);
    const opened = await openPage(tools.browser, address, { plant: tools.plant });
    const { page } = opened;
    await page.locator('[data-event]').first().waitFor();
    await checkRun(tools, page, steps);
    await checkOrders(tools, page, steps);
    await checkKeys(tools, page);
    await tools.check('debug: nothing complained, and nothing broke the policy', () =>
      assert.deepEqual(opened.complaints, []),
    );
    await opened.close();
    await checkNarrow(tools, address);
    await checkAccess(tools, address);
    debug.signal('SIGINT');
    const { code } = await debug.ended;
    await tools.check('debug: Ctrl-C ends it', () => assert.equal(code, 0));
  },
};

async function debugged(run: string): Promise<{ debug: BotProcess; address: string }> {
  const debug = millrace(['debug', run, '--port', '0']);
  await debug.sees(/^page http/mu);
  return { debug, address: /^page (http:\S+)$/mu.exec(debug.text)?.[1] ?? '' };
}

/** Runs the scenario as `millrace backtest` does, without the debugger. */
async function recordedSteps(folder: string): Promise<readonly Timed[]> {
  const loaded = loadScenario(join(folder, 'scenario.yaml'));
  const { source: _source, notices: _notices, ...played } = loaded;
  const steps: Timed[] = [];
  const { run } = await runBacktest({
    scenario: played,
    dataFolder: workspace.data,
    strategiesFolder: workspace.strategies,
    onRecords: (records, atMicros) => steps.push({ atMicros, records }),
  });
  run.store.close();
  return steps;
}

async function checkRun(
  { check, picture }: CheckTools,
  page: Page,
  steps: readonly Timed[],
): Promise<void> {
  const countOf = async (kind: string): Promise<number> =>
    Number(
      await page
        .locator(`[data-panel=timeline] .is-${kind}[data-count]`)
        .getAttribute('data-count'),
    );
  const stepsWith = (kind: StoreRecord['kind']): number =>
    steps.filter(({ records }) => records.some((one) => one.kind === kind)).length;
  await check('debug: the run has as many fills as its records', async () =>
    assert.equal(await countOf('fill'), stepsWith('fill')),
  );
  await check('debug: the run has as many changes of orders as its records', async () =>
    assert.equal(await countOf('order'), stepsWith('order')),
  );
  await check('debug: it begins at the first decision', async () => {
    const badges = await page.locator('[data-panel=events] .is-shown .badge').allInnerTexts();
    assert.ok(badges.includes('decision'), String(badges));
  });
  await picture(page, 'debug');
}

/** Types an order id or a time into the field, and waits for the event. */
async function jump(page: Page, at: string, atMicros: number): Promise<void> {
  await page.locator('#jump').fill(at);
  await page.locator('#jump').press('Enter');
  const time = timeText(atMicros);
  await eventually(async () =>
    assert.equal(await page.locator('[data-panel=event] time').innerText(), time),
  );
  await page.locator('#jump').blur();
}

function timeText(micros: number): string {
  const text = new Date(Math.floor(micros / 1_000)).toISOString();
  return text.replace('Z', `${String(micros % 1_000).padStart(3, '0')}Z`);
}

async function checkOrders(
  { check, picture }: CheckTools,
  page: Page,
  steps: readonly Timed[],
): Promise<void> {
  const decided = steps.flatMap((step) =>
    step.records.flatMap((record) =>
      record.kind === 'decision' && record.verdict === 'approved' ? [{ step, record }] : [],
    ),
  );
  const every = Math.floor(decided.length / ordersShown);
  for (const [index, { step, record }] of decided.entries()) {
    if (index % every !== 0) continue;
    const row = rowOf(step, record);
    await check(`debug: order ${row.clientOrderId} is found by its id`, () =>
      jump(page, row.clientOrderId, step.atMicros),
    );
    await check(`debug: order ${row.clientOrderId} passed all 24 checks`, async () => {
      const judged = page.locator('.debug-judged', { hasText: plainText(row.price) });
      const rows = judged.first().locator('[data-check]');
      const positions = await rows.evaluateAll((all) =>
        all.map((one) => Number(one.getAttribute('data-check'))),
      );
      assert.equal(new Set(positions).size, 24);
      const verdicts = await rows.evaluateAll((all) =>
        all.map((one) => one.getAttribute('data-verdict')),
      );
      assert.ok(!verdicts.includes('refuses'));
    });
    await check(
      `debug: what order ${row.clientOrderId} stored is what the run stored`,
      async () => {
        const shown = await page.locator('[data-kind=stored] .badge').allInnerTexts();
        assert.deepEqual(
          shown,
          step.records.map(({ kind }) => kind),
        );
      },
    );
  }
  await picture(page, 'debug-order');
}

function rowOf({ records }: Timed, { intentId }: Decision): OrderRow {
  const found = records.find((one) => one.kind === 'order' && one.row.intentId === intentId);
  assert.ok(found?.kind === 'order', `intent ${intentId} is stored with its decision`);
  return found.row;
}

/** As the page writes a price: with groups of thousands. */
function plainText(price: string): string {
  return Number(price).toLocaleString('en-US');
}

/** In the scenario itself the gate refuses nothing, so this one has room for one order. */
async function checkRefusals({ browser, check, picture, plant }: CheckTools): Promise<void> {
  const folder = writeFirst(newHome(), [
    [/^to: .*$/mu, 'to: "2026-11-20T12:05:00Z"'],
    [/ordersOpenMax: 10/u, 'ordersOpenMax: 1'],
  ]);
  const steps = await recordedSteps(folder);
  const { debug, address } = await debugged(folder);
  const opened = await openPage(browser, address, { plant });
  const { page } = opened;
  await page.locator('[data-event]').first().waitFor();
  const refused = steps.flatMap(({ atMicros, records }) =>
    records.flatMap((one) =>
      one.kind === 'decision' && one.verdict === 'refused'
        ? [{ atMicros, rules: JSON.parse(one.refusals) as readonly Rule[] }]
        : [],
    ),
  );
  await check('debug: the gate refused something', () => assert.ok(refused.length > 0));
  const shown = new Map<number, readonly Rule[]>();
  for (const { atMicros, rules } of refused)
    if (!shown.has(atMicros) && shown.size < 4) shown.set(atMicros, rules);
  for (const [atMicros, rules] of shown)
    await check(`debug: the refusal at ${timeText(atMicros)} shows its rule`, async () => {
      await jump(page, timeText(atMicros).slice(0, 23).concat('Z'), atMicros);
      // Several events have the time; the refusal is at one of them.
      if ((await page.locator('[data-verdict=refuses]').count()) === 0)
        await page.keyboard.press('r');
      await page.locator('[data-verdict=refuses]').first().waitFor();
      assert.equal(await page.locator('[data-panel=event] time').innerText(), timeText(atMicros));
      // Between two steps the table is empty for a moment.
      await eventually(async () => {
        const cells = await page
          .locator('[data-verdict=refuses] td')
          .evaluateAll((all) => all.map((one) => one.textContent?.trim() ?? ''));
        for (const { code, observed, limit } of rules)
          assert.ok(
            cells.some(
              (text, at) =>
                text === code &&
                cells[at + 1] === observed &&
                cells[at + 2]?.startsWith(limit) === true,
            ),
            `${code} ${observed} ${limit} is not in ${cells.join(' | ')}`,
          );
      });
    });
  await picture(page, 'debug-refusal');
  await opened.close();
  debug.signal('SIGINT');
  await debug.ended;
}

async function shownNumber(page: Page): Promise<number> {
  return Number(await page.locator('[data-shown]').getAttribute('data-shown'));
}

async function checkKeys({ check }: CheckTools, page: Page): Promise<void> {
  const press = async (key: string): Promise<number> => {
    const before = await shownNumber(page);
    await page.keyboard.press(key);
    return eventually(async () => {
      const number = await shownNumber(page);
      assert.notEqual(number, before);
      return number;
    });
  };
  await check('debug: the arrows go by one event and back', async () => {
    const start = await shownNumber(page);
    assert.equal(await press('ArrowRight'), start + 1);
    assert.equal(await press('ArrowLeft'), start);
    assert.equal(await press('ArrowLeft'), start - 1);
    assert.equal(await press('ArrowRight'), start);
  });
  for (const [key, kind] of [
    ['f', 'fill'],
    ['d', 'decision'],
    ['o', 'order'],
  ] as const)
    await check(`debug: ${key} goes to the next ${kind}, with Shift back`, async () => {
      const next = await press(key);
      const badges = page.locator('[data-panel=events] .is-shown .badge');
      await eventually(async () => assert.ok((await badges.allInnerTexts()).includes(kind)));
      const later = await press(key);
      assert.ok(later > next);
      assert.equal(await press(`Shift+${key.toUpperCase()}`), next);
    });
  await check('debug: / puts the cursor into the field', async () => {
    await page.keyboard.press('/');
    assert.equal(await page.locator('#jump').evaluate((one) => one.matches(':focus')), true);
    await page.keyboard.type('no such order');
    await page.keyboard.press('Enter');
    await page.locator('.problem', { hasText: 'no order "no such order"' }).waitFor();
  });
}

async function checkNarrow({ browser, check, picture, plant }: CheckTools, address: string) {
  const viewport = { width: 400, height: 800 };
  const opened = await openPage(browser, address, { viewport, colorScheme: 'dark', plant });
  await opened.page.locator('[data-event]').first().waitFor();
  await check('debug: 400 pixels are enough', async () =>
    assert.ok((await opened.page.evaluate(overflow)) <= 0),
  );
  await picture(opened.page, 'debug-400-dark');
  await opened.close();
}

async function checkAccess({ check }: CheckTools, address: string): Promise<void> {
  const { port } = new URL(address);
  await check('debug: without the key of its address nothing is answered', async () =>
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/run`)).status, 404),
  );
  await check('debug: another page of the browser is refused', async () => {
    const headers = { origin: 'http://evil.example' };
    assert.equal((await fetch(address, { headers })).status, 403);
  });
}
