/**
 * `npm run prove -- all`: every run whose figures the documents state, one after the other, each in
 * a process of its own. It goes on after a failure, and each run records what it has found.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { proofRuns } from './proof-runs.ts';
import { forgetProof, type Proof, readProofs, recordProof } from './proofs-file.ts';

const script = join(import.meta.dirname, '../main.ts');

/** Returns the exit code: 0 if every run was made and found nothing wrong. */
export async function runAll(): Promise<number> {
  const proofs: (readonly [words: string, Proof])[] = [];
  const startedMs = performance.now();
  for (const [index, words] of proofRuns.entries()) {
    console.log(`\n---- ${index + 1} of ${proofRuns.length}: prove -- ${words}`);
    const proof = await runOne(words);
    proofs.push([words, proof]);
    const left = proofRuns.length - proofs.length;
    console.log(`---- ${words}: ${proof.state} after ${proof.seconds} s; ${left} left`);
  }
  const minutes = Math.round((performance.now() - startedMs) / 60_000);
  console.log(`\n---- all ${proofRuns.length} runs took ${minutes} minutes`);
  const bad = proofs.filter(([, { state }]) => state !== 'ok');
  for (const [words, { state, missing, notes }] of bad)
    console.log(`---- ${words}: ${state}: ${[...missing, ...notes].join('; ')}`);
  if (bad.some(([, { state }]) => state === 'failed')) return 1;
  return bad.length > 0 ? 3 : 0;
}

async function runOne(words: string): Promise<Proof> {
  forgetProof(words);
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, ...words.split(' '), '--record'],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(String(code ?? signal)));
  });
  const recorded = readProofs()[words];
  if (recorded !== undefined) return recorded;
  const notes = [`the process ended with ${end} and no result`];
  const seconds = (performance.now() - startedMs) / 1_000;
  return recordProof(words, { violations: null, figures: {}, notes, missing: [] }, seconds);
}
