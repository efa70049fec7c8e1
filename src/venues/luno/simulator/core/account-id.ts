/** Account ids. */

/**
 * Returns a 19-digit id. Like real account ids it is above 2^53, so a JavaScript number cannot hold
 * it exactly.
 */
export function accountIdOf(seed: bigint, index: number): string {
  return (
    8_000_000_000_000_000_001n +
    (seed % 1_000_000_007n) * 1_000_000_009n +
    BigInt(index) * 7n
  ).toString();
}
