/** The scenario of a whole backtest on the synthetic flow: gate, executor, fees, latencies. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';

export const speedStrategies = join(import.meta.dirname, 'strategies');

/** Writes a scenario that plays `flow.mrec` of the folder, and returns its settings. */
export function speedScenario(folder: string, refresh: string): ScenarioSettings {
  const path = join(folder, 'scenario.yaml');
  writeFileSync(
    path,
    `version: 1
scenario: speed
data: { kind: recording, recording: flow.mrec }
market: { pair: XBTZAR, base: XBT, counter: ZAR, priceScale: 0, volumeScale: 6, feeScale: 8,
          priceMin: "1", priceMax: "100000000", volumeMin: "0.000001", volumeMax: "1000000" }
fees: { maker: "2bps", taker: "10bps" }
latencies: { feed: "2ms", request: "3ms", answer: "2ms" }
balances: { XBT: "10", ZAR: "20000000" }
seed: 1
bot: speed
strategies:
  quoter:
    plugin: timed-quoter
    pairs: [XBTZAR]
    parameters: { size: "0.01", refresh: "${refresh}" }
    budget: { XBT: "2", ZAR: "4000000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
limits:
  account: { openNotionalMax: { ZAR: "10000000" }, turnoverDayMax: { ZAR: "10000000000" },
             lossDayMax: { ZAR: "10000000" }, ordersOpenMax: 10, ordersPerMinuteMax: 200 }
  pairs:
    XBTZAR: { orderBaseMax: "0.02", positionBaseMax: "5", collar: "50%", bookAgeMax: "30s" }
`,
  );
  return loadScenario(path);
}
