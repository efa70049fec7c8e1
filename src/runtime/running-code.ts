/**
 * Records whether code of Millrace or of a plugin is running. Callers declare it when they enter
 * code, so that no stack has to be read.
 *
 * Invariant: no clock, timer, I/O or randomness, so that the engine may use it.
 */

/** `unknown` in callbacks of promises and timers, which start without a declaration. */
export type CodeOwner = 'millrace' | 'plugin' | 'unknown';

let owner: CodeOwner = 'unknown';
let pluginsLoading = 0;

/** Returns the owner of the running code. */
export function codeOwner(): CodeOwner {
  return owner;
}

/** Declares that code of `next` runs; returns the previous owner, to be restored afterwards. */
export function enterCode(next: CodeOwner): CodeOwner {
  const before = owner;
  owner = next;
  return before;
}

/** Runs `work`, which must be synchronous, as code of the owner `next`. */
export function runCodeOf<Value>(next: CodeOwner, work: () => Value): Value {
  const before = enterCode(next);
  try {
    return work();
  } finally {
    enterCode(before);
  }
}

/** Whether the modules of a plugin are being loaded; other code may run at the same time. */
export function isPluginLoading(): boolean {
  return pluginsLoading > 0;
}

/** Runs `work`, which loads the modules of a plugin. */
export async function loadPlugin<Value>(work: () => Promise<Value>): Promise<Value> {
  pluginsLoading++;
  try {
    return await work();
  } finally {
    pluginsLoading--;
  }
}
