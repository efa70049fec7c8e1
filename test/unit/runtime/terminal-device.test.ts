/** A real terminal that takes nothing does not keep the process waiting, and gets what waited. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTerminal } from '../../../src/runtime/terminal-device.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { packageRoot } from '../../support/package-root.ts';
import { eventually } from '../../support/process-bot.ts';
import { PtyScreen } from '../../support/pty-screen.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-terminal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what is no terminal is not opened', () => {
  expect(openTerminal({ isTTY: false, fd: 1 }, createTimers())).toBeUndefined();
  expect(openTerminal({ isTTY: true, fd: 12_345 }, createTimers())).toBeUndefined();
});

test('a terminal that hangs delays nothing; once it is back, all is there and restored', async () => {
  const file = join(folder, 'seen.json');
  const screen = new PtyScreen({
    ...{ file: process.execPath, args: ['test/support/terminal-writer.ts', file] },
    ...{ cwd: packageRoot, columns: 80, rows: 24 },
  });
  const seen = (): { second: number; written: number; worstMs: number } => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return { second: 0, written: 0, worstMs: 0 };
    }
  };
  await eventually(() => seen().second >= 1, 20_000);
  expect(screen.isAlternate).toBe(true);
  screen.pause();
  const before = seen();
  // A terminal holds a few KiB, so that it is full long before.
  await eventually(() => seen().second >= before.second + 3, 20_000);
  expect(seen().written).toBeGreaterThan(before.written + 500);
  expect(seen().worstMs).toBeLessThan(500);
  screen.resume();
  screen.type('\u0003');
  expect(await screen.ended).toEqual({ code: 0, signal: null });
  expect(screen.isAlternate).toBe(false);
  expect(screen.isCursorHidden).toBe(false);
  expect(screen.scrollback).toBe('the last line');
}, 60_000);
