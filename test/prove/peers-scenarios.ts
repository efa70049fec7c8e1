/** The two backtests of the comparison as scenarios of Millrace, beside their recordings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What all programs are given; the Python ones as JSON. Prices in ticks, amounts as decimals. */
export const makerRule = {
  halfSpread: 1,
  tolerance: 0,
  size: '0.002',
  positionMax: '0.1',
  refreshSeconds: 1,
  latencyMs: 1,
  makerFeeBps: 2,
  takerFeeBps: 10,
} as const;

export const crossRule = { fast: 20, slow: 50, size: '1', takerFeeBps: 5 } as const;

/** Writes the maker's scenario over `flow.mrec`, as `maker.yaml`. */
export function writeMakerScenario(folder: string, refreshSeconds: number): void {
  const { halfSpread, tolerance, size, positionMax, latencyMs } = makerRule;
  writeScenario(
    folder,
    'maker',
    `version: 1
scenario: maker
data: { kind: recording, recording: flow.mrec }
market: { pair: XBTZAR }
fees: { maker: "${makerRule.makerFeeBps}bps", taker: "${makerRule.takerFeeBps}bps" }
latencies: { feed: "${latencyMs}ms", request: "${latencyMs}ms", answer: "${latencyMs}ms" }
balances: { XBT: "10", ZAR: "1000000" }
seed: 1
profile: { from: luno, calls: unlimited }
bot: peers
strategies:
  maker:
    plugin: mid-quoter
    pairs: [XBTZAR]
    parameters: { halfSpread: ${halfSpread}, tolerance: ${tolerance}, size: "${size}",
                  positionMax: "${positionMax}", refresh: "${refreshSeconds}s" }
    budget: { XBT: "5", ZAR: "500000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
limits:
  account: { openNotionalMax: { ZAR: "1000000" }, turnoverDayMax: { ZAR: "1000000000" },
             lossDayMax: { ZAR: "500000" }, ordersOpenMax: 10, ordersPerMinuteMax: 1000 }
  eachStrategy:
    losingTrades: { max: 100000, coolDown: "1s" }
    rejections: { max: 100000, within: "60s", action: refuse }
    ordersPerFillMax: 100000
  pairs:
    XBTZAR: { orderBaseMax: "0.1", positionBaseMax: "1", collar: "50%", bookAgeMax: "60s" }
`,
  );
}

/** Writes the scenario of the two averages over `candles.mrec`, as `candles.yaml`. */
export function writeCandlesScenario(folder: string): void {
  const { fast, slow, size, takerFeeBps } = crossRule;
  writeScenario(
    folder,
    'candles',
    `version: 1
scenario: candles
data: { kind: recording, recording: candles.mrec }
market: { pair: ABCEUR }
fillModel: { halfSpread: "0.01", volumeShare: "10%", interval: "1m" }
fees: { maker: "${takerFeeBps}bps", taker: "${takerFeeBps}bps" }
latencies: { feed: "0us", request: "1ms", answer: "1ms" }
balances: { ABC: "10", EUR: "1000000" }
seed: 1
profile: { from: luno, calls: unlimited }
bot: peers
strategies:
  cross:
    plugin: ma-cross
    pairs: [ABCEUR]
    parameters: { candle: "60s", fast: ${fast}, slow: ${slow}, size: "${size}", slip: "5%" }
    budget: { EUR: "500000", ABC: "5" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [IOC], postOnly: never }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
limits:
  account: { openNotionalMax: { EUR: "1000000" }, turnoverDayMax: { EUR: "1000000000" },
             lossDayMax: { EUR: "500000" }, ordersOpenMax: 10, ordersPerMinuteMax: 100 }
  eachStrategy: { losingTrades: { max: 100000, coolDown: "1s" } }
  pairs:
    ABCEUR: { orderBaseMax: "10", positionBaseMax: "10", collar: "20%", bookAgeMax: "120s" }
`,
  );
}

function writeScenario(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.yaml`), text);
}
