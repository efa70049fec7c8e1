/** A journal that cannot be written ends, and its writer continues. */
import { beforeEach, expect, test } from 'vitest';
import type { JournalFile } from '../../../src/bot/journal/journal-file.ts';
import { openRunJournal } from '../../../src/bot/journal/run-journal.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

type Written = JournalFile & { readonly lines: string[]; isFull: boolean; isClosed: boolean };

let timers: FakeTimers;
beforeEach(() => {
  timers = new FakeTimers();
});

function memoryFile(): Written {
  const lines: string[] = [];
  const file: Written = {
    path: '/journal',
    lines,
    isFull: false,
    isClosed: false,
    append: (...given) => {
      if (file.isFull) throw new Error('ENOSPC');
      lines.push(given.join('+'));
    },
    close: () => {
      file.isClosed = true;
    },
  };
  return file;
}

test('ends at the first line that cannot be written, reports why once, and drops later lines', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', timers, () => file);
  const reasons: string[] = [];
  journal.onEnded((reason) => reasons.push(reason));
  journal.append(() => '1');
  journal.flush();
  file.isFull = true;
  journal.append(() => '2');
  timers.advance(100);
  journal.append(() => '3');
  file.isFull = false;
  timers.advance(100);
  journal.append(() => '4');
  journal.close();
  expect([file.lines, reasons, file.isClosed]).toEqual([['1'], ['ENOSPC'], true]);
});

test('that cannot be opened has ended at once; a later listener receives the reason', () => {
  const journal = openRunJournal('/journal', timers, () => {
    throw new Error('EROFS');
  });
  const reasons: string[] = [];
  journal.append(() => '1');
  journal.onEnded((reason) => reasons.push(reason));
  journal.close();
  expect([journal.path, reasons]).toEqual(['/journal', ['EROFS']]);
});

test('is closed when it is ended for a reason', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', timers, () => file);
  journal.append(() => '1');
  journal.end('little room');
  journal.append(() => '2');
  expect([file.lines, file.isClosed]).toEqual([['1'], true]);
});

test('writes the lines of 100 ms together, and the rest when it is closed', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', timers, () => file);
  journal.append(() => '1');
  timers.advance(99);
  journal.append(() => '2');
  expect(file.lines).toEqual([]);
  timers.advance(1);
  journal.append(() => '3');
  journal.close();
  expect(file.lines).toEqual(['1+2', '3']);
});

test('makes its lines when they are written; one that cannot be made ends it', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', timers, () => file);
  const reasons: string[] = [];
  journal.onEnded((reason) => reasons.push(reason));
  let text = 'early';
  journal.append(() => text);
  text = 'late';
  timers.advance(100);
  expect(file.lines).toEqual(['late']);
  journal.append(() => {
    throw new RangeError('unmade');
  });
  timers.advance(100);
  journal.append(() => 'after');
  expect([file.lines, reasons, file.isClosed]).toEqual([['late'], ['unmade'], true]);
});

test('writes more than 32 lines at once', () => {
  const file = memoryFile();
  const journal = openRunJournal('/journal', timers, () => file);
  for (let count = 0; count < 33; count++) journal.append(() => 'x');
  expect(file.lines).toHaveLength(1);
  for (let count = 0; count < 2; count++) journal.append(() => 'x', 32);
  expect(file.lines).toHaveLength(2);
});
