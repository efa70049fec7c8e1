/** A proof that compared nothing has shown nothing, so it must not pass. */
import type { Prover, ProverResult } from './prover.ts';

/**
 * Returns the result with a violation for each figure that counts what was compared and is 0; where
 * something is missing, that is the reason, and the proof does not pass anyhow.
 */
export function withNothingCompared(
  { compared }: Pick<Prover, 'compared'>,
  result: ProverResult,
): ProverResult {
  if ((result.missing ?? []).length > 0) return result;
  const empty = compared.filter((name) => !(countOf(result.figures[name]) > 0));
  return {
    ...result,
    violations: result.violations + empty.length,
    notes: [...empty.map((name) => `nothing was compared: ${name} is 0`), ...result.notes],
  };
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Number(value ?? 0);
}
