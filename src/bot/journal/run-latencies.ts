/**
 * Measures the latencies of a recorded run, request by request, so that a backtest can use the same
 * ones. A request without an answer gets the latency of the previous one.
 */
import { ConfigError } from '../../domain/errors.ts';
import type { Latency } from '../../domain/trading-conditions.ts';
import type { PaperLatencies } from '../../paper/paper-core.ts';
import type { RecordedRun, RoundTrip } from './recorded-run.ts';

/**
 * Returns the latencies. A paper run has one clock, so the paper exchange's timestamps give the
 * arrival of each request: rounded down to milliseconds, but at least a fixed latency. In any other
 * run two clocks cannot separate the two directions, so each gets half of the round trip, and the
 * market stream half of the median round trip. Throws ConfigError if such a run had no answer.
 */
export function latenciesOf(run: RecordedRun): PaperLatencies {
  const { mode, paper } = run.start.settings;
  const roundTrips = everyRoundTrip(run);
  if (mode === 'paper' && paper !== undefined) {
    const { feedUs, request } = paper.latencies;
    if (roundTrips.length === 0) return paper.latencies;
    const leastUs = request.kind === 'fixed' ? request.us : 0;
    let beforeUs = leastUs;
    const there = roundTrips.map(({ thereUs = beforeUs }) => {
      beforeUs = Math.max(leastUs, thereUs);
      return beforeUs;
    });
    const back = roundTrips.map(({ backUs }, index) => Math.max(0, backUs - (there[index] ?? 0)));
    return {
      feedUs,
      request: { kind: 'in-order', samplesUs: there },
      answer: { kind: 'in-order', samplesUs: back },
    };
  }
  if (roundTrips.length === 0)
    throw new ConfigError('the run has no answer, so its latencies cannot be measured');
  const samplesUs = roundTrips.map(({ backUs }) => Math.round(backUs / 2));
  const feedUs = samplesUs.toSorted((a, b) => a - b)[Math.floor(samplesUs.length / 2)] as number;
  const half: Latency = { kind: 'in-order', samplesUs };
  return { feedUs, request: half, answer: half };
}

export function answeredOf({ roundTrips }: RecordedRun): readonly RoundTrip[] {
  return roundTrips.filter((one) => one !== undefined);
}

/** Returns a round trip for each request; an empty list if no request was answered. */
function everyRoundTrip(run: RecordedRun): readonly RoundTrip[] {
  let [before] = answeredOf(run);
  const every: RoundTrip[] = [];
  for (const one of run.roundTrips) {
    before = one ?? before;
    if (before !== undefined) every.push(before);
  }
  return every;
}
