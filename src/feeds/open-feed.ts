/** An open feed, whatever its source. */
export type OpenFeed = {
  /** Ends it; nothing is told afterwards. */
  readonly close: () => Promise<void>;
};

/** Returns a short reason for a network error: never its text, which may have anything in it. */
export function networkReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'network error';
}
