/** Reacts to low disk space, and to a journal that cannot be written, while the bot runs. */
import { dirname } from 'node:path';
import type { Notice } from '../../domain/notice.ts';
import type { CaptureRecorder } from '../../recording/capture/capture-recorder.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import type { RunJournal } from '../journal/run-journal.ts';
import { isSameDisk, type Space, watchFreeSpace } from './free-space.ts';

export type DiskGuardOptions = {
  /** Path of the database. */
  readonly store: string;
  readonly journal: RunJournal;
  readonly capture: CaptureRecorder | undefined;
  /** The folder of the captures. */
  readonly captures: string;
  readonly timers: Pick<Timers, 'after'>;
  readonly onNotice: (notice: Notice) => void;
  /** Called for an incident with this code. */
  readonly onTrouble: (code: 'DISK_SPACE' | 'JOURNAL_ENDED', text: string) => void;
};

/** Starts the guard; the returned function ends it. */
export function guardDisk(options: DiskGuardOptions): Cancel {
  const { store, journal, capture, captures, onNotice, onTrouble } = options;
  const folder = dirname(store);
  journal.onEnded((reason) =>
    onTrouble('JOURNAL_ENDED', `this run can be replayed only up to now: ${reason}`),
  );
  return watchFreeSpace({
    folder,
    timers: options.timers,
    onLevel: (level, space) => {
      if (level === 'enough')
        onNotice({ level: 'info', topic: 'state', text: `${freeText(folder, space)} again` });
      if (level === 'low')
        onNotice({ level: 'warn', topic: 'state', text: lowText(folder, space) });
      if (level !== 'scarce') return;
      onTrouble('DISK_SPACE', lowText(folder, space));
      if (isSameDisk(dirname(journal.path), folder))
        journal.end('the remaining disk space is reserved for the database');
      if (capture !== undefined && isSameDisk(captures, folder)) capture.end();
    },
  });
}

function freeText(folder: string, { freeBytes }: Space): string {
  return `the disk of ${folder} has ${(freeBytes / 2 ** 20).toFixed(1)} MiB free`;
}

function lowText(folder: string, space: Space): string {
  return `${freeText(folder, space)}; when it is full, the bot cancels its orders and ends`;
}
