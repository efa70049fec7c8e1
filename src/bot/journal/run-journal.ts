/**
 * The journal of a running bot. It serves replays and nothing else, so that a journal that cannot
 * be written ends, and the bot goes on.
 *
 * Invariant: what is in the files is whole lines, up to the one that could not be written.
 */
import type { JournalFile } from './journal-file.ts';

export type RunJournal = JournalFile & {
  /** Ends the journal for a reason; what is appended later is not kept. */
  end(reason: string): void;
  /** Calls `listener` once with why the journal ended; at once if it has. */
  onEnded(listener: (reason: string) => void): void;
};

/** Opens the journal at `path` with `open`, whose failure ends the journal, too. */
export function openRunJournal(path: string, open: () => JournalFile): RunJournal {
  let file: JournalFile | undefined;
  let ended: string | undefined;
  let tell = (_reason: string): void => {};
  const close = (): void => {
    const closing = file;
    file = undefined;
    closing?.close();
  };
  const end = (reason: string): void => {
    if (ended !== undefined) return;
    ended = reason;
    attempt(close);
    tell(reason);
  };
  const failure = attempt(() => {
    file = open();
  });
  if (failure !== undefined) end(failure);
  return {
    path,
    append(line) {
      const failed = attempt(() => file?.append(line));
      if (failed !== undefined) end(failed);
    },
    close,
    end,
    onEnded(listener) {
      tell = listener;
      if (ended !== undefined) listener(ended);
    },
  };
}

/** Does `work`; returns what it failed of. */
function attempt(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
