/**
 * Tells one story again and again, with the process dying at each of its commits in turn: before
 * it, after it, and a second time while it recovers.
 */
import type { WorldOptions } from '../support/virtual-run.ts';
import { runWorld } from '../support/virtual-world.ts';
import type { CrashScenario } from './crash-scenarios.ts';

export type CrashRuns = {
  readonly scenario: string;
  /** Runs with one crash. */
  readonly points: number;
  /** Runs with two. */
  readonly doublePoints: number;
  readonly violations: readonly string[];
};

type Crashes = NonNullable<WorldOptions['crashAt']>;

/** How many commits after a crash another one comes. */
const secondAfter = [1, 2, 4, 8] as const;

/** Crashes at every `stride`-th commit of the story, and at some of them twice. */
export function runCrashes({ name, world }: CrashScenario, stride: number): CrashRuns {
  const violations: string[] = [];
  let points = 0;
  let doublePoints = 0;
  const run = (crashAt: Crashes): number => {
    const result = runWorld({ ...world(), crashAt });
    const where = crashAt.map((one) => `${one.where} commit ${one.commit}`).join(' and ');
    for (const said of result.violations)
      violations.push(`${name}, crash ${where || 'nowhere'}: ${said}`);
    return result.commits;
  };
  const commits = run([]);
  for (let commit = 1; commit <= commits; commit += stride) {
    for (const where of ['before', 'after'] as const) {
      run([{ commit, where }]);
      points++;
    }
    const after = secondAfter[commit % secondAfter.length] ?? 1;
    run([
      { commit, where: 'after' },
      { commit: commit + after, where: 'before' },
    ]);
    doublePoints++;
  }
  return { scenario: name, points, doublePoints, violations };
}
