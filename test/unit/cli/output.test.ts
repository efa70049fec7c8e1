/** What a command prints while it runs, on a terminal and in a log. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable, type WritableOptions } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { progressText } from '../../../src/cli/progress-line.ts';
import { ConfigError, StoreError } from '../../../src/domain/errors.ts';
import type { Notice } from '../../../src/domain/notice.ts';
import { flushDeferredLines } from '../../../src/runtime/deferred-lines.ts';
import { backtestNoticeLimits, NoticeLimiter } from '../../../src/terminal/notice-limiter.ts';
import { Output } from '../../../src/terminal/output.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';
import { printed } from '../../support/printed.ts';
import { canMount, fillDisk, mountDisk, releaseDisk } from '../../support/small-disk.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

function outputTo(isTTY: boolean) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  const output = new Output({ workspace, isJson: false, stdout, stderr });
  return { output, printed: () => printed(stdout) };
}

test('on a terminal, progress is one line, which the next line replaces', () => {
  const { output, printed } = outputTo(true);
  output.progress('half');
  output.progress('nearly');
  output.line('done');
  output.line('and over');
  const clear = '\r\u001b[2K';
  expect(printed()).toBe(`half${clear}nearly${clear}done\nand over\n`);
});

test('an error clears the progress line first', () => {
  const { output, printed } = outputTo(true);
  output.progress('half');
  output.problem(new Error('no'));
  expect(printed()).toBe('half\r\u001b[2K');
});

test('a message of the exchange cannot control the terminal or forge a line', () => {
  const { output, printed } = outputTo(true);
  const text = 'closed: \u001b[2J\u0007\r\u202e\n09:00:00   state     all is well';
  output.notice({ level: 'info', topic: 'state', text }, 0);
  output.line(text);
  const [notice = '', ...line] = stripVTControlCharacters(printed()).split('\n');
  const escaped = 'closed: ?[2J???';
  expect(notice).toBe(`00:00:00   state     ${escaped}?09:00:00   state     all is well`);
  expect(line).toEqual([escaped, '09:00:00   state     all is well', '']);
});

test('nor can an error that contains such a message', () => {
  const stderr = new PassThrough();
  const output = new Output({ workspace, isJson: false, stdout: new PassThrough(), stderr });
  output.problem(new ConfigError('refused: \u001b[2Jgone\nby name'));
  expect(printed(stderr)).toBe(`millrace: refused: ?[2Jgone\nby name (MR_CONFIG)\n`);
});

test('routine notices wait to be written together; nothing overtakes them', () => {
  const timers = new FakeTimers();
  const stdout = new PassThrough();
  const writes: string[] = [];
  stdout.on('data', (data) =>
    writes.push(
      String(data)
        .replaceAll(/(?:00:00:00|\s)+/gu, ' ')
        .trim(),
    ),
  );
  const output = new Output({ workspace, isJson: false, stdout, stderr: stdout });
  output.deferNotices(timers, 20);
  const note = (level: Notice['level'], text: string): void =>
    output.notice({ level, topic: 'state', text }, 0);
  for (const text of ['1', '2']) note('info', text);
  expect(writes).toEqual([]);
  timers.advance(20);
  note('info', '3');
  note('warn', '4');
  note('info', '5');
  output.line('6');
  note('info', '7');
  output.problem('8');
  note('info', '9');
  output.result({}, ['10']);
  expect(timers.delaysMs).toEqual([]);
  note('info', '11');
  flushDeferredLines();
  expect(writes.filter((text) => text !== '')).toEqual([
    ...['state 1 state 2', 'state 3', '! state 4', 'state 5', '6'],
    ...['state 7', 'millrace: 8', 'state 9', '10', 'state 11'],
  ]);
});

test('what waits never fills a pipe, however long the notices are', () => {
  const stdout = new PassThrough({ highWaterMark: 2 ** 20 });
  const bytes: number[] = [];
  stdout.on('data', (data: Buffer) => bytes.push(data.length));
  const output = new Output({ workspace, isJson: false, stdout, stderr: stdout });
  output.deferNotices(new FakeTimers(), 20);
  for (let count = 0; count < 100; count++)
    output.notice({ level: 'info', topic: 'idle', text: '\u0e01'.repeat(10 * count) }, 0);
  flushDeferredLines();
  expect(bytes.length).toBeGreaterThan(1);
  expect(Math.max(...bytes)).toBeLessThan(2 ** 16);
});

test('without a terminal, each progress is a line', () => {
  const { output, printed } = outputTo(false);
  output.progress('half');
  output.line('done');
  expect(printed()).toBe('half\ndone\n');
});

test('notices that differ only in numbers: three are printed, the others counted', () => {
  const { output, printed } = outputTo(false);
  const notices = new NoticeLimiter(output, backtestNoticeLimits);
  const note = (text: string) =>
    notices.note({ level: 'warn', topic: 'refusal', text }, Date.UTC(2026, 10, 20, 12));
  for (let size = 1; size <= 5; size++) note(`mm bid refused: FUNDS (${size}.5)`);
  note('mm ask refused: FUNDS (1)');
  notices.end();
  expect(printed().split('\n')).toEqual([
    ...[1, 2, 3].map((size) =>
      expect.stringContaining(`2026-11-20T12:00:00 ! refusal   mm bid refused: FUNDS (${size}.5)`),
    ),
    expect.stringContaining('mm ask refused: FUNDS (1)'),
    '! 2 more like this; the last one: mm bid refused: FUNDS (5.5)',
    '',
  ]);
});

test('progress includes a bar and a percentage if the end is known', () => {
  const known = { rows: 1_234_567, nowMs: Date.UTC(2026, 10, 20, 12), share: 0.499 };
  expect(progressText(known)).toBe(
    '[#########...........]  49 %  1,234,567 rows, at 2026-11-20T12:00:00Z',
  );
  expect(progressText({ ...known, share: 1 })).toMatch(/^\[#{20}\] 100 % {2}1/u);
  expect(progressText({ ...known, share: undefined })).toBe(
    '1,234,567 rows, at 2026-11-20T12:00:00Z',
  );
});

describe('a result that does not reach standard output', () => {
  /** Returns the failure that is reported if standard output fails with `code`. */
  async function failureWith(
    code: string | undefined,
    options: { isJson: boolean; isTTY?: boolean },
  ) {
    const { isJson, isTTY = false } = options;
    const write: WritableOptions['write'] = (_chunk, _encoding, done) =>
      done(code === undefined ? null : Object.assign(new Error(`${code}: no`), { code }));
    const stdout = Object.assign(new Writable({ write }), { isTTY });
    const output = new Output({ workspace, isJson, stdout, stderr: new PassThrough() });
    output.line('before');
    output.result({ good: true }, ['good']);
    return output.resultFailure();
  }

  test.each([true, false])('is an error if the disk failed, as JSON %s', async (isJson) => {
    for (const code of ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG']) {
      const failure = await failureWith(code, { isJson });
      expect(failure).toBeInstanceOf(StoreError);
      expect(failure?.message).toContain(`cannot write to standard output: ${code}: no`);
    }
  });

  test('is no error if nobody reads the output, or if nothing failed', async () => {
    for (const isJson of [true, false]) {
      for (const code of ['EPIPE', 'ECONNRESET', undefined])
        expect(await failureWith(code, { isJson })).toBeUndefined();
      expect(await failureWith('EIO', { isJson, isTTY: true })).toBeUndefined();
    }
  });

  /** Runs `verify` with standard output redirected to the file, as a shell does. */
  function verify(options: readonly string[], path: string) {
    const handle = openSync(path, 'a');
    const argv = [join(packageRoot, 'src/main.ts'), 'verify', ...options];
    const child = spawnSync(process.execPath, argv, {
      stdio: ['ignore', handle, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(handle);
    return [child.status, child.stderr];
  }

  const recording = join(packageRoot, 'backtests/first/recording.mrec');
  const reported = /^millrace: cannot write to standard output: ENOSPC.*\(MR_STORE\)\n$/u;

  test.runIf(existsSync('/dev/full'))('is reported, and the exit code is 1', () => {
    for (const options of [[recording], ['--json', recording]])
      expect(verify(options, '/dev/full')).toEqual([1, expect.stringMatching(reported)]);
  });

  test.runIf(canMount())('is reported too if part of it was written', () => {
    const disk = mountDisk(1);
    try {
      const path = join(disk, 'out.json');
      writeFileSync(path, 'x'.repeat(4_000));
      fillDisk(disk);
      expect(verify(['--json', recording], path)).toEqual([1, expect.stringMatching(reported)]);
      expect(statSync(path).size).toBe(4_096);
    } finally {
      releaseDisk(disk);
    }
  });
});
