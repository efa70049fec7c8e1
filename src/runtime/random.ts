/** What every source of randomness gives, and how it is made of random words. */
export type Random = {
  /** A number in [0, 1), with 53 random bits. */
  next(): number;
  /** An integer from `min` to `max`, both included, each equally likely. */
  integer(min: number, max: number): number;
};

/** Builds everything from a source of 32-bit unsigned words. */
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
      // Draws above the last whole multiple are thrown away, or low results would be likelier.
      const limit = size - (size % span);
      let drawn: number;
      do drawn = isSmall ? word() : bits53();
      while (drawn >= limit);
      return min + (drawn % span);
    },
  };
}
