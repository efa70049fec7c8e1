/** The journal of one life: kept for a replay, written to a file, or both. */
import type { WorldOptions } from './virtual-run.ts';

export type VirtualJournal = { append(line: string): void; close(): void };

/** Opens the journal of life number `life`; its lines are added to `kept` if they are to be. */
export function openVirtualJournal(
  { openJournal, keepJournals }: WorldOptions,
  life: number,
  kept: string[][],
): VirtualJournal {
  const file = openJournal?.(life);
  const lines: string[] = [];
  if (keepJournals === true) kept.push(lines);
  return {
    append(line) {
      file?.append(line);
      if (keepJournals === true) lines.push(line);
    },
    close: () => file?.close(),
  };
}
