/** The goals of the latency proof: for each figure the bound that it has to keep. */

/** `value` is null, and the goal missed, where a run was too short to measure it. */
export type LatencyGoal = {
  readonly goal: string;
  readonly value: number | null;
  readonly met: boolean;
};

/**
 * Half of what a reaction took when the proof was written, in multiples of what the floor takes
 * under the Node that ran it at that time. A newer Node speeds up the floor, too.
 */
const cpuRatioMax = { place: 2.4, quote: 2.5 };
/** What the bots had resident when the proof was written, and a twentieth for chance. */
const residentMbMax = 265;
const lineDelayMs = 50;
/** A way and a tenth, and 5 ms. */
const delayedMsMax = Math.round(1.1 * lineDelayMs + 5);

export type GoalFigures = {
  /** The least of the three programs. */
  readonly reactions: number;
  readonly missing: number;
  readonly placeRatio: number;
  readonly quoteRatio: number;
  readonly placeCpuRatio: number;
  readonly quoteCpuRatio: number;
  readonly placeCalls: number;
  readonly quoteCalls: number;
  readonly residentMb: number;
  /** p90 of a moved quote with 50 ms of line delay. */
  readonly delayedQuoteMs: number;
  readonly sustainedPerMinute: number;
};

type Bound = readonly [what: string, bound: 'at least' | 'at most', limit: number];

const bounds: Readonly<Record<keyof GoalFigures, Bound>> = {
  reactions: ['reactions of each program', 'at least', 1_000],
  missing: ['changes without an order', 'at most', 0],
  placeRatio: ['p50 of place to the floor', 'at most', 3.5],
  quoteRatio: ['p50 of quote to the floor', 'at most', 4],
  placeCpuRatio: ['CPU time of place to the floor under Node 24', 'at most', cpuRatioMax.place],
  quoteCpuRatio: ['CPU time of quote to the floor under Node 24', 'at most', cpuRatioMax.quote],
  placeCalls: ['calls for each place', 'at most', 2.2],
  quoteCalls: ['calls for each moved quote', 'at most', 2.2],
  residentMb: ['resident MB of a bot', 'at most', residentMbMax],
  delayedQuoteMs: ['ms of a moved quote with 50 ms of line delay, p90', 'at most', delayedMsMax],
  sustainedPerMinute: ['reactions a minute, none later than 100 ms', 'at least', 110],
};

export function goalsOf(figures: GoalFigures): readonly LatencyGoal[] {
  return Object.entries(bounds).map(([name, [what, bound, limit]]) => {
    const value = figures[name as keyof GoalFigures];
    const met = bound === 'at least' ? value >= limit : value <= limit;
    return { goal: `${what} ${bound} ${limit}`, value: Number.isNaN(value) ? null : value, met };
  });
}
