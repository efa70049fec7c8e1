/** Flags of Node. The launcher sets them, and the proofs do. */

/**
 * The bytes of bytecode that V8 may inline into one function. Our hot paths consist of small
 * functions; with the default of 920, the calls between them cost more than their work.
 */
export const inlining = ['--max-inlined-bytecode-size-cumulative=5000'];

/**
 * A bot works for a millisecond, several times a second, and what it runs for one order it rarely
 * runs again for the same order. V8 would watch most of it in the interpreter first, and compile it
 * after 400 calls, so for minutes; and it would wake other threads for each collection of a young
 * generation of which hardly anything lives on. What is compiled once is fast enough for hours: the
 * second compiler would cost a tenth of the processor time of the first thousands of orders.
 * V8 multiplies its limit by the length of a function, in 32 bits, so it can hardly be higher.
 */
export const trading = [
  '--no-lazy-feedback-allocation',
  '--invocation-count-for-maglev=100',
  '--invocation-count-for-turbofan=100000',
  '--max-maglev-inlined-bytecode-size-cumulative=3000',
  '--no-parallel-scavenge',
];

/** For the simulated exchange, which collects its garbage when nobody calls. */
export const collecting = ['--expose-gc'];
