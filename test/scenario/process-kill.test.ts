/**
 * Real processes that are killed or stopped at any moment: the same command goes on where the last
 * one ended, and at the end the database and the exchange agree on every order and every fill.
 *
 * `MILLRACE_KILLS=20` adds that many kills at random moments; `MILLRACE_SEED` repeats them.
 */
import { afterAll, describe, expect, test } from 'vitest';
import {
  type BotProcess,
  endAll,
  eventually,
  millrace,
  newHome,
  processesOf,
  simulatorOf,
  startDemo,
} from '../support/process-bot.ts';
import { truthOf } from '../support/process-truth.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const kills = Number.parseInt(process.env['MILLRACE_KILLS'] ?? '0', 10);
const seed = Number.parseInt(process.env['MILLRACE_SEED'] ?? '1', 10);

afterAll(endAll);

// A place whose request was lost with a process is unknown for two minutes, and its quote waits.
const limitMs = 180_000;

/**
 * Stops the bot of `home` once the outcome of every order is known, then compares its records with
 * its exchange and its journals with the engine.
 */
async function stopAndExpectAllEqual(
  home: string,
  bot: BotProcess,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<void> {
  while ((await unknownOrders(home)) > 0) await new Promise((resolve) => setTimeout(resolve, 500));
  bot.signal(signal);
  expect(await bot.ended, bot.text).toEqual({ code: 0, signal: null });
  const summary = bot.summary();
  expect(summary).toMatchObject({
    fillsAtExchange: summary.fills,
    positionDifference: '0',
    balanceDifference: '0',
    openOrdersAtExit: 0,
    // Only a commit may have been suspended, or slow.
    incidents: bot.text.match(/STORE_SLOW/gu)?.length ?? 0,
  });
  await eventually(() => processesOf(home).length === 0, 5_000);
  const truth = await truthOf(home);
  expect(truth.differences).toEqual([]);
  expect(truth.fillsAtExchange).toBe(summary.fills);
  const replay = millrace(['replay', '--all', '--json', '--home', home]);
  await replay.ended;
  expect(JSON.parse(replay.stdout)).toMatchObject({ different: 0 });
}

/** How many orders of the running bot have an unknown outcome. */
async function unknownOrders(home: string): Promise<number> {
  const status = millrace(['status', 'config/demo.yaml', '--home', home, '--json']);
  await status.ended;
  return JSON.parse(status.stdout).live.orders.unknown;
}

describe.concurrent('a run that is disturbed', () => {
  test(
    'S1: a killed bot comes back, says what it found and trades on',
    async () => {
      const home = newHome();
      const first = startDemo(home);
      await first.sees(/ fill +.* at \d+ ZAR \(maker/u);
      await first.kill();
      // The simulator ends with its bot, however that one ended.
      await eventually(() => processesOf(home).length === 0, 5_000);

      const second = startDemo(home);
      // Both quotes, so that seldom one is on its way: what becomes of that is known minutes later.
      await second.sees(/ is open \(/u, 2);
      expect(second.text).toMatch(/restored \d+ intents, \d of them not final, and \d+ fills/u);
      process.kill(simulatorOf(home), 'SIGKILL');
      await second.kill();

      const third = startDemo(home);
      await third.sees(/restored \d+ intents/u);
      await third.sees(/reconciled: /u);
      await third.sees(/ is open \(/u, 2);
      await stopAndExpectAllEqual(home, third);
    },
    limitMs,
  );

  test(
    'a bot whose simulator is killed waits for it, reconciles and trades on',
    async () => {
      const home = newHome();
      const bot = startDemo(home);
      await bot.sees(/ is open \(/u, 2);
      const killed = simulatorOf(home);
      process.kill(killed, 'SIGKILL');
      await bot.sees(/the simulator ended \(SIGKILL\); starting it again/u);
      await bot.sees(/the simulator is running again/u);
      expect(simulatorOf(home)).not.toBe(killed);
      // Everything is compared after a stream was away; an order leaves only if it balances.
      await bot.sees(/user stream is open/u, 2);
      const open = bot.text.match(/ is open \(/gu)?.length ?? 0;
      await bot.sees(/ is open \(/u, open + 1);
      await stopAndExpectAllEqual(home, bot, 'SIGTERM');
    },
    limitMs,
  );

  test.each([
    ['K5: the bot', (bot: BotProcess) => bot.pid],
    ['the simulator', (_: BotProcess, home: string) => simulatorOf(home)],
  ])(
    '%s stopped for longer than every deadline goes on when it is continued',
    async (who, pidOf) => {
      const home = newHome();
      const bot = startDemo(home);
      await bot.sees(/ is open \(/u, 2);
      const pid = pidOf(bot, home);
      // Not amid the commits that follow: one that took seven seconds would be an incident.
      await new Promise((resolve) => setTimeout(resolve, 500));
      process.kill(pid, 'SIGSTOP');
      // The time itself is what is tested: requests give up after 4 s, the book is stale after 5 s.
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      process.kill(pid, 'SIGCONT');
      const open = bot.text.match(/ is open \(/gu)?.length ?? 0;
      await bot.sees(/ is open \(/u, open + 1);
      const later = bot.text.slice(bot.text.indexOf('stood still for'));
      if (who.startsWith('K5'))
        expect(later).toMatch(/^stood still for .*reconciled: .* is open \(/su);
      await stopAndExpectAllEqual(home, bot);
    },
    limitMs,
  );

  test(
    'one that cannot ask the exchange at its end says what it knows, and ends with 6',
    async () => {
      const home = newHome();
      const bot = startDemo(home);
      await bot.sees(/ is open \(/u, 2);
      process.kill(simulatorOf(home), 'SIGSTOP');
      bot.signal('SIGINT');
      expect(await bot.ended, bot.text).toEqual({ code: 6, signal: null });
      const summary = bot.summary();
      expect(summary).toMatchObject({
        fillsAtExchange: null,
        positionDifference: null,
        balanceDifference: null,
        openOrdersAtExit: null,
        auditFailed: expect.stringMatching(/list of own trades/u),
      });
      expect(summary.unprovenAtExit).toBeGreaterThan(0);
      await eventually(() => processesOf(home).length === 0, 5_000);

      // The next start finds out what became of them.
      const next = startDemo(home);
      await next.sees(/ is open \(/u, 1);
      await stopAndExpectAllEqual(home, next);
    },
    limitMs,
  );

  test.runIf(kills > 0)(
    `${kills} kills at random moments double and lose nothing`,
    async () => {
      const random = new SeededRandom(seed);
      const home = newHome();
      for (let kill = 0; kill < kills; kill++) {
        const target = random.pick(['bot', 'simulator', 'both']);
        // So many kills in a row would halt it; whoever resumes knows of them.
        const bot = startDemo(home);
        await new Promise((resolve) => setTimeout(resolve, random.integer(300, 5_000)));
        const simulator = processesOf(home).find(({ verb }) => verb === 'exchange');
        if (target !== 'bot' && simulator !== undefined) process.kill(simulator.pid, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, random.integer(0, 1_500)));
        await bot.kill();
      }
      const last = startDemo(home);
      await last.sees(/ is open \(/u, 2);
      await stopAndExpectAllEqual(home, last);
    },
    kills * 10_000 + limitMs,
  );
});
