/** The message of a run that a strategy keeps from going on. */

/** Returns the beginning of the message; the time at which the run stood still follows it. */
export function standstillText(strategies: readonly string[], graceMs: number): string {
  const whose = strategies.join(' or ');
  const seconds = graceMs / 1000;
  return `a strategy (${whose}) has not returned for ${seconds} s: a loop without end, or more to do than --grace gives it; ended without results, at`;
}
