/** Times of recordings as text for people. */

/** Returns microseconds since the epoch as UTC, like `2026-11-20T08:00:00.123Z`. */
export function timeText(micros: number): string {
  return new Date(Math.floor(micros / 1_000)).toISOString();
}
