/**
 * A simulated exchange for measuring: one quiet market, one rich user, no call limit. The only
 * argument is its folder; the one line of output is where it listens and with which key. Ends when
 * its input does.
 */
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { limitRevisions } from '../../src/exchange-api/limits.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { defaultSimulatorSettings } from '../../src/simulator/core/simulator-settings.ts';
import { startSimulatorServer } from '../../src/simulator/server/simulator-server.ts';

const fail = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
};

const server = await startSimulatorServer({
  folder: process.argv[2] as string,
  port: 0,
  seed: 1,
  clock: createClock(),
  timers: createTimers(),
  fail,
  settings: {
    markets: defaultSimulatorSettings.markets.map((market) => ({
      ...market,
      priceMin: 1 as Ticks,
      volumeMin: 1 as Lots,
    })),
    users: [
      {
        id: 'desk',
        fees: { maker: '0.0005', taker: '0.0010' },
        deposits: { XBT: '1000000', ZAR: '1000000000000', ETH: '0' },
      },
    ],
    limits: {
      ...limitRevisions.current,
      requests: { kind: 'bucket', burst: 1_000_000_000, intervalMs: 1 },
    },
  },
});
const { port, credentials } = server;
process.stdout.write(
  `${JSON.stringify({ port, id: credentials.api_key_id, secret: credentials.api_key_secret })}\n`,
);
process.stdin.once('end', () => {
  const faults = server.simulator.faults();
  const orders = server.simulator.truth('desk').orders.length;
  process.stdout.write(`${JSON.stringify({ faults, orders })}\n`, () => process.exit(0));
});
process.stdin.resume();
