/**
 * A bot that is killed or stopped and started again several times within a minute: the exchange
 * refuses none of its calls for the rate, and it trades on. In virtual time from a seed, and once
 * with processes that are asked to stop soon after they have started.
 *
 * Answers report how many calls are left, which no document promises. With every second seed they
 * do not, and then the bot knows the calls of the lives before only from its database.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallBudget } from '../../../src/execution/requests/call-budget.ts';
import { CallCapacity } from '../../../src/execution/requests/call-capacity.ts';
import { endAll, newHome, startDemo } from '../../support/process-bot.ts';
import { replaceMethod } from '../../support/replace-method.ts';
import { steadyStrategy } from '../../support/steady-strategy.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import type { RecoveryScenario } from './scenario.ts';

const restarts = 4;
const secondsPerLife = 15;
const tradesWithinSeconds = 60;
const processLives = 3;

export const restartStorm: RecoveryScenario = {
  name: 'restart-storm',
  runs: 4,
  plants: { 'calls-not-counted': 'the calls of the run before are not counted in the budget' },
  play: async (seed, plant) => {
    const silent = () => () => {};
    const changes = [
      ...(seed % 2 === 1 ? [replaceMethod(CallCapacity.prototype, 'note', silent)] : []),
      ...(plant === undefined
        ? []
        : [replaceMethod(CallBudget.prototype, 'countOtherCalls', silent)]),
    ];
    try {
      const found = killInVirtualTime(seed);
      // One run of processes is enough, and it takes as long as all others.
      return plant === undefined && seed === 1 ? [...found, ...(await stopProcesses())] : found;
    } finally {
      for (const undo of changes) undo();
    }
  },
};

function killInVirtualTime(seed: number): readonly string[] {
  // Each life has more to say than the exchange's limit leaves to all of them.
  const strategy = steadyStrategy({ everyMs: 150, restMs: 3_000 });
  const world = new VirtualWorld({ seed, level: 0, strategy, isRoomy: true });
  world.begin();
  for (let life = 1; life <= restarts; life++) {
    world.pass(secondsPerLife);
    world.kill();
    while (world.lives <= life) world.pass(0.05);
  }
  const accepted = world.witness.accepted;
  world.pass(tradesWithinSeconds);
  const found = world.witness.violations.slice();
  if (world.witness.accepted === accepted)
    found.push(`no order was placed within ${tradesWithinSeconds} s after the last restart`);
  world.end();
  found.push(...world.witness.violations.slice(found.length));
  if (world.witness.throttled > 0)
    found.push(`${world.witness.throttled} calls were refused for the rate`);
  return found;
}

async function stopProcesses(): Promise<readonly string[]> {
  const found: string[] = [];
  const home = newHome();
  try {
    for (let life = 1; life <= processLives; life++) {
      const bot = startDemo(home, '--log', 'debug');
      await bot.sees(/reconciled: /u);
      bot.signal('SIGTERM');
      const { code } = await bot.ended;
      if (code !== 0) found.push(`life ${life} ended with ${code}: ${bot.text.slice(-500)}`);
    }
    // The log has each reply; the terminal names only long refusals.
    const log = readFileSync(join(home, 'log', 'demo.log'), 'utf8');
    if (!log.includes('"kind":"ok"')) found.push('the log has no replies');
    if (log.includes('"reason":"throttled"')) found.push('a life was refused for the rate');
  } finally {
    await endAll();
  }
  return found;
}
