/**
 * A simulated exchange for measuring: one quiet market, one rich user, no call limit. The first
 * argument is its folder; a second, `keep-all`, keeps every order, trade and ledger row. The first
 * line of output is where it listens, and with which keys. Each line of input is answered with the
 * resident memory. It ends when its input does, and stores its state.
 */
import { createInterface } from 'node:readline';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { collectGarbage } from '../../src/runtime/collect-garbage.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { limitRevisions } from '../../src/venues/luno/api/limits.ts';
import { defaultSimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import { startSimulatorServer } from '../../src/venues/luno/simulator/server/simulator-server.ts';

const fail = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
};

const server = await startSimulatorServer({
  folder: process.argv[2] as string,
  isControlled: true,
  collectGarbage,
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
    ...(process.argv[3] === 'keep-all' ? { history: { orders: 1e7, trades: 1e7, rows: 1e7 } } : {}),
    limits: {
      ...limitRevisions.current,
      requests: { kind: 'bucket', burst: 1_000_000_000, intervalMs: 1 },
    },
  },
});
const { port, credentials } = server;
const say = (value: object): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};
say({ port, id: credentials.api_key_id, secret: credentials.api_key_secret });
createInterface({ input: process.stdin })
  .on('line', () => say({ rss: process.memoryUsage().rss }))
  .on('close', async () => {
    const faults = server.simulator.faults();
    const orders = server.simulator.truth('desk').orders.length;
    await server.close();
    process.stdout.write(`${JSON.stringify({ faults, orders })}\n`, () => process.exit(0));
  });
