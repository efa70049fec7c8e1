/**
 * The simulated exchange as a server on this machine: HTTP and websocket on 127.0.0.1, state in a
 * folder.
 *
 * Plain HTTP is accepted because nothing leaves the machine; a real exchange answers it with 403.
 *
 * Invariants: a command is on the disk before its answer or any message of it leaves; when the disk
 * fails nothing more is answered and `fail` is called, once.
 */
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../domain/errors.ts';
import { botPermissions, permissions } from '../interface/permissions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Timers } from '../runtime/timers.ts';
import { type ApiKey, createApiKey } from './api-key.ts';
import { attempt } from './command-log.ts';
import { type IssuedCredentials, issueCredentials } from './credentials-file.ts';
import { createHttpServer } from './http-server.ts';
import { lockFolder } from './process-lock.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { defaultSimulatorSettings, type SimulatorSettings } from './simulator-settings.ts';
import { openStoredSimulator, type StoredSimulator } from './state-folder.ts';
import { type StreamServer, serveStreams } from './stream-server.ts';

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
 * Starts the server. Rejects with StoreError if the folder is damaged or not writable, with
 * AlreadyRunningError if it is in use, with ConfigError if the port is taken.
 */
export async function startSimulatorServer(
  options: SimulatorServerOptions,
): Promise<SimulatorServer> {
  const { folder } = options;
  attempt(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  const unlock = lockFolder(folder);
  try {
    const credentials = issueCredentials(folder);
    const stored = openSimulator(options, credentials);
    const running = new RunningServer(options, stored);
    const port = await running.listen(options.port);
    return {
      port,
      baseUrl: `http://127.0.0.1:${port}`,
      streamUrl: `ws://127.0.0.1:${port}`,
      credentials,
      replayed: stored.replayed,
      simulator: stored.simulator,
      close: async () => {
        await running.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

class RunningServer {
  readonly #options: SimulatorServerOptions;
  readonly #stored: StoredSimulator;
  readonly #http: FastifyInstance;
  readonly #streams: StreamServer;
  #cancels: readonly (() => void)[] = [];
  #hasFailed = false;

  constructor(options: SimulatorServerOptions, stored: StoredSimulator) {
    this.#options = options;
    this.#stored = stored;
    const { simulator } = stored;
    this.#http = createHttpServer((request) =>
      this.#guard((now) => simulator.handle(request, now)),
    );
    this.#streams = serveStreams(this.#http.server, (path, output) => {
      const session = this.#try((now) => simulator.openSession(path, output, now));
      return (
        session && {
          receive: (frame) => this.#try((now) => session.receive(frame, now)),
          close: () => this.#try((now) => session.close(now)),
        }
      );
    });
  }

  /** Returns the port. */
  async listen(port: number): Promise<number> {
    const { timers } = this.#options;
    const { simulator } = this.#stored;
    // While the process was not running nothing happened at the exchange.
    this.#guard((now) => simulator.pause(now));
    await this.#http.listen({ host: '127.0.0.1', port }).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigError(
        `cannot listen on port ${port}: ${why}; name another with --port, 0 takes any free one`,
        { cause },
      );
    });
    const tick = (now: number): void => simulator.advance(now);
    this.#cancels = [
      timers.every(tickMs, () => this.#try(tick)),
      timers.every(pingMs, () => this.#streams.ping()),
      timers.every(compactMs, () => this.#try(() => this.#stored.compact())),
    ];
    this.#try(tick);
    return (this.#http.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#http.close();
    if (!this.#hasFailed) this.#stored.close();
  }

  #stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#streams.close();
  }

  /**
   * Works with the simulator, unless it has failed; its first failure is reported and thrown on.
   */
  #guard<T>(work: (nowMicros: number) => T): T {
    if (this.#hasFailed) throw new Error('the simulator has failed');
    try {
      const { simulator } = this.#stored;
      const nowMicros = this.#options.clock.nowMicros();
      if (nowMicros - simulator.timeMicros > gapMicrosMax) simulator.pause(nowMicros);
      return work(nowMicros);
    } catch (error) {
      this.#hasFailed = true;
      this.#stop();
      this.#options.fail(error);
      throw error;
    }
  }

  /** As guard, where nobody waits for the result. */
  #try<T>(work: (nowMicros: number) => T): T | undefined {
    try {
      return this.#guard(work);
    } catch {
      return undefined;
    }
  }
}

function openSimulator(
  { folder, settings = defaultSimulatorSettings, seed, clock }: SimulatorServerOptions,
  credentials: IssuedCredentials,
): StoredSimulator {
  return openStoredSimulator(folder, (record) => {
    const keys = keysOf(credentials, settings);
    return createSimulator({ settings, seed, timeMicros: clock.nowMicros(), keys }, record);
  });
}

/** The bot's key may view and trade; the other one may only view. Both are the first user's. */
function keysOf(credentials: IssuedCredentials, settings: SimulatorSettings): ApiKey[] {
  const userId = settings.users[0]?.id ?? '';
  const readOnly = botPermissions - permissions.Perm_W_Orders.value;
  const { api_key_id: id, api_key_secret: secret, read_only: second } = credentials;
  return [
    createApiKey({ id, secret }, { userId, permissions: botPermissions }),
    createApiKey(
      { id: second.api_key_id, secret: second.api_key_secret },
      { userId, permissions: readOnly },
    ),
  ];
}
