/**
 * The journal of a running bot. Only replays need it, so if it cannot be written, it ends and the
 * bot continues.
 *
 * Invariant: the files contain complete lines, up to the first one that could not be written.
 */
import type { JournalFile } from './journal-file.ts';

export type RunJournal = JournalFile & {
  /** Ends the journal for a reason; later lines are discarded. */
  end(reason: string): void;
  /** Calls `listener` once with the reason when the journal ends, or at once if it has ended. */
  onEnded(listener: (reason: string) => void): void;
};

/** Opens the journal at `path` with `open`; a failure of `open` ends the journal, too. */
export function openRunJournal(path: string, open: () => JournalFile): RunJournal {
  let file: JournalFile | undefined;
  let ended: string | undefined;
  let notify = (_reason: string): void => {};
  const close = (): void => {
    const closing = file;
    file = undefined;
    closing?.close();
  };
  const end = (reason: string): void => {
    if (ended !== undefined) return;
    ended = reason;
    attempt(close);
    notify(reason);
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
      notify = listener;
      if (ended !== undefined) listener(ended);
    },
  };
}

/** Runs `work`; returns its error message, or undefined if it succeeded. */
function attempt(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
