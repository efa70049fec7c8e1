/** The types of `bot-flags.mjs`, which the launcher imports on any Node, and so has none itself. */
export const inlining: readonly string[];
export const trading: readonly string[];
export const collecting: readonly string[];
