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
 * Changes the market at an even pace for `warmMs`, and measures what becomes of the changes of the
 * `measuredMs` that follow. The warm-up has to be longer than a minute: the calls of the start
 * count for so long, and quotes that moved more slowly meanwhile take a few moves to catch up.
 */
export async function runSustained(
  lane: LatencyLane,
  { warmMs, measuredMs }: { readonly warmMs: number; readonly measuredMs: number },
): Promise<Sustained> {
  const startedMs = performance.now();
  const warmUp = Math.ceil(warmMs / paceMs);
  await change(lane, startedMs, 0, warmUp);
  const calls = lane.watch.calls;
  const end = warmUp + Math.round(measuredMs / paceMs);
  const prices = await change(lane, startedMs, warmUp, end);
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

/** Makes the changes with the numbers from `first` to before `end`, and returns their best bids. */
async function change(
  lane: LatencyLane,
  startedMs: number,
  first: number,
  end: number,
): Promise<readonly number[]> {
  const prices: number[] = [];
  for (let number = first; number < end; number++) {
    await until(startedMs + number * paceMs);
    await lane.keepTrading();
    prices.push(await lane.change());
  }
  await until(startedMs + end * paceMs);
  return prices;
}

async function until(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
}
