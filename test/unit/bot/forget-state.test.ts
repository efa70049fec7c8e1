/** What `--fresh` deletes and what it keeps. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetState } from '../../../src/bot/start/forget-state.ts';
import type { Timers } from '../../../src/runtime/timers.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-forget-'));
  mkdirSync(join(home, 'simulator'));
  mkdirSync(join(home, 'journal'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Time that passes only by waiting. */
function manual(onWait: () => void = () => {}) {
  let nowMicros = 0;
  const timers = {
    after: (delayMs: number, call: () => void) => {
      nowMicros += delayMs * 1000;
      onWait();
      queueMicrotask(call);
      return () => {};
    },
  } as Pick<Timers, 'after'> as Timers;
  return { clock: { nowMicros: () => nowMicros, monotonicMicros: () => nowMicros }, timers };
}

const place = () => ({ home, store: join(home, 'demo.sqlite') });
const put = (...names: string[]): void => {
  for (const name of names) writeFileSync(join(home, name), 'x');
};

const ours = [
  'demo.sqlite',
  'demo.sqlite-wal',
  'demo.sqlite-shm',
  'journal/demo-20260101T000000-run1.jsonl',
  'simulator/snapshot-12.bin',
  'simulator/commands-12.log',
  'simulator/commands-13.log.tmp',
  'simulator/credentials.json',
  'simulator/control-token',
  'simulator/tls-certificate.pem',
  'simulator/tls-key.pem',
];

test('our own files are deleted, and folders that are then empty', async () => {
  put(...ours);
  await forgetState(place(), manual());
  expect(readdirSync(home)).toEqual([]);
  // Nothing to forget is no error.
  await forgetState(place(), manual());
});

test('a file that is not ours stays, wherever it is', async () => {
  const foreign = [
    'notes.txt',
    'other.sqlite',
    'journal/notes.jsonl',
    'journal/demo-20260101T000000-run1.jsonl.bak',
    'simulator/snapshot-12.bin.bak',
    'simulator/thesis.doc',
  ];
  put(...ours, ...foreign);
  await forgetState(place(), manual());
  expect(foreign.filter((name) => !existsSync(join(home, name)))).toEqual([]);
  expect(ours.filter((name) => existsSync(join(home, name)))).toEqual([]);
});

test('nothing is deleted while another process uses the simulator; it waits for its end', async () => {
  put(...ours);
  const lock = join(home, 'simulator', 'process.lock');
  // The first process of this machine runs for ever.
  const { readFileSync } = await import('node:fs');
  const stat = readFileSync('/proc/1/stat', 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  writeFileSync(lock, `1 ${started}`);
  await expect(forgetState(place(), manual())).rejects.toMatchObject({
    code: 'MR_ALREADY_RUNNING',
  });
  expect(ours.filter((name) => !existsSync(join(home, name)))).toEqual([]);
  await forgetState(
    place(),
    manual(() => rmSync(lock, { force: true })),
  );
  expect(readdirSync(home)).toEqual([]);
});
