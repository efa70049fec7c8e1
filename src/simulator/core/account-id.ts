/** Ids of accounts. */

/**
 * Nineteen digits, as real account ids have: above 2^53, where a JavaScript number would be wrong.
 */
export function accountIdOf(seed: bigint, index: number): string {
  return (
    8_000_000_000_000_000_001n +
    (seed % 1_000_000_007n) * 1_000_000_009n +
    BigInt(index) * 7n
  ).toString();
}
