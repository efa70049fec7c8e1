/** The fixed round-trip time of a scenario's calls, if there is one. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';

/**
 * The exchange may deliver trades and ledger rows with its messages only up to this delay. Reads
 * find them before messages that are later, and slower answers change the estimate of the
 * exchange's clock, which the gate uses.
 */
const delayMicrosMax = 1_000_000;

/** Returns the time from each call to its answer, unless a delay varies or exceeds a second. */
export function roundTripOf({ feed, request, answer }: ScenarioSettings['latencies']): {
  readonly roundTripMicros?: number;
} {
  if (feed.kind !== 'fixed' || request.kind !== 'fixed' || answer.kind !== 'fixed') return {};
  const roundTripMicros = request.us + answer.us;
  return Math.max(feed.us, roundTripMicros) <= delayMicrosMax ? { roundTripMicros } : {};
}
