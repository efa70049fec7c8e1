/**
 * `docs/internals/proofs.json`: what each run of `prove -- all` has found, with the commit, the day
 * and the seconds. The promises take their figures from it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesWith, promisePages } from './promises-page.ts';
import { type ProofState, proofRuns, stateOf } from './proof-runs.ts';

const root = join(import.meta.dirname, '../../..');
export const proofsPath = 'docs/internals/proofs.json';

export type Proof = {
  readonly state: ProofState;
  /** Null if the run ended without a result. */
  readonly violations: number | null;
  readonly figures: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  /** What the run needed and did not find. */
  readonly missing: readonly string[];
  readonly commit: string;
  /** Whether all files were those of the commit, apart from what a record itself changes. */
  readonly isClean: boolean;
  /** Such as 2026-11-28, UTC. */
  readonly date: string;
  readonly seconds: number;
};

/** By the words of the run. */
export type Proofs = Readonly<Record<string, Proof>>;

export function readProofs(): Proofs {
  const path = join(root, proofsPath);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

type Found = Omit<Proof, 'state' | 'commit' | 'isClean' | 'date' | 'seconds'>;

/** Writes what a run has found that began at `startedMs`, and the pages that show it. */
export function recordProof(words: string, found: Found, seconds: number): Proof {
  const proof: Proof = {
    state: stateOf(words, found),
    ...found,
    ...commitNow(),
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round(seconds),
  };
  write({ ...readProofs(), [words]: proof });
  return proof;
}

/** Removes the entry of a run, so that what is there after it is its own. */
export function forgetProof(words: string): void {
  const { [words]: _, ...others } = readProofs();
  write(others);
}

function write(all: Proofs): void {
  const ordered = Object.fromEntries(
    proofRuns.flatMap((run) => (all[run] === undefined ? [] : [[run, all[run]]])),
  );
  writeFileSync(join(root, proofsPath), `${JSON.stringify(ordered, null, 1)}\n`);
  writePages(ordered);
}

/** Writes the pages that take their figures from the file. */
export function writePages(proofs: Proofs): void {
  for (const [page, text] of Object.entries(pagesWith(proofs, root)))
    writeFileSync(join(root, page), text);
}

function commitNow(): Pick<Proof, 'commit' | 'isClean'> {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const recorded = [proofsPath, ...promisePages];
  const others = recorded.map((path) => `:(exclude)${path}`);
  return {
    commit: git('rev-parse', '--short=8', 'HEAD'),
    isClean: git('status', '--porcelain', '--', '.', ...others) === '',
  };
}
