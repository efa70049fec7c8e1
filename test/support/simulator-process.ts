/**
 * The simulated exchange as its own process, for tests that kill it. The only argument is its
 * folder. Its one line of output is the address at which it listens.
 */
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { startSimulatorServer } from '../../src/venues/luno/simulator/server/simulator-server.ts';

const server = await startSimulatorServer({
  folder: process.argv[2] as string,
  port: 0,
  seed: 3,
  clock: createClock(),
  timers: createTimers(),
  fail: (error) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  },
});
process.stdout.write(`${JSON.stringify({ baseUrl: server.baseUrl, replayed: server.replayed })}\n`);
