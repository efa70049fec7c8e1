/**
 * `kill -9` of the launcher that stays the bot's parent: the bot stops its orders and ends by
 * itself.
 */
import { endAll, launchStart, newHome, processesOf } from '../../support/process-bot.ts';
import { truthOf } from '../../support/process-truth.ts';
import { openAtExchange, seesWithin, startFaulty } from './demo-process.ts';
import type { RecoveryScenario } from './scenario.ts';

const startMs = 60_000;
const endMs = 30_000;

export const launcherKilled: RecoveryScenario = {
  name: 'launcher-killed',
  runs: 1,
  plants: { 'orphan-trades-on': 'the end of its parent is not noticed' },
  play: async (_seed, plant) => {
    const home = newHome();
    try {
      const launcher = startFaulty(home, { plant }, launchStart);
      if (!(await seesWithin(launcher, / is open \(/u, startMs)))
        return [`it did not trade: ${launcher.text}`];
      await launcher.kill();
      const endAtMs = performance.now() + endMs;
      while (processesOf(home).length > 0) {
        if (performance.now() > endAtMs) {
          const open = await openAtExchange(home, launcher);
          return [`${endMs / 1000} s later the bot runs on, with ${open} orders open`];
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return (await truthOf(home)).differences;
    } finally {
      await endAll();
    }
  },
};
