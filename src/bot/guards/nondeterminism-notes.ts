/** Collects the nondeterministic calls of plugins: clocks, randomness and other ambient input. */

import {
  type NondeterministicUse,
  trapNondeterminism,
} from '../../runtime/nondeterminism-detector.ts';
import { shortPath } from '../../runtime/paths.ts';

export type Watched<Value> = {
  readonly value: Value;
  readonly ambient: readonly NondeterministicUse[];
};

/**
 * Runs `work` and returns its value, with the nondeterministic calls that plugins made meanwhile,
 * which `work` loads. `work` gets the list, which grows while it runs.
 */
export async function watchAmbient<Value>(
  work: (ambient: readonly NondeterministicUse[]) => Promise<Value>,
): Promise<Watched<Value>> {
  const ambient: NondeterministicUse[] = [];
  const untrap = trapNondeterminism({ onUse: (use) => ambient.push(use) });
  try {
    return { value: await work(ambient), ambient };
  } finally {
    untrap();
  }
}

export function ambientText(use: NondeterministicUse): string {
  const { what, advice = 'a replay cannot repeat its result' } = use;
  const who = use.package === undefined ? '' : `the package ${use.package}, `;
  return `${who}${placeText(use)} calls ${what}: ${advice}`;
}

/** A place in a file, relative to the current folder where it is inside it. */
export function placeText({ file, line }: Pick<NondeterministicUse, 'file' | 'line'>): string {
  return `${shortPath(file, process.cwd())}:${line}`;
}
