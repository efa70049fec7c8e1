/** What becomes of a strategy that failed, as people read it at the end of a run. */
import type { HostFault } from './host.ts';

/** Returns its name, when it was stopped, in UTC, and why. */
export function faultText({ strategyId, kind, message, timeMs }: HostFault): string {
  const time = new Date(timeMs).toISOString();
  return `strategy ${strategyId} stopped at ${time}: ${kind}: ${message}`;
}
