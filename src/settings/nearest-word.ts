/** "Did you mean": the allowed word with the fewest edits from what was written. */

/** Returns the nearest of `words`, or undefined if all are too different to be a typing error. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const wanted = word.toLowerCase().replace(/[-_]/gu, '');
  let nearest: string | undefined;
  // One error in three letters; letters beyond the longest allowed word do not count.
  const lengthMax = Math.max(0, ...words.map((candidate) => candidate.length));
  let best = Math.max(1, Math.floor(Math.min(wanted.length, lengthMax) / 3)) + 1;
  for (const candidate of words) {
    const distance = editDistance(wanted, candidate.toLowerCase().replace(/[-_]/gu, ''));
    if (distance < best) [nearest, best] = [candidate, distance];
  }
  return nearest;
}

/** Returns the nearest of `words` as the end of a sentence; nothing without one. */
export function meantText(word: string, words: readonly string[]): string {
  const near = nearestWord(word, words);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent letters that turn
 * `from` into `to`.
 */
export function editDistance(from: string, to: string): number {
  // Long words are cut: the first 64 characters are enough to compare.
  const [a, b] = [from.slice(0, 64), to.slice(0, 64)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
