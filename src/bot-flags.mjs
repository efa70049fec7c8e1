/** The flags of Node for a process that trades. The launcher sets them, and the latency proof. */

/**
 * The bytes of bytecode that V8 may inline into one function. Our hot paths consist of small
 * functions; with the default of 920, the calls between them cost more than their work.
 */
export const inlining = ['--max-inlined-bytecode-size-cumulative=5000'];

/**
 * A bot allocates a few hundred kilobytes for each order, of which hardly anything lives on. With
 * the small young generation that V8 begins with, it would collect garbage every few orders, and
 * wake other threads each time, for work that takes one thread less time than waking them.
 */
export const trading = ['--min-semi-space-size=16', '--no-parallel-scavenge'];
