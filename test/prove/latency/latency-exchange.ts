/**
 * The simulated exchange of the latency proof as a process: one market in which only users trade,
 * the customer whose program is measured, and two others who move the market.
 *
 *     node latency-exchange.ts FOLDER (limited | unlimited)
 */
import { hash } from 'node:crypto';
import { createClock } from '../../../src/runtime/clock.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { limitRevisions } from '../../../src/venues/luno/api/limits.ts';
import { botPermissions } from '../../../src/venues/luno/api/permissions.ts';
import {
  defaultSimulatorSettings,
  type SimulatorSettings,
} from '../../../src/venues/luno/simulator/core/simulator-settings.ts';
import { startSimulatorServer } from '../../../src/venues/luno/simulator/server/simulator-server.ts';
import { moverKeys } from './mover-keys.ts';

const [folder = '', limit = ''] = process.argv.slice(2);
const plenty = { XBT: '1000', ZAR: '1000000000' };
const fees = { maker: '0.0005', taker: '0.0010' };
const windowMs = 60_000;
const limited = limitRevisions.current;
const unlimited = { kind: 'window', max: Number.MAX_SAFE_INTEGER, windowMs } as const;

const settings: SimulatorSettings = {
  markets: defaultSimulatorSettings.markets
    .slice(0, 1)
    .map(({ participants: _, ...market }) => market),
  users: ['desk', ...Object.keys(moverKeys)].map((id) => ({ id, fees, deposits: plenty })),
  limits: limit === 'limited' ? limited : { ...limited, requests: unlimited },
};

const clock = createClock();
const server = await startSimulatorServer({
  ...{ folder, port: 0, seed: 1, clock, timers: createTimers(), settings },
  fail: (error) => {
    console.error(error);
    process.exit(1);
  },
});
for (const [userId, { id, secret }] of Object.entries(moverKeys))
  server.simulator.control(
    {
      ...{ kind: 'add-key', keyId: id, userId, permissions: botPermissions },
      secretDigest: hash('sha256', secret, 'hex'),
    },
    Math.max(clock.nowMicros(), server.simulator.timeMicros),
  );
const { api_key_id: id, api_key_secret: secret } = server.credentials;
process.send?.({ port: server.port, id, secret });
