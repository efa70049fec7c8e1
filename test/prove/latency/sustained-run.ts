/**
 * How many reactions a minute a bot sustains under the exchange's limit of calls: the market
 * changes at an even pace, whether the bot has answered or not.
 */
import { percentile, rounded } from './latency-figures.ts';
import type { LatencyLane } from './latency-lane.ts';

/** Changes a minute, and so the most that can be sustained. */
export const changesPerMinute = 110;
/** An order that comes later than this after its frame has waited. */
const promptMs = 100;
const paceMs = 60_000 / changesPerMinute;

export type Sustained = {
  /** Changes that were answered within 100 ms, a minute. */
  readonly perMinute: number;
  /** Orders that came later than that, and changes that no order answered. */
  readonly late: number;
  readonly unanswered: number;
  readonly waitP50: number;
  readonly waitMax: number;
  readonly callsPerReaction: number;
};

/**
 * Changes the market for `warmMs`, so that the calls of the first minute are used up, and measures
 * what becomes of the changes of `measuredMs`.
 */
export async function runSustained(
  lane: LatencyLane,
  { warmMs, measuredMs }: { readonly warmMs: number; readonly measuredMs: number },
): Promise<Sustained> {
  await changeFor(lane, warmMs);
  const calls = lane.watch.calls;
  const prices = await changeFor(lane, measuredMs);
  const made = lane.watch.calls - calls;
  await lane.calm();
  const waits = prices.map((price) => {
    const [first] = lane.watch.ordersOf(price);
    return first && (first.orderMicros - first.frameMicros) / 1_000;
  });
  const answered = waits.filter((wait) => wait !== undefined);
  const prompt = answered.filter((wait) => wait <= promptMs);
  return {
    perMinute: rounded((prompt.length * 60_000) / (prices.length * paceMs)),
    late: answered.length - prompt.length,
    unanswered: prices.length - answered.length,
    waitP50: percentile(answered, 0.5),
    waitMax: percentile(answered, 1),
    callsPerReaction: rounded(made / Math.max(1, answered.length)),
  };
}

/** Returns the best bids of the changes. */
async function changeFor(lane: LatencyLane, forMs: number): Promise<readonly number[]> {
  const prices: number[] = [];
  const startedMs = performance.now();
  for (let count = 0; count * paceMs < forMs; count++) {
    const waitMs = startedMs + count * paceMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    await lane.keepTrading();
    prices.push(await lane.change());
  }
  const restMs = startedMs + forMs - performance.now();
  if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
  return prices;
}
