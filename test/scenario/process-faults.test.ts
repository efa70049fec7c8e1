/**
 * Real processes to which the machine or other people's code does harm: no room on the disk, no
 * memory, an error that nobody catches, a loop that blocks, a clock that is set. Whatever ends, the
 * next start finds every order and every fill.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, millrace, newHome, startDemo } from '../support/process-bot.ts';
import { truthOf } from '../support/process-truth.ts';
import {
  canMount,
  fillDisk,
  freeDisk,
  freezeDisk,
  mountDisk,
  releaseAllDisks,
  releaseDisk,
  thawDisk,
} from '../support/small-disk.ts';

afterAll(async () => {
  await endAll();
  releaseAllDisks();
});

const limitMs = 90_000;
// Only root can mount a disk of its own.
const mayMount = canMount();
const trading = / is open \(/u;
const mischief = join(import.meta.dirname, '../support/mischief.ts');

function startWith(home: string, deed: string) {
  // A small heap, so that it is full soon.
  const env = {
    NODE_OPTIONS: `--import=${mischief} --max-old-space-size=200`,
    MILLRACE_MISCHIEF: deed,
  };
  return millrace(['start', '--home', home, '--json'], { env });
}

/** The next start goes on where the last one ended, and nothing is missing. */
async function expectRecovery(home: string): Promise<void> {
  const next = startDemo(home);
  await next.sees(/restored \d+ intents/u);
  await next.sees(/reconciled: /u);
  await next.sees(trading);
  next.signal('SIGINT');
  expect(await next.ended, next.text).toEqual({ code: 0, signal: null });
  expect(next.summary()).toMatchObject({ incidents: 0, positionDifference: '0' });
  expect((await truthOf(home)).differences).toEqual([]);
}

describe.concurrent('a bot that is harmed', () => {
  test(
    'S1: ends at once by an error that nobody catches and by a full heap; each next start recovers',
    async () => {
      const home = newHome();
      for (const [deed, ended] of [
        ['throw', { code: 6, signal: null }],
        ['hoard', { code: null, signal: 'SIGABRT' }],
      ] as const) {
        const bot = startWith(home, deed);
        await bot.sees(trading, 2);
        bot.signal('SIGUSR2');
        expect(await bot.ended, bot.text.slice(-1_000)).toEqual(ended);
      }
      await expectRecovery(home);
    },
    limitMs,
  );

  test(
    'S1: ends at once by an error of the program that runs it, and does not trade on unattended',
    async () => {
      const home = newHome();
      // A folder in the place of the lease lets its removal fail, when the bot has stopped.
      mkdirSync(join(home, 'demo.sqlite.lease'));
      const bot = millrace(['start', '--home', home, '--for', '2s']);
      await bot.sees(/look closer /u);
      await bot.sees(/demo\.sqlite\.lease/u);
      const code = await Promise.race([bot.ended, new Promise((done) => setTimeout(done, 5_000))]);
      expect(code, bot.text.slice(-1_000)).toEqual({ code: 1, signal: null });
    },
    limitMs,
  );

  test(
    'S1: by a loop that blocks it for 7 s compares everything before it trades again',
    async () => {
      const home = newHome();
      const bot = startWith(home, 'block:7000');
      await bot.sees(trading, 2);
      const reconciled = bot.text.match(/reconciled: /gu)?.length ?? 0;
      const open = bot.text.match(/ is open \(/gu)?.length ?? 0;
      bot.signal('SIGUSR2');
      await bot.sees(/stood still for [78]\.\d s/u);
      await bot.sees(/reconciled: /u, reconciled + 1);
      await bot.sees(trading, open + 1);
      bot.signal('SIGINT');
      expect(await bot.ended, bot.text).toEqual({ code: 0, signal: null });
      expect(bot.summary()).toMatchObject({ incidents: 0, positionDifference: '0' });
      expect((await truthOf(home)).differences).toEqual([]);
    },
    limitMs,
  );

  test(
    'K2: whose clock is set forward by an hour sends nothing until it is right, and loses nothing',
    async () => {
      const home = newHome();
      const bot = startWith(home, 'shift:3600000');
      await bot.sees(trading, 2);
      bot.signal('SIGUSR2');
      await bot.sees(/stood still for 36\d\d\.\d s/u);
      await bot.sees(/reconciled: /u, 2);
      await bot.sees(/CLOCK_SKEW/u);
      const afterwards = bot.text.slice(bot.text.indexOf('stood still'));
      expect(afterwards).not.toMatch(trading);
      bot.signal('SIGINT');
      expect(await bot.ended, bot.text).toEqual({ code: 0, signal: null });
      expect(bot.summary()).toMatchObject({ incidents: 0, unprovenAtExit: 0 });
      expect((await truthOf(home)).differences).toEqual([]);
    },
    limitMs,
  );

  test(
    'K2: whose clock is set back by a day trades on as if nothing were',
    async () => {
      const home = newHome();
      const bot = startWith(home, 'shift:-86400000');
      await bot.sees(trading, 2);
      bot.signal('SIGUSR2');
      await bot.sees(trading, 3);
      bot.signal('SIGINT');
      expect(await bot.ended, bot.text).toEqual({ code: 0, signal: null });
      expect(bot.text).not.toContain('stood still');
      expect(bot.summary()).toMatchObject({ incidents: 0, positionDifference: '0' });
      expect((await truthOf(home)).differences).toEqual([]);
    },
    limitMs,
  );

  test.skipIf(!mayMount)(
    'S7: with no room for a commit sends nothing more, stops its orders and ends; the next start goes on',
    async () => {
      const disk = mountDisk(16);
      // Only the database lies on it.
      const elsewhere = newHome();
      for (const name of ['journal', 'log', 'simulator']) {
        mkdirSync(join(elsewhere, name));
        symlinkSync(join(elsewhere, name), join(disk, name));
      }
      const bot = startDemo(disk);
      await bot.sees(trading, 1);
      fillDisk(disk);
      expect(await bot.ended, bot.text).toEqual({ code: 1, signal: null });
      expect(bot.text).toMatch(/commit \d+ of \d+ records failed: .*\(SQLITE_FULL\) \(MR_STORE\)/u);
      expect(bot.text).toMatch(/no order is open, as two lists in a row show/u);

      // Nothing can be kept of another run; the database still says what may be open.
      const early = startDemo(disk);
      expect((await early.ended).code, early.text).toBe(6);
      expect(early.text).toMatch(/\d+ orders of earlier runs may be open .* -- panic /u);
      freeDisk(disk);
      await expectRecovery(disk);

      freezeDisk(disk);
      const refused = startDemo(disk);
      expect((await refused.ended).code).toBe(1);
      expect(refused.stderr).toContain('MR_STORE');
      thawDisk(disk);
      expect((await truthOf(disk)).differences).toEqual([]);
      releaseDisk(disk);
    },
    limitMs,
  );

  test.skipIf(!mayMount)(
    'S7: with no room for the journal trades on without it, with none for the log loses lines only',
    async () => {
      const home = newHome();
      const logs = mountDisk(1);
      const journals = mountDisk(8);
      symlinkSync(logs, join(home, 'log'));
      symlinkSync(journals, join(home, 'journal'));
      const bot = startDemo(home);
      await bot.sees(trading, 1);
      fillDisk(logs);
      await bot.sees(/ cancelled| filled/u);
      fillDisk(journals);
      await bot.sees(/JOURNAL_ENDED: .*journal .* cannot be written: .*ENOSPC/u);
      const open = bot.text.match(/ is open \(/gu)?.length ?? 0;
      await bot.sees(trading, open + 1);
      bot.signal('SIGINT');
      expect(await bot.ended, bot.text).toEqual({ code: 0, signal: null });
      expect(bot.summary()).toMatchObject({ incidents: 1, positionDifference: '0' });
      freeDisk(journals);
      await expectRecovery(home);

      const replay = millrace(['replay', '--all', '--json', '--home', home]);
      expect((await replay.ended).code, replay.text).toBe(0);
      for (const name of ['log', 'journal']) rmSync(join(home, name));
      for (const disk of [logs, journals]) releaseDisk(disk);
    },
    limitMs,
  );
});
