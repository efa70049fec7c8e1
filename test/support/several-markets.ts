/** Recordings of several made-up markets, and a scenario that plays them on one account. */
import { join } from 'node:path';
import type { Market } from '../../src/domain/market.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { RecordingWriter } from '../../src/recording/file/recording-writer.ts';
import { recordedHeader, recordedMarket } from './compiled-flow.ts';
import { randomFlow } from './recorded-set.ts';
import { SeededRandom } from './seeded-random.ts';

/** Returns a market with the base in its name, paid in EUR. */
export function marketOf(base: string, part: Partial<Market> = {}): Market {
  return { ...recordedMarket, pair: `${base}EUR`, base, ...part };
}

/** Random order flow: about 200 ms from one action to the next, and 3 minutes for 900 actions. */
export function randomItems(seed: number, actions: number): FlowItem[] {
  return randomFlow(new SeededRandom(seed), actions);
}

/** Returns the same items at later times. */
export function laterBy(micros: number, items: readonly FlowItem[]): FlowItem[] {
  return items.map((item) => ({ ...item, atMicros: item.atMicros + micros }));
}

/** Writes items as a recording below `folder`, of small blocks and frequent checkpoints. */
export function writeMarket(
  folder: string,
  file: string,
  market: Market,
  items: readonly FlowItem[],
  format = 'random',
): void {
  const header = { ...recordedHeader, market, format };
  const writer = new RecordingWriter(join(folder, file), header, {
    blockRows: 50,
    checkpointEvery: 3,
  });
  for (const item of items) writer.add(item);
  writer.finish();
}

/** Returns the text of a scenario over `markets`, lines of YAML. */
export function severalText(markets: readonly string[], strategies = pairStrategies): string {
  return `version: 1
scenario: several
markets:
${markets.map((line) => `  ${line}\n`).join('')}
fees: { maker: "5bps", taker: "20bps" }
latencies: { feed: { from: "1ms", to: "9ms" }, request: "2ms", answer: "2ms" }
balances: { ABC: "500", EUR: "500000", XYZ: "500" }
seed: 1
bot: several
strategies:
${strategies}
limits:
  account: { openNotionalMax: { EUR: "100000" }, turnoverDayMax: { EUR: "100000000" },
             lossDayMax: { EUR: "50000" }, ordersOpenMax: 20, ordersPerMinuteMax: 200 }
  pairs:
    ABCEUR: { orderBaseMax: "20", positionBaseMax: "200", collar: "5%", bookAgeMax: "30s" }
    XYZEUR: { orderBaseMax: "20", positionBaseMax: "200", collar: "5%", bookAgeMax: "30s" }
`;
}

const terms = 'allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC, IOC]';

/** One strategy that trades both pairs. */
export const pairStrategies = `  both:
    plugin: quotes-and-hedges
    pairs: [ABCEUR, XYZEUR]
    parameters: { size: "10", refresh: "2s" }
    budget: { ABC: "200", XYZ: "200", EUR: "200000" }
    ${terms}, postOnly: allowed }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }`;
