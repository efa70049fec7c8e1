/** Full disks, wrong clocks, lost answers, killed processes and restarts. */
import type { RecoveryScenario } from './scenario.ts';

export const processFaultScenarios: readonly RecoveryScenario[] = [];
