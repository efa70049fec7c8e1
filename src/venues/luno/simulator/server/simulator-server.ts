/**
 * The simulated exchange as a server on this machine: HTTP and websocket on 127.0.0.1, state in a
 * folder.
 *
 * It serves plain HTTP by default, because nothing leaves the machine. With TLS it answers plain
 * HTTP with 403, as the real exchange does.
 *
 * Invariants: a command is on the disk before its answer or its stream messages leave; after a disk
 * failure nothing is answered, and `fail` is called once.
 */

import { ConfigError } from '../../../../domain/errors.ts';
import type { Clock } from '../../../../runtime/clock.ts';
import { attempt } from '../../../../runtime/durable-file.ts';
import { makeFolder } from '../../../../runtime/make-folder.ts';
import { lockFolder } from '../../../../runtime/process-lock.ts';
import type { Timers } from '../../../../runtime/timers.ts';
import { TokenGuard } from '../../../../runtime/token-guard.ts';
import {
  botPermissions,
  keyTemplates,
  type PermissionValues,
  permissions,
} from '../../api/permissions.ts';
import { type ApiKey, type Credentials, createApiKey } from '../core/api-key.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import { defaultSimulatorSettings, type SimulatorSettings } from '../core/simulator-settings.ts';
import { createSimulator, type Recorder, type Simulator } from '../world/simulator.ts';
import { issueIdentity } from './certificate.ts';
import type { ControlCommand } from './control-command.ts';
import { answerControl, type ControlAnswer, type ControlPort } from './control-http.ts';
import { issueControlToken } from './control-token.ts';
import { type IssuedCredentials, issueCredentials } from './credentials-file.ts';
import { type ControlRequest, createRequestListener } from './http-server.ts';
import { createListener, type Listener } from './listener.ts';
import { MarketClock } from './market-clock.ts';
import { Outbox } from './outbox.ts';
import { openStoredSimulator, type StoredSimulator } from './state-folder.ts';
import { type StreamServer, serveStreams } from './stream-server.ts';

export type SimulatorServerOptions = {
  /** Holds the state and the keys; created if it does not exist. */
  readonly folder: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Used on the first start only, like `settings`. */
  readonly seed: number | string;
  readonly clock: Clock;
  readonly timers: Timers;
  /**
   * Called when the simulator cannot go on, e.g. because the disk is full. The process must end.
   */
  readonly fail: (error: unknown) => void;
  readonly settings?: SimulatorSettings;
  /**
   * True serves TLS, with the certificate of certificate.ts, and answers anything else with 403.
   * Default: false.
   */
  readonly isTls?: boolean;
  /** True serves the control interface of control-http.ts. Default: false. */
  readonly isControlled?: boolean;
  /**
   * True accepts only what the documents describe: no earlier addresses, no zero or empty text for
   * a parameter that is not given, none of the forms of `leniencies.ts`. Default: false.
   */
  readonly isStrict?: boolean;
  /** Called once when nobody has called for a minute, to give back the memory of busy times. */
  readonly collectGarbage?: () => void;
  /** Receives a warning for the operator, e.g. about wrong control tokens, or an old address. */
  readonly onWarning?: (text: string) => void;
  /** Additional keys of the first user, valid from this start on. */
  readonly keys?: readonly GivenKey[];
  /**
   * The recorded order flow that a market of `settings` replays. Must be the same at every start.
   */
  readonly flow?: FlowRecording | undefined;
};

export type GivenKey = Credentials & {
  /** Bitwise OR of the permission values. */
  readonly permissions: number;
};

export type SimulatorServer = {
  readonly port: number;
  /** For requests, e.g. "http://127.0.0.1:4100". */
  readonly baseUrl: string;
  /** For streams, e.g. "ws://127.0.0.1:4100". */
  readonly streamUrl: string;
  readonly credentials: IssuedCredentials;
  /** Commands of an earlier run that were replayed from the log; 0 after a clean shutdown. */
  readonly replayed: number;
  /** For truth, faults and control. */
  readonly simulator: Simulator;
  /** Closes all connections, stores the state and unlocks the folder. */
  close(): Promise<void>;
};

const tickMs = 50;
const pingMs = 13_500;
const quietMicros = 60_000_000;
/** After a longer gap the machine is assumed to have slept: the market skips the gap. */
const gapMicrosMax = 5_000_000;

/**
 * Starts the server. Rejects with StoreError if the folder is damaged or not writable, with
 * AlreadyRunningError if it is in use, with ConfigError if the port is taken.
 */
export async function startSimulatorServer(
  options: SimulatorServerOptions,
): Promise<SimulatorServer> {
  const { folder } = options;
  attempt(folder, () => makeFolder(folder, 0o700));
  const unlock = lockFolder(folder);
  try {
    const credentials = issueCredentials(folder);
    const stored = openSimulator(options, keysOf(options, credentials, {}));
    const keys = keysOf(options, credentials, stored.simulator.permissionValues());
    const running = new RunningServer(options, stored, keys);
    const port = await running.listen(options.port);
    return {
      port,
      baseUrl: `${options.isTls === true ? 'https' : 'http'}://127.0.0.1:${port}`,
      streamUrl: `${options.isTls === true ? 'wss' : 'ws'}://127.0.0.1:${port}`,
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
  readonly #keys: readonly ApiKey[];
  readonly #listener: Listener;
  readonly #outbox: Outbox;
  readonly #streams: StreamServer;
  readonly #clock: MarketClock;
  #cancels: readonly (() => void)[] = [];
  #isPinging = true;
  /** When the last call came; undefined once the quiet after it was used. */
  #calledMicros: number | undefined;
  /** Notices that the operator has. There are as many as earlier addresses in the declarations. */
  readonly #noticed = new Set<string>();
  #hasFailed = false;

  constructor(options: SimulatorServerOptions, stored: StoredSimulator, keys: readonly ApiKey[]) {
    this.#options = options;
    this.#stored = stored;
    this.#keys = keys;
    const { simulator } = stored;
    simulator.isStrict = options.isStrict === true;
    const { timers, folder } = options;
    this.#clock = new MarketClock(options.clock, simulator.timeMicros);
    this.#outbox = new Outbox({
      timers,
      hasPending: stored.hasPending,
      commitLater: (done) => {
        this.#try(() => stored.compact());
        // After `compact` has replaced the log there is nothing left to write.
        if (stored.hasPending()) stored.commitLater(done);
        else timers.soon(() => done(undefined));
      },
      fail: (failure) =>
        this.#try(() => {
          throw failure;
        }),
    });
    const deliver = (send: () => void): void => this.#outbox.put(send);
    const requests = createRequestListener({
      answer: (request) => {
        const answer = this.#guard((now) => {
          this.#calledMicros = now;
          return simulator.handle(request, now);
        });
        if (answer.notice !== undefined) this.#warnOnce(answer.notice);
        return answer;
      },
      ...(options.isControlled === true ? { answerControl: this.#controller(folder) } : {}),
      deliver,
    });
    const nowMs = Math.floor(options.clock.nowMicros() / 1000);
    const identity = options.isTls === true ? issueIdentity(folder, nowMs) : undefined;
    this.#listener = createListener(requests, identity, timers);
    this.#streams = serveStreams(this.#listener.server, (path, output) => {
      const session = this.#try((now) =>
        simulator.openSession(path, (message) => deliver(() => output(message)), now),
      );
      return (
        session && {
          receive: (frame) => this.#try((now) => session.receive(frame, now)),
          close: () => this.#try((now) => session.close(now)),
        }
      );
    });
  }

  /** Listens, starts the timers and returns the port. */
  async listen(port: number): Promise<number> {
    const { timers } = this.#options;
    const { simulator } = this.#stored;
    // Nothing happened at the exchange while the process was not running.
    this.#guard((now) => {
      simulator.pause(now);
      addMissingKeys(simulator, this.#keys, now);
    });
    const taken = await this.#listener.listen(port).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigError(
        `cannot listen on port ${port}: ${reason}; choose another with --port, or 0 for any free port`,
        { cause },
      );
    });
    const tick = (now: number): void => {
      simulator.advance(now);
      if (this.#calledMicros === undefined || now - this.#calledMicros < quietMicros) return;
      this.#calledMicros = undefined;
      this.#options.collectGarbage?.();
    };
    this.#cancels = [
      timers.every(tickMs, () => this.#try(tick)),
      timers.every(pingMs, () => {
        if (this.#isPinging) this.#streams.ping();
      }),
    ];
    this.#try(tick);
    return taken;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#outbox.close();
    await this.#listener.close();
    if (!this.#hasFailed) this.#stored.close();
  }

  #controller(folder: string): (request: ControlRequest) => ControlAnswer | undefined {
    const { simulator } = this.#stored;
    const { clock, onWarning = () => {} } = this.#options;
    const tokens = new TokenGuard({
      what: 'the control interface',
      isRight: issueControlToken(folder),
      nowMs: () => clock.monotonicMicros() / 1000,
      warn: onWarning,
    });
    const port: ControlPort = {
      judgeToken: (authorization) => tokens.judge(authorization),
      simulator,
      catchUp: () => this.#guard((now) => simulator.advance(now)),
      isStopped: () => this.#clock.isStopped,
      execute: (command) => this.#guard((now) => this.#execute(command, now)),
    };
    return (request) => answerControl(request, port);
  }

  #execute(command: ControlCommand, nowMicros: number): void {
    const { simulator } = this.#stored;
    switch (command.kind) {
      case 'stop-time':
        this.#clock.stop();
        return;
      case 'resume-time':
        this.#clock.resume();
        return;
      case 'advance-time':
        // This executes everything that is due in between. A jump of the clock would postpone it.
        simulator.advance(nowMicros + command.ms * 1000);
        this.#clock.moveForward(command.ms * 1000);
        return;
      case 'set-stream-signal':
        if (command.signal === 'ping') this.#isPinging = command.isOn;
        else simulator.setKeepAlive(command.isOn);
        return;
      default:
        simulator.control(command, nowMicros);
    }
  }

  #warnOnce(notice: string): void {
    if (this.#noticed.has(notice)) return;
    this.#noticed.add(notice);
    this.#options.onWarning?.(notice);
  }

  #stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#streams.close();
  }

  /**
   * Runs `work` on the simulator. The first failure stops the server, is reported and is rethrown;
   * after it every call throws.
   */
  #guard<T>(work: (nowMicros: number) => T): T {
    if (this.#hasFailed) throw new Error('the simulator has failed');
    try {
      const { simulator } = this.#stored;
      const nowMicros = this.#clock.nowMicros();
      if (nowMicros - simulator.timeMicros > gapMicrosMax) simulator.pause(nowMicros);
      const result = work(nowMicros);
      this.#outbox.settle();
      return result;
    } catch (error) {
      this.#hasFailed = true;
      this.#stop();
      this.#options.fail(error);
      throw error;
    }
  }

  /** Like `#guard`, but returns undefined instead of throwing. */
  #try<T>(work: (nowMicros: number) => T): T | undefined {
    try {
      return this.#guard(work);
    } catch {
      return undefined;
    }
  }
}

function openSimulator(
  { folder, settings = defaultSimulatorSettings, seed, clock, flow }: SimulatorServerOptions,
  keys: readonly ApiKey[],
): StoredSimulator {
  const create = (record: Recorder): Simulator => {
    const genesis = { settings, seed, timeMicros: clock.nowMicros(), keys, flow };
    return createSimulator(genesis, record);
  };
  return openStoredSimulator(folder, create, { isGrouped: true, flow });
}

/**
 * Returns the keys of the first user: those that the exchange issued and those of the options. A
 * key with all permissions also gets the bits that this exchange assigns to permissions without
 * documented values.
 */
function keysOf(
  { settings = defaultSimulatorSettings, keys = [] }: SimulatorServerOptions,
  issued: IssuedCredentials,
  values: PermissionValues,
): ApiKey[] {
  const everything = Object.values(values).reduce((bits, value) => bits | value, keyTemplates.all);
  const userId = settings.users[0]?.id ?? '';
  const readOnly = botPermissions - permissions.Perm_W_Orders.value;
  const wanted: readonly GivenKey[] = [
    { ...credentialsOf(issued), permissions: botPermissions },
    { ...credentialsOf(issued.read_only), permissions: readOnly },
    { ...credentialsOf(issued.full), permissions: keyTemplates.all },
    ...keys,
  ];
  return wanted.map(({ id, secret, permissions: bits }) =>
    createApiKey(
      { id, secret },
      { userId, permissions: bits === keyTemplates.all ? everything : bits },
    ),
  );
}

function credentialsOf(key: { readonly api_key_id: string; readonly api_key_secret: string }) {
  return { id: key.api_key_id, secret: key.api_key_secret };
}

/** Adds the keys that a stored exchange lacks, or has with another secret or other permissions. */
function addMissingKeys(simulator: Simulator, keys: readonly ApiKey[], nowMicros: number): void {
  const userId = simulator.userIds()[0] ?? '';
  for (const { id: keyId, secretDigest, permissions: bits } of keys) {
    const known = simulator.keyOf(keyId);
    const digest = Buffer.from(secretDigest);
    if (known?.permissions === bits && digest.equals(known.secretDigest)) continue;
    const control = {
      kind: 'add-key',
      keyId,
      secretDigest: digest.toString('hex'),
      userId,
    } as const;
    simulator.control({ ...control, permissions: bits }, nowMicros);
  }
}
