/** What strategies see and may do: exits, pending orders, the first seconds, bad intents. */
import type { RecoveryScenario } from './scenario.ts';

export const strategyViewScenarios: readonly RecoveryScenario[] = [];
