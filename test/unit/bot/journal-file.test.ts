/** A journal in segments: whole in a replay, compressed when full, and bounded. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createJournalFile, journalLines } from '../../../src/bot/journal/journal-file.ts';
import { journalRunsIn } from '../../../src/bot/journal/journal-segments.ts';
import { replayJournal } from '../../../src/bot/journal/replay-journal.ts';
import { runReplay } from '../../../src/cli/commands/replay-command.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { printed } from '../../support/printed.ts';
import { eventually } from '../../support/process-bot.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';

const strategies = join(import.meta.dirname, '../../../strategies');
const startedMs = Date.UTC(2026, 10, 20, 12);

/** The journal of a market maker's only life: a header and batches. */
const lines = ((): readonly string[] => {
  const world = new VirtualWorld({
    seed: 3,
    level: 0,
    stormSeconds: 5,
    withChaos: false,
    keepJournals: true,
  });
  return world.run().journals[0] ?? [];
})();
const bytes = lines.reduce((sum, line) => sum + line.length, 0);

let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-journal-'));
  folder = join(home, 'journal');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Writes a run's journal in about `parts` segments. */
function write(
  runId: number,
  parts: number,
  bounds: { bytesMax?: number; filesMax?: number } = {},
) {
  const journal = createJournalFile(
    folder,
    { bot: 'desk', runId, startedMs: startedMs + runId * 1000 },
    { segmentBytesMax: bytes / parts, bytesMax: 1e12, filesMax: 1_000, ...bounds },
  );
  for (const line of lines) journal.append(line);
  return journal;
}

const names = (): string[] => readdirSync(folder).sort();
const isCompressed = (): boolean => names().filter((name) => !name.endsWith('.gz')).length === 1;

async function verb(journal: string | undefined, all: boolean) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout, stderr });
  const code = await runReplay({ workspace, journal, all, home, output });
  const told = printed(stderr);
  return { code, ...JSON.parse(printed(stdout)), told };
}

describe('a journal in segments', () => {
  test('is replayed whole, from any of its files, compressed or not', async () => {
    const journal = write(7, 6);
    expect(names().length).toBeGreaterThan(4);
    await eventually(isCompressed, 10_000);
    journal.close();
    for (const name of names())
      expect(await replayJournal(join(folder, name), strategies)).toMatchObject({
        run: '1',
        batches: lines.length - 1,
        different: 0,
        droppedLines: 0,
        unreadLines: 0,
      });
    expect(names()[0]).toBe('desk-20261120T120007-run7.2.jsonl.gz');
    for (const name of names()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('has every line that was written, whole and in order', async () => {
    const journal = write(7, 9);
    await eventually(isCompressed, 10_000);
    journal.close();
    const read: string[] = [];
    for (const { path } of journalRunsIn(folder)[0]?.segments ?? [])
      for await (const line of journalLines(path))
        if (line !== '' && !line.includes('"kind":"segment"')) read.push(`${line}\n`);
    expect(read).toEqual(lines);
  });

  test('drops a torn last line of the last segment only', async () => {
    write(7, 4).close();
    const segments = journalRunsIn(folder)[0]?.segments.map(({ path }) => path) ?? [];
    const tear = (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, -20));
    const [last = '', before = ''] = segments.toReversed();
    tear(last);
    expect(await replayJournal(last, strategies)).toMatchObject({ different: 0, droppedLines: 1 });
    // Compressed meanwhile or not: what is written here is not.
    rmSync(before, { force: true });
    writeFileSync(before.replace('.gz', ''), '1c291ca3 {"kind":"segm');
    expect((await replayJournal(last, strategies)).different).toBe(1);
  });

  test('reports a segment that does not fit its successor', async () => {
    write(7, 4).close();
    const [, second] = journalRunsIn(folder)[0]?.segments ?? [];
    const text = readFileSync(second?.path ?? '', 'utf8').split('\n');
    writeFileSync(second?.path ?? '', `${text.slice(0, -3).join('\n')}\n`);
    const result = await replayJournal(second?.path ?? '', strategies);
    expect(result.different).toBe(1);
    expect(result.firstDifference).toMatch(/segment 3 must follow \d+ batches, but \d+ were read/u);
  });

  test('keeps the newest segments within its bound, and a replay reports the deleted ones', async () => {
    write(6, 3).close();
    const journal = write(7, 10, { bytesMax: bytes / 2 });
    await eventually(isCompressed, 10_000);
    journal.close();
    const [only, ...others] = journalRunsIn(folder);
    expect(others).toEqual([]);
    expect(only?.path).toContain('run7.jsonl');
    expect(only?.gone[0]).toBe(1);
    const size = names().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(size).toBeLessThanOrEqual(bytes / 2);

    const one = await verb(only?.path, false);
    expect(one.code).toBe(4);
    expect(one.failures[0].message).toMatch(/segments were deleted \(1.*\) to keep the journals/u);
    expect(await verb(undefined, true)).toMatchObject({
      code: 0,
      journals: 1,
      incomplete: [only?.path],
      failed: 0,
      different: 0,
    });
  });

  test('is bounded in number over all runs, and only for its own bot', () => {
    write(1, 1).close();
    const other = join(folder, 'other-20261120T120001-run1.jsonl');
    writeFileSync(other, '');
    for (let runId = 2; runId <= 9; runId++) write(runId, 1, { filesMax: 4 }).close();
    // The oldest first, whoever's they are.
    expect(journalRunsIn(folder).map((run) => run.path)).toEqual([
      other,
      ...[6, 7, 8, 9].map((run) => join(folder, `desk-20261120T12000${run}-run${run}.jsonl`)),
    ]);
  });

  test('the rest of a killed compression is removed by the next run', () => {
    write(1, 1).close();
    const left = join(folder, 'desk-20261120T120001-run1.jsonl.gz.tmp');
    writeFileSync(left, 'half');
    write(2, 1).close();
    expect(names().join()).not.toContain('tmp');
  });
});
