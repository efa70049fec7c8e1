/** Every fault of the network proof, those first that a bot needs longest to be sure of. */
import { clockFaults, connectionFaults } from './connection-faults.ts';
import type { Fault } from './fault.ts';
import { marketFaults } from './market-faults.ts';
import { placingFaults, stoppingFaults } from './order-faults.ts';
import { readFaults } from './read-faults.ts';
import { streamFaults } from './stream-faults.ts';
import { userFaults } from './user-faults.ts';

export const allFaults: readonly Fault[] = [
  ...placingFaults,
  ...connectionFaults,
  ...clockFaults,
  ...stoppingFaults,
  ...readFaults,
  ...streamFaults('market'),
  ...marketFaults,
  ...streamFaults('user'),
  ...userFaults,
];
