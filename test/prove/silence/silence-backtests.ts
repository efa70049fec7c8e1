/** A backtest in which nothing can fill: its report must say why, as text and as JSON. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBacktestCommand } from '../../../src/cli/commands/backtest-command.ts';
import { barTable, coarseScenario, writeCoarse } from '../../support/coarse-recordings.ts';
import { workspace } from '../../support/package-root.ts';
import { captured } from './silence-place.ts';

const graceMs = 60_000;
const bars = 60;
const reason = new RegExp(`nothing can fill: none of the ${bars} candles has a volume`, 'gu');

/** Plays candles without volume; `isBlind` leaves the report out, as a fault would. */
export async function checkBacktests(isBlind: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-silence-backtest-'));
  try {
    const begins = Array.from({ length: bars }, (_, index) => 1_704_067_200 + index * 60);
    const recording = await writeCoarse(folder, 'candles', barTable(begins, 0));
    const fillModel = '{ halfSpread: "0.02", volumeShare: "10%", interval: "1m" }';
    const scenario = join(folder, 'scenario.yaml');
    const text = coarseScenario(recording, fillModel, 0).replace('"30s" }', '"90s" }');
    writeFileSync(scenario, text);
    const violations: string[] = [];
    for (const isJson of [false, true]) {
      const { output, text: printed } = captured(isJson);
      await runBacktestCommand({ scenario, workspace, output, graceMs });
      const said = isBlind ? 0 : (printed().match(reason)?.length ?? 0);
      if (said !== 1)
        violations.push(
          `backtest over candles without volume, ${isJson ? 'JSON' : 'text'}: said why nothing fills ${said} times, not once`,
        );
    }
    return { shown: violations.length === 0 ? 1 : 0, violations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
