/** What strategies see and may do: exits, pending orders, the first seconds, bad intents. */
import { badIntent } from './bad-intent.ts';
import { beforeReady } from './before-ready.ts';
import { doublingPattern } from './doubling-pattern.ts';
import { exitUnderLoss } from './exit-under-loss.ts';
import { reusedKey } from './reused-key.ts';
import type { RecoveryScenario } from './scenario.ts';

export const strategyViewScenarios: readonly RecoveryScenario[] = [
  exitUnderLoss,
  doublingPattern,
  beforeReady,
  reusedKey,
  badIntent,
];
