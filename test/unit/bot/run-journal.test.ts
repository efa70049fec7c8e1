/** A journal that cannot be written ends, and its writer continues. */
import { expect, test } from 'vitest';
import type { JournalFile } from '../../../src/bot/journal/journal-file.ts';
import { openRunJournal } from '../../../src/bot/journal/run-journal.ts';

type Written = JournalFile & { readonly lines: string[]; isFull: boolean; isClosed: boolean };

function memoryFile(): Written {
  const lines: string[] = [];
  const file: Written = {
    path: '/journal',
    lines,
    isFull: false,
    isClosed: false,
    append: (line) => {
      if (file.isFull) throw new Error('ENOSPC');
      lines.push(line);
    },
    close: () => {
      file.isClosed = true;
    },
  };
  return file;
}

test('ends at the first line that cannot be written, reports why once, and drops later lines', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', () => file);
  const reasons: string[] = [];
  journal.onEnded((reason) => reasons.push(reason));
  journal.append('1');
  file.isFull = true;
  journal.append('2');
  journal.append('3');
  file.isFull = false;
  journal.append('4');
  journal.close();
  expect([file.lines, reasons, file.isClosed]).toEqual([['1'], ['ENOSPC'], true]);
});

test('that cannot be opened has ended at once; a later listener receives the reason', () => {
  const journal = openRunJournal('/journal', () => {
    throw new Error('EROFS');
  });
  const reasons: string[] = [];
  journal.append('1');
  journal.onEnded((reason) => reasons.push(reason));
  journal.close();
  expect([journal.path, reasons]).toEqual(['/journal', ['EROFS']]);
});

test('is closed when it is ended for a reason', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', () => file);
  journal.append('1');
  journal.end('little room');
  journal.append('2');
  expect([file.lines, file.isClosed]).toEqual([['1'], true]);
});
