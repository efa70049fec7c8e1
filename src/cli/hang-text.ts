/** The message for a run that hangs because a strategy does not return. */

/** Returns the start of the message; the time of the hang follows it. */
export function hangText(strategies: readonly string[], graceMs: number): string {
  const names = strategies.join(' or ');
  const seconds = graceMs / 1000;
  return `a strategy (${names}) has not returned for ${seconds} s: an endless loop, or more work than --grace allows; ended without results, at`;
}
