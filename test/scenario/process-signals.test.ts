/** How a bot ends: by Ctrl-C, by a signal, by force, and when who started it has gone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type BotProcess,
  endAll,
  eventually,
  launchStart,
  newHome,
  npmStart,
  processesOf,
  simulatorOf,
  startDemo,
} from '../support/process-bot.ts';
import { truthOf } from '../support/process-truth.ts';

afterAll(endAll);

const trading = / is open \(/u;

async function expectNothingLeft(home: string): Promise<void> {
  await eventually(() => processesOf(home).length === 0, 15_000);
  expect((await truthOf(home)).differences).toEqual([]);
}

describe.concurrent('a bot that is asked to end', () => {
  test.each([['SIGTERM'], ['SIGHUP']] as const)(
    'S2: by %s cancels, verifies, reports and exits with 0',
    async (signal) => {
      const home = newHome();
      const bot = startDemo(home);
      await bot.sees(trading, 2);
      bot.signal(signal);
      expect(await bot.ended).toEqual({ code: 0, signal: null });
      expect(bot.summary()).toMatchObject({ openOrdersAtExit: 0, positionDifference: '0' });
      await expectNothingLeft(home);
    },
    60_000,
  );

  test("by a terminal's Ctrl-C under npm start prints its summary", async () => {
    const home = newHome();
    const bot = npmStart(home);
    await bot.sees(trading, 2);
    bot.signalGroup('SIGINT');
    expect((await bot.ended).code).toBe(0);
    expect(bot.text).toMatch(/open orders +0, 0 not known/u);
    await expectNothingLeft(home);
  }, 60_000);

  test('ends by itself when the npm that started it is killed', async () => {
    const home = newHome();
    const npm = npmStart(home);
    await npm.sees(trading, 2);
    await npm.kill();
    await expectNothingLeft(home);
  }, 60_000);

  test('ends by itself when the launcher that stays its parent is killed', async () => {
    const home = newHome();
    const launcher = launchStart(home);
    await launcher.sees(trading, 2);
    await launcher.kill();
    await expectNothingLeft(home);
    // Nobody reads what it prints any more; its log says why it stopped.
    expect(readFileSync(join(home, 'log', 'demo.log'), 'utf8')).toMatch(
      /the launcher that started it has ended/u,
    );
  }, 60_000);

  test('twice is forced to, and the next start takes over what it left', async () => {
    const home = newHome();
    const bot = startDemo(home);
    await bot.sees(trading, 2);
    const simulator = simulatorOf(home);
    // An exchange that does not answer makes the orderly end impossible.
    process.kill(simulator, 'SIGSTOP');
    bot.signal('SIGINT');
    await forceLater(bot);
    expect((await bot.ended).code).toBe(6);
    expect(bot.text).toContain('forced to end');
    process.kill(simulator, 'SIGCONT');
    const next = startDemo(home, '--for', '1s');
    expect(await next.ended).toEqual({ code: 0, signal: null });
    expect(next.text).toMatch(/restored \d+ intents, 2 of them not final/u);
    await expectNothingLeft(home);
  }, 60_000);
});

/** Repeats the signal until it counts as a second one, which within a second it does not. */
async function forceLater(bot: BotProcess): Promise<void> {
  const beganMs = performance.now();
  while (!bot.hasEnded) {
    bot.signal('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(performance.now() - beganMs).toBeGreaterThan(800);
}
