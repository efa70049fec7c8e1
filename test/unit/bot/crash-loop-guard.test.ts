/** When a start is halted because the runs before it crashed. */
import { describe, expect, test } from 'vitest';
import { crashLoopOf } from '../../../src/bot/guards/crash-loop-guard.ts';
import type { RunRow } from '../../../src/store/store-reports.ts';

const crashWindowMs = 300_000;
const nowMs = Date.UTC(2026, 2, 3, 12);

/** The runs of a database, newest first: the one that begins, then those before it. */
function runs(...earlier: readonly { readonly agoMs: number; readonly closed?: true }[]): RunRow[] {
  return [{ agoMs: 0, closed: undefined }, ...earlier].map(({ agoMs, closed }, index) => ({
    runId: 100 - index,
    startedMs: nowMs - agoMs,
    configHash: '',
    codeHash: '',
    nodeVersion: '',
    sqliteVersion: '',
    commitNumber: 1,
    closed: closed ?? false,
  }));
}

const never = Number.NEGATIVE_INFINITY;
const crash = { agoMs: 60_000 };
const ended = { agoMs: 60_000, closed: true } as const;

describe('the crash loop guard', () => {
  test.each([
    ['no run before', []],
    ['two crashes', [crash, crash]],
    ['crashes before a run that ended in order', [ended, crash, crash, crash, crash]],
    ['a run that ended in order between crashes', [crash, ended, crash, crash]],
    ['the oldest crash a moment too old', [crash, crash, { agoMs: crashWindowMs + 1 }]],
  ])('does not hold with %s', (_, earlier) => {
    expect(crashLoopOf(runs(...earlier), nowMs, never)).toBeUndefined();
  });

  test.each([
    ['three crashes in a row', [crash, crash, crash], 3],
    ['three of which the oldest is just young enough', [crash, crash, { agoMs: crashWindowMs }], 3],
    ['more of them', [crash, crash, crash, crash, { agoMs: crashWindowMs + 1 }], 4],
    ['three after one that ended in order', [crash, crash, crash, ended], 3],
  ])('S3: it holds after %s, and says how to go on', (_, earlier, count) => {
    const reason = crashLoopOf(runs(...earlier), nowMs, never);
    expect(reason).toContain(`the last ${count} runs`);
    expect(reason).toContain('--resume');
  });

  test('S3: crashes before a resume do not count, later ones do', () => {
    const crashes = runs(crash, crash, crash);
    expect(crashLoopOf(crashes, nowMs, nowMs - 60_000)).toBeUndefined();
    expect(crashLoopOf(crashes, nowMs, nowMs - 60_001)).toContain('the last 3 runs');
  });
});
