/** The text about a stopped strategy, for the end of a run. */
import type { HostFault } from './host.ts';

/** Returns which strategy stopped, when (UTC) and why. */
export function faultText({ strategyId, kind, message, timeMs }: HostFault): string {
  const time = new Date(timeMs).toISOString();
  return `strategy ${strategyId} stopped at ${time}: ${kind}: ${message}`;
}
