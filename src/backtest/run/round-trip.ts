/** The fixed round-trip time of a scenario's calls, if there is one. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';

/**
 * The engine may skip regular reads only up to this round trip: the stamps of slower answers change
 * the estimate of the exchange's clock, which the gate uses, so skipping them would change the run.
 */
const roundTripMicrosMax = 1_000_000;

/** Returns the time from each call to its answer, unless it varies or exceeds a second. */
export function roundTripOf({ request, answer }: ScenarioSettings['latencies']): {
  readonly roundTripMicros?: number;
} {
  if (request.kind !== 'fixed' || answer.kind !== 'fixed') return {};
  const roundTripMicros = request.us + answer.us;
  return roundTripMicros <= roundTripMicrosMax ? { roundTripMicros } : {};
}
