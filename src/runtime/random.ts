/** The interface of all random generators, and its implementation over random words. */
export type Random = {
  /** A number in [0, 1), with 53 random bits. */
  next(): number;
  /** An integer from `min` to `max`, both included, uniformly distributed. */
  integer(min: number, max: number): number;
};

/** Builds a generator from a source of unsigned 32-bit words. */
export function randomFrom(word: () => number): Random {
  const bits53 = (): number => (word() >>> 5) * 2 ** 26 + (word() >>> 6);
  return {
    next: () => bits53() / 2 ** 53,
    integer: (min, max) => {
      const span = max - min + 1;
      if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || span < 1) {
        throw new RangeError(`bounds must be integers in order, were ${min} and ${max}`);
      }
      if (span > 2 ** 53) throw new RangeError(`range must not exceed 2^53, was ${span}`);
      const isSmall = span <= 2 ** 32;
      const size = isSmall ? 2 ** 32 : 2 ** 53;
      // Reject draws above the last whole multiple of the span: they would favour low results.
      const limit = size - (size % span);
      let drawn: number;
      do drawn = isSmall ? word() : bits53();
      while (drawn >= limit);
      return min + (drawn % span);
    },
  };
}
