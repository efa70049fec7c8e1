/** A database that is lost, empty, older than the exchange, or one of two. */
import type { RecoveryScenario } from './scenario.ts';

export const lostStateScenarios: readonly RecoveryScenario[] = [];
