/** A replay finds changes, drops only a torn end, and reports why a file cannot be read. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { replayJournal } from '../../../src/bot/journal/replay-journal.ts';
import { runReplay } from '../../../src/cli/commands/replay-command.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { writeClockReader } from '../../support/planted-plugin.ts';
import { printed } from '../../support/printed.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';

const home = mkdtempSync(join(tmpdir(), 'millrace-replay-'));
const strategies = join(import.meta.dirname, '../../../strategies');
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The journal of a market maker's first life; the last lines are batches with commits. */
const lines = ((): readonly string[] => {
  const world = new VirtualWorld({
    seed: 3,
    level: 0,
    stormSeconds: 5,
    withChaos: false,
    keepJournals: true,
  });
  return (world.run().journals[0] ?? []).map((line) => line.trimEnd());
})();

function written(text: string, name = 'a.jsonl'): string {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

const whole = `${lines.join('\n')}\n`;
const replayed = (text: string) => replayJournal(written(text), strategies);

function sealed(text: string): string {
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}`;
}

function withLine(index: number, change: (line: string) => string): string {
  return `${lines.map((line, i) => (i === index ? change(line) : line)).join('\n')}\n`;
}

/** Runs the verb for a program; returns its exit code, its object and what it complains of. */
async function verb(
  journal: string | undefined,
  all = false,
  folder = home,
  strategiesFolder = strategies,
) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runReplay({
    workspace: { ...workspace, strategies: strategiesFolder },
    journal,
    all,
    home: folder,
    output: new Output({ workspace, isJson: true, stdout, stderr }),
  });
  return { code, ...JSON.parse(printed(stdout)), complaint: printed(stderr) };
}

describe('a replay', () => {
  test('of an unchanged journal finds no difference', async () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(await replayed(whole)).toMatchObject({
      batches: lines.length - 1,
      different: 0,
      droppedLines: 0,
      unreadLines: 0,
    });
  });

  test('G6: of a plugin that reads the clock fails, although nothing differs', async () => {
    const journal = written(whole, 'clock.jsonl');
    expect(await verb(journal)).toMatchObject({ code: 0, runs: [{ ambient: [] }] });
    expect(await verb(journal, false, home, writeClockReader(home))).toMatchObject({
      code: 1,
      different: 0,
      runs: [{ ambient: [{ what: 'Date.now' }] }],
    });
  });

  test('drops a torn last line, with and without its line feed', async () => {
    const last = lines.at(-1) ?? '';
    const before = `${lines.slice(0, -1).join('\n')}\n`;
    for (const end of [last.slice(0, 3), last.slice(0, -1), `${last.slice(0, -1)}\n`])
      expect(await replayed(before + end)).toMatchObject({
        batches: lines.length - 2,
        different: 0,
        droppedLines: 1,
      });
    // Only the line feed is missing: the batch is whole.
    expect(await replayed(before + last)).toMatchObject({ different: 0, droppedLines: 0 });
  });

  test('counts a damaged line before the end, and names it', async () => {
    const at = Math.floor(lines.length / 2);
    for (const damaged of [
      withLine(at, (line) => line.replace('"commit"', '"comMit"')),
      withLine(at, () => ''),
      withLine(at, (line) => line.slice(0, 40)),
      withLine(at, () => sealed('{"kind":')),
    ])
      expect(await replayed(damaged)).toMatchObject({
        batches: at - 1,
        different: 1,
        firstDifference: `line ${at + 1} is damaged`,
        droppedLines: 0,
      });
    expect(await replayed(withLine(at, () => lines[0] ?? ''))).toMatchObject({
      different: 1,
      firstDifference: `line ${at + 1} is a second header`,
    });
  });

  test('counts a commit that goes back or skips one', async () => {
    const at = lines.findIndex((line) => /"commit":[2-9]/u.test(line));
    for (const change of [1, -1]) {
      const forged = withLine(at, (line) =>
        sealed(
          line
            .slice(9)
            .replace(
              /"commit":(\d+)/u,
              (_, n: string) => `"commit":${Number.parseInt(n, 10) + change}`,
            ),
        ),
      );
      const found = await replayed(forged);
      expect(found.different).toBeGreaterThan(0);
      expect(found.firstDifference).toContain(`batch ${at}: its commit number is`);
    }
  });

  test('shows the event at which the engine fails, and whether it ended the run', async () => {
    const at = lines.length - 1;
    const failing = (failure: string | undefined): string =>
      withLine(at, (line) => {
        const block = JSON.parse(line.slice(9));
        const events = [[block.events[0][0], { kind: 'market-frame', pair: 'XBTZAR', text: '[' }]];
        return sealed(JSON.stringify({ ...block, events, failure }));
      });
    const found = await replayed(failing(undefined));
    expect(found).toMatchObject({ different: 1, failure: undefined });
    const message = found.firstDifference?.replace(/^batch \d+, event \d+: /u, '') ?? '';
    expect(await replayed(failing(message))).toMatchObject({
      different: 0,
      failure: found.firstDifference,
    });
    expect(
      (
        await replayed(
          withLine(at, (line) =>
            sealed(JSON.stringify({ ...JSON.parse(line.slice(9)), failure: 'bang' })),
          ),
        )
      ).firstDifference,
    ).toContain('"bang" ended the run');
  });
});

describe('the command', () => {
  test('reports what is wrong with a file, also as JSON, with its exit code', async () => {
    const nothing = join(home, 'nothing.jsonl');
    expect(await verb(nothing)).toMatchObject({
      code: 4,
      failed: 1,
      failures: [{ journal: nothing, code: 'MR_NOT_FOUND' }],
      complaint: expect.stringContaining('MR_NOT_FOUND'),
    });
    expect(await verb(undefined)).toMatchObject({ code: 4, journals: 0, failed: 1 });
    expect(await verb(home)).toMatchObject({
      code: 1,
      failures: [
        { code: 'MR_DECODE', message: `${home} is not a journal: it is not a regular file` },
      ],
    });
    expect(await verb(written(''))).toMatchObject({ code: 1, failures: [{ code: 'MR_DECODE' }] });
    expect(await verb(written('hello\n'))).toMatchObject({
      code: 1,
      failures: [{ code: 'MR_DECODE' }],
    });
    expect(readFileSync(written(whole), 'utf8')).toBe(whole);
    expect(await verb(written(whole))).toMatchObject({ code: 0, failed: 0, journals: 1 });
  });

  test('continues after a bad file when all are requested, and counts it', async () => {
    const folder = join(home, 'all');
    mkdirSync(join(folder, 'journal'), { recursive: true });
    const name = (day: number): string =>
      join('all', 'journal', `b-2026010${day}T000000-run${day}.jsonl`);
    written(whole, name(1));
    written('damaged\n', name(2));
    written(whole, name(3));
    const found = await verb(undefined, true, folder);
    expect(found).toMatchObject({ code: 1, journals: 3, failed: 1, different: 0 });
    expect(found.runs).toHaveLength(2);
  });
});
