/**
 * Finds a short story of a seed that fails: the same seed with fewer faults, as long as it still
 * fails.
 */
import { type Knob, knobs } from '../support/virtual-faults.ts';
import type { WorldOptions } from '../support/virtual-run.ts';
import type { SeedSummary } from './orders-summary.ts';

export type Story = {
  readonly seed: number;
  readonly violations: readonly string[];
  /** What was taken away from the seed's own world. */
  readonly without: readonly Knob[];
  readonly stormSeconds: number | undefined;
  readonly lines: readonly string[];
};

const stormSecondsTried = [5, 10, 20, 30] as const;

/** Returns the shortest story that was found, undefined if the seed does not fail. */
export function findStory(
  world: WorldOptions,
  run: (options: WorldOptions) => SeedSummary,
): Story | undefined {
  const tell = (without: readonly Knob[], stormSeconds: number | undefined): Story | undefined => {
    const lines: string[] = [];
    const storm = stormSeconds === undefined ? {} : { stormSeconds };
    const log = (line: string): void => {
      lines.push(line);
    };
    const { seed, violations } = run({ ...world, ...storm, without, log });
    return violations.length === 0 ? undefined : { seed, violations, without, stormSeconds, lines };
  };
  let best = tell([], undefined);
  if (best === undefined) return undefined;
  for (const stormSeconds of stormSecondsTried) {
    const shorter = tell([], stormSeconds);
    if (shorter === undefined) continue;
    best = shorter;
    break;
  }
  for (const knob of knobs) {
    const { without, stormSeconds }: Story = best;
    best = tell([...without, knob], stormSeconds) ?? best;
  }
  return best;
}
