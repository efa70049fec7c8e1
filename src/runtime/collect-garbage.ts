/** A full collection on request, for a process that has nothing else to do. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage now. V8 collects only as objects are made, so a process that falls quiet
 * after a busy hour would keep the garbage of that hour.
 */
export function collectGarbage(): void {
  // A context that is made after the flag was set has the function; ours need not.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // A usual collection would keep the freed pages for later.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
