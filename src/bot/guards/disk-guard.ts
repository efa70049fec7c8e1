/** What a running bot does when the room on its disk gets low, or its journal cannot be written. */
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
  /** Where captures are kept. */
  readonly captures: string;
  readonly timers: Pick<Timers, 'after'>;
  readonly onNotice: (notice: Notice) => void;
  /** An incident with this code. */
  readonly onTrouble: (code: 'DISK_SPACE' | 'JOURNAL_ENDED', text: string) => void;
};

/** Begins; the returned function ends it. */
export function guardDisk(options: DiskGuardOptions): Cancel {
  const { store, journal, capture, captures, onNotice, onTrouble } = options;
  const folder = dirname(store);
  journal.onEnded((reason) =>
    onTrouble('JOURNAL_ENDED', `this run can be replayed up to here only: ${reason}`),
  );
  return watchFreeSpace({
    folder,
    timers: options.timers,
    onLevel: (level, space) => {
      if (level === 'enough')
        onNotice({ level: 'info', topic: 'state', text: `${roomOf(folder, space)} again` });
      if (level === 'low')
        onNotice({ level: 'warn', topic: 'state', text: lowText(folder, space) });
      if (level !== 'scarce') return;
      onTrouble('DISK_SPACE', lowText(folder, space));
      if (isSameDisk(dirname(journal.path), folder))
        journal.end('the rest of the disk is kept for the database');
      if (capture !== undefined && isSameDisk(captures, folder)) capture.end();
    },
  });
}

function roomOf(folder: string, { freeBytes }: Space): string {
  return `the disk of ${folder} has ${(freeBytes / 2 ** 20).toFixed(1)} MiB of room`;
}

function lowText(folder: string, space: Space): string {
  return `${roomOf(folder, space)}; when it is full, the bot cancels its orders and ends`;
}
