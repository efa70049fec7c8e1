/** A full collection on request, for a process that has nothing else to do. */

/**
 * Collects all garbage now and gives its memory back. Does nothing unless Node was started with
 * `--expose-gc`. V8 collects only as objects are made, so a process that falls quiet after a busy
 * hour would keep the garbage of that hour.
 */
export function collectGarbage(): void {
  // A usual collection would keep the freed pages for later.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
