/** Full disks, wrong clocks, lost answers, killed processes and restarts. */
import { clockAhead } from './clock-ahead.ts';
import { diskFull, journalFull } from './full-disks.ts';
import { launcherKilled } from './launcher-killed.ts';
import { lostKill } from './lost-kill.ts';
import { lostPost } from './lost-post.ts';
import { restartStorm } from './restart-storm.ts';
import type { RecoveryScenario } from './scenario.ts';

export const processFaultScenarios: readonly RecoveryScenario[] = [
  diskFull,
  journalFull,
  clockAhead,
  lostPost,
  lostKill,
  launcherKilled,
  restartStorm,
];
