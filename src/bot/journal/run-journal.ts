/**
 * The journal of a running bot. Only replays need it, so if it cannot be written, it ends and the
 * bot continues.
 *
 * Lines wait a moment, and are made and written together: the first after a pause takes several
 * times as long as the next. A killed bot loses those that wait: its journal then ends a few
 * batches before its database does.
 *
 * Invariant: the files contain complete lines, up to the first ones that could not be written.
 */
import { DeferredLines } from '../../runtime/deferred-lines.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { JournalFile } from './journal-file.ts';

export type RunJournal = {
  /** Path of the first segment, which identifies the journal. */
  readonly path: string;
  /**
   * Adds a line. It is made when it is written, so what it describes must not change until then.
   * `size` is how many usual lines it counts as: only so many are kept waiting.
   */
  append(line: () => string, size?: number): void;
  flush(): void;
  close(): void;
  /** Ends the journal for a reason; later lines are discarded. */
  end(reason: string): void;
  /** Calls `listener` once with the reason when the journal ends, or at once if it has ended. */
  onEnded(listener: (reason: string) => void): void;
};

const waitMs = 100;

/** Opens the journal at `path` with `open`; a failure of `open` ends the journal, too. */
export function openRunJournal(
  path: string,
  timers: Pick<Timers, 'after'>,
  open: () => JournalFile,
): RunJournal {
  let file: JournalFile | undefined;
  let ended: string | undefined;
  let notify = (_reason: string): void => {};
  const waiting = new DeferredLines(timers, waitMs, (lines) => {
    const failed = attempt(() => file?.append(...lines.map((make) => make())));
    if (failed !== undefined) end(failed);
  });
  const close = (): void => {
    waiting.close();
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
    append: (line, size) => {
      if (file !== undefined) waiting.append(line, size);
    },
    flush: () => waiting.flush(),
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
