/**
 * Whose code runs, as declared by whoever enters it, so that nobody has to read a stack to know.
 *
 * Invariant: only bookkeeping; no clock, timer, I/O or randomness, so that the engine may use it.
 */

/** `unknown` in callbacks of promises and timers, which start without being entered by anybody. */
export type CodeOwner = 'millrace' | 'plugin' | 'unknown';

let owner: CodeOwner = 'unknown';
let pluginsLoading = 0;

/** Returns whose code runs. */
export function codeOwner(): CodeOwner {
  return owner;
}

/** Enters code of `next`, and returns the owner to go back to with a second call. */
export function enterCode(next: CodeOwner): CodeOwner {
  const before = owner;
  owner = next;
  return before;
}

/** Runs `work`, which must be synchronous, as code of that owner. */
export function runCodeOf<Value>(next: CodeOwner, work: () => Value): Value {
  const before = enterCode(next);
  try {
    return work();
  } finally {
    enterCode(before);
  }
}

/** Whether a plugin's modules are being loaded; other code may run meanwhile. */
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
