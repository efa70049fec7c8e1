/**
 * The journal of one life: kept for a replay, written to a file, or both. A bot makes its lines a
 * moment later than this one, so some are made again later: they must not have changed.
 */
import type { WorldOptions } from './virtual-run.ts';

export type VirtualJournal = { append(line: string): void; close(): void };

/** Of so many lines one is made again, when so many others have been. */
const madeAgainOf = 8;
const madeAgainAfter = 32;

/**
 * Opens the journal of life number `life`; its lines are added to `kept` if they are to be.
 * `append` returns the line.
 */
export function openVirtualJournal(
  { openJournal, keepJournals }: WorldOptions,
  life: number,
  kept: string[][],
): { append(make: () => string): string; close(): void } {
  const file = openJournal?.(life);
  const lines: string[] = [];
  if (keepJournals === true) kept.push(lines);
  const toMakeAgain: { readonly make: () => string; readonly line: string }[] = [];
  let count = 0;
  return {
    append(make) {
      const line = make();
      file?.append(line);
      if (keepJournals === true) lines.push(line);
      if (++count % madeAgainOf === 0) toMakeAgain.push({ make, line });
      const old =
        toMakeAgain.length > madeAgainAfter / madeAgainOf ? toMakeAgain.shift() : undefined;
      if (old !== undefined && old.make() !== old.line)
        throw new Error(`a line of the journal has changed since it was added: ${old.line}`);
      return line;
    },
    close: () => file?.close(),
  };
}
