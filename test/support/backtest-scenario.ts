/** The scenario of backtest tests: simple-mm on a small recorded set with fees on both sides. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const smallSet = 'small';

/** Returns the scenario's text, with latencies in microseconds. */
export function scenarioText(latencyUs = 1_000): string {
  return `version: 1
scenario: small
data: { set: ${smallSet}, kind: order-flow-ndjson,
        snapshot: snapshot.json.gz, events: events.ndjson.gz }
market: { pair: ABCEUR, base: ABC, counter: EUR, priceScale: 2, volumeScale: 0, feeScale: 2,
          priceMin: "0.01", priceMax: "10000", volumeMin: "1", volumeMax: "1000" }
fees: { maker: "5bps", taker: "20bps" }
latencies: { feed: "${latencyUs}us", request: "${latencyUs}us", answer: "${latencyUs}us" }
balances: { ABC: "500", EUR: "50000" }
seed: 1
bot: small
strategies:
  mm:
    plugin: simple-mm
    pairs: [ABCEUR]
    parameters: { halfSpread: "1bps", size: "10", refresh: "2s", tolerance: "0.1bps" }
    budget: { ABC: "200", EUR: "20000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
limits:
  account: { openNotionalMax: { EUR: "10000" }, turnoverDayMax: { EUR: "10000000" },
             lossDayMax: { EUR: "5000" }, ordersOpenMax: 10, ordersPerMinuteMax: 200 }
  pairs:
    ABCEUR: { orderBaseMax: "10", positionBaseMax: "200", collar: "5%", bookAgeMax: "30s" }
`;
}

/** Writes a scenario below `folder` and returns its path. */
export function writeScenario(folder: string, text = scenarioText()): string {
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, text);
  return path;
}
