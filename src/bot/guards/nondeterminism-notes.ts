/** Runs something and notes what plugins read that no replay can repeat. */
import { relative } from 'node:path';
import { type AmbientUse, setAmbientTraps } from '../../runtime/nondeterminism-detector.ts';

export type Watched<Value> = { readonly value: Value; readonly ambient: readonly AmbientUse[] };

/**
 * Returns what `work` gives, and what code below `folder` (absolute) used meanwhile. `work` is
 * given the list, which grows as it runs.
 */
export async function watchAmbient<Value>(
  folder: string,
  work: (ambient: readonly AmbientUse[]) => Promise<Value>,
): Promise<Watched<Value>> {
  const ambient: AmbientUse[] = [];
  const untrap = setAmbientTraps({ folder, onUse: (use) => ambient.push(use) });
  try {
    return { value: await work(ambient), ambient };
  } finally {
    untrap();
  }
}

export function ambientText(use: AmbientUse): string {
  const { what, advice = 'a replay cannot repeat what it says' } = use;
  return `${placeText(use)} calls ${what}: ${advice}`;
}

/** A place in a file as a person sees it from here. */
export function placeText({ file, line }: Pick<AmbientUse, 'file' | 'line'>): string {
  const from = relative(process.cwd(), file);
  return `${from.startsWith('..') ? file : from}:${line}`;
}
