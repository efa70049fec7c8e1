/** A backtest over a recording whose rows contradict its book says so, with the first place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCautionsOf } from '../../src/backtest/report/run-cautions.ts';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { timeText } from '../../src/recording/file/time-text.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { scenarioText } from '../support/backtest-scenario.ts';
import { marketOf, randomItems, writeMarket } from '../support/several-markets.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-misfits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const items = randomItems(21, 400);

async function cautionsOver(recorded: readonly FlowItem[]): Promise<readonly string[]> {
  writeMarket(folder, 'data.mrec', marketOf('ABC'), recorded);
  const path = join(folder, 'scenario.yaml');
  const text = scenarioText()
    .replace(/data: \{[^}]*\}/u, 'data: { kind: recording, recording: data.mrec }')
    .replace(/market: \{[^}]*\}/u, 'market: { pair: ABCEUR }');
  writeFileSync(path, text);
  const { source: _source, ...scenario } = loadScenario(path);
  const strategiesFolder = join(import.meta.dirname, '../../strategies');
  const backtest = await runBacktest({ scenario, dataFolder: folder, strategiesFolder });
  return runCautionsOf(backtest, scenario, backtest.run.store.sending).filter((text) =>
    text.includes('data.mrec'),
  );
}

test('an unknown order in the recording is a caution that names file, row and time', async () => {
  expect(await cautionsOver(items)).toEqual([]);
  const atMicros = items.at(-1)?.atMicros ?? 0;
  const stray = { kind: 'delete', id: 'nobody', sequence: 0, atMicros, endsMessage: true } as const;
  const cautions = await cautionsOver([...items, stray]);
  expect(cautions).toHaveLength(1);
  expect(cautions[0]).toContain(`${join(folder, 'data.mrec')}: unknownOrders, 1 of `);
  expect(cautions[0]).toContain(` at ${timeText(atMicros)}: `);
  expect(cautions[0]).toContain('queues and volumes are uncertain');
});
