/**
 * How long things were on their way in a recorded run, request by request in their order, so that a
 * backtest can have the same latencies. A request without an answer is taken to have been on its
 * way as long as the one before it.
 */
import { ConfigError } from '../../domain/errors.ts';
import type { Latency } from '../../domain/trading-conditions.ts';
import type { PaperLatencies } from '../../paper/paper-core.ts';
import type { RecordedRun, RoundTrip } from './recorded-run.ts';

/**
 * A paper run has one clock, so that the pretended exchange's own stamp says when it had each
 * request: rounded down to milliseconds, but no sooner than a fixed latency lets it. Of another run
 * the halves of each round trip are taken, since two clocks cannot say how long either way was, and
 * half the usual one as the way of the stream. Throws ConfigError if such a run had no answer.
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
    throw new ConfigError('the run had no answer whose time can be measured');
  const samplesUs = roundTrips.map(({ backUs }) => Math.round(backUs / 2));
  const feedUs = samplesUs.toSorted((a, b) => a - b)[Math.floor(samplesUs.length / 2)] as number;
  const half: Latency = { kind: 'in-order', samplesUs };
  return { feedUs, request: half, answer: half };
}

/** The round trips that could be measured. */
export function answeredOf({ roundTrips }: RecordedRun): readonly RoundTrip[] {
  return roundTrips.filter((one) => one !== undefined);
}

/** One for each request; none if none was answered. */
function everyRoundTrip(run: RecordedRun): readonly RoundTrip[] {
  let [before] = answeredOf(run);
  const every: RoundTrip[] = [];
  for (const one of run.roundTrips) {
    before = one ?? before;
    if (before !== undefined) every.push(before);
  }
  return every;
}
