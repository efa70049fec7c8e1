/** How long the calls of a scenario take. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';

/**
 * Answers that take longer say less of the exchange's clock than its market does, and the gate
 * looks at that clock: to leave them out would not be the same.
 */
const roundTripMicrosMax = 1_000_000;

/** Returns the time from each call to its answer; nothing if it varies or is over a second. */
export function roundTripOf({ request, answer }: ScenarioSettings['latencies']): {
  readonly roundTripMicros?: number;
} {
  if (request.kind !== 'fixed' || answer.kind !== 'fixed') return {};
  const roundTripMicros = request.us + answer.us;
  return roundTripMicros <= roundTripMicrosMax ? { roundTripMicros } : {};
}
