/**
 * The simulated exchange as a server on this machine: HTTP and websocket on 127.0.0.1, state in a folder.
 *
 * Plain HTTP is accepted because nothing leaves the machine; a real exchange answers it with 403.
 *
 * Invariants: a command is on the disk before its answer or any message of it leaves; when the disk
 * fails nothing more is answered and `fail` is called, once.
 */

import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { botPermissions, permissions } from '../interface/permissions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Timers } from '../runtime/timers.ts';
import { createApiKey } from './api-key.ts';
import { attempt } from './command-log.ts';
import { type IssuedCredentials, issueCredentials } from './credentials-file.ts';
import { createHttpServer } from './http-server.ts';
import { lockFolder } from './process-lock.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { defaultSimulatorSettings, type SimulatorSettings } from './simulator-settings.ts';
import { openStoredSimulator } from './state-folder.ts';
import { serveStreams } from './stream-server.ts';

export type SimulatorServerOptions = {
  /** Where state and keys are kept; made if it is not there. */
  readonly folder: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Used on the first start only, like `settings`. */
  readonly seed: number | string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** The simulator can no longer keep its word, e.g. the disk is full: the process must end. */
  readonly fail: (error: unknown) => void;
  readonly settings?: SimulatorSettings;
};

export type SimulatorServer = {
  readonly port: number;
  /** For requests, e.g. "http://127.0.0.1:4100". */
  readonly baseUrl: string;
  /** For streams, e.g. "ws://127.0.0.1:4100". */
  readonly streamUrl: string;
  readonly credentials: IssuedCredentials;
  /** How many commands of an earlier run had to be replayed; 0 after a clean end. */
  readonly replayed: number;
  /** For truth, faults and control. */
  readonly simulator: Simulator;
  /** Ends all connections, stores the state and gives the folder back. */
  close(): Promise<void>;
};

const tickMs = 50;
const pingMs = 13_500;
const compactMs = 10_000;
/** A gap longer than this was a sleep of the machine: the market does not catch up on it. */
const gapMicrosMax = 5_000_000;

/**
 * Starts the server. Throws StoreError if the folder is damaged, in use or not writable; rejects if the
 * port is taken.
 */
export async function startSimulatorServer(
  options: SimulatorServerOptions,
): Promise<SimulatorServer> {
  const { folder, clock, timers } = options;
  attempt(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  const unlock = lockFolder(folder);
  try {
    return await startLocked(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }

  async function startLocked(
    { settings, seed, port, fail }: SimulatorServerOptions,
    unlockFolder: () => void,
  ): Promise<SimulatorServer> {
    const credentials = issueCredentials(folder);
    const stored = openStoredSimulator(folder, (record) =>
      createSimulator(
        {
          settings: settings ?? defaultSimulatorSettings,
          seed,
          timeMicros: clock.nowMicros(),
          keys: keysOf(credentials, settings ?? defaultSimulatorSettings),
        },
        record,
      ),
    );
    const { simulator } = stored;
    simulator.pause(clock.nowMicros());

    let hasFailed = false;
    const cancels: (() => void)[] = [];
    const guard = <T>(work: () => T): T => {
      if (hasFailed) throw new Error('the simulator has failed');
      try {
        return work();
      } catch (error) {
        hasFailed = true;
        for (const cancel of cancels) cancel();
        streams.close();
        fail(error);
        throw error;
      }
    };
    /** As {@link guard}, where nobody waits for an answer. */
    const run = <T>(work: () => T): T | undefined => {
      try {
        return guard(work);
      } catch {
        // Guard has reported it.
        return undefined;
      }
    };
    const now = (): number => clock.nowMicros();

    const http = createHttpServer((request) => guard(() => simulator.handle(request, now())));
    const streams = serveStreams(http.server, (path, output) => {
      const session = run(() => simulator.openSession(path, output, now()));
      return (
        session && {
          receive: (frame) => run(() => session.receive(frame, now())),
          close: () => run(() => session.close(now())),
        }
      );
    });
    const tick = (): void => {
      if (now() - simulator.timeMicros > gapMicrosMax) simulator.pause(now());
      simulator.advance(now());
    };
    await http.listen({ host: '127.0.0.1', port });
    cancels.push(
      timers.every(tickMs, () => run(tick)),
      timers.every(pingMs, () => streams.ping()),
      timers.every(compactMs, () => run(() => stored.compact())),
    );
    run(tick);

    const address = http.server.address() as AddressInfo;
    return {
      port: address.port,
      baseUrl: `http://127.0.0.1:${address.port}`,
      streamUrl: `ws://127.0.0.1:${address.port}`,
      credentials,
      replayed: stored.replayed,
      simulator,
      close: async () => {
        for (const cancel of cancels) cancel();
        streams.close();
        await http.close();
        if (!hasFailed) stored.close();
        unlockFolder();
      },
    };
  }
}

/** The bot's key may view and trade; the other one may only view. Both are the first user's. */
function keysOf(credentials: IssuedCredentials, settings: SimulatorSettings) {
  const userId = settings.users[0]?.id ?? '';
  const readOnly = botPermissions - permissions.Perm_W_Orders.value;
  const { read_only: second } = credentials;
  return [
    createApiKey(
      { id: credentials.api_key_id, secret: credentials.api_key_secret },
      { userId, permissions: botPermissions },
    ),
    createApiKey(
      { id: second.api_key_id, secret: second.api_key_secret },
      { userId, permissions: readOnly },
    ),
  ];
}
