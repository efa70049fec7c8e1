/**
 * The simulated exchange as one deterministic object: requests and stream frames go in, answers and
 * frames come out, and the caller supplies the time.
 *
 *     request ─▶ route ─▶ key ─▶ call limit ─▶ permission ─▶ parameters ─▶ handler ─▶ log ─▶ world
 *                                                                                      │
 *     streams ◀───────────────────────────────────────────────────────────────────────┘
 *
 * It has no clock, timer, randomness or I/O. `record` is called before a command changes anything:
 * if it throws, nothing has changed and nothing was answered or published.
 */
import { errorCodes } from '../../api/error-codes.ts';
import type { RequestLimit } from '../../api/limits.ts';
import type { Operation } from '../../api/operation.ts';
import { type OperationName, operations } from '../../api/operations.ts';
import { isPermitted, type PermissionValues } from '../../api/permissions.ts';
import { walletPathPrefix } from '../../api/wallet/wallet-operation.ts';
import { stringifyWireJson } from '../../api/wire-json.ts';
import { type ApiKey, isSecretOf } from '../core/api-key.ts';
import type { ExchangeListener } from '../core/exchange.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import type { Genesis } from '../core/genesis.ts';
import type { MarketDataCache } from '../core/handler.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import type { SimulatorRequest, SimulatorResponse } from '../core/simulator-request.ts';
import { authenticateSigned, type SignedCaller } from '../wallet/authentication.ts';
import { AnswerStamps } from './answer-stamps.ts';
import { handlers, type OperationContext } from './handlers.ts';
import { type Route, routeOf } from './operation-route.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { refusalBodyOf } from './refusal-body.ts';
import { problemOf } from './rehearsal.ts';
import { requestValuesOf } from './request-values.ts';
import {
  type SessionOutput,
  type StreamSession,
  StreamSessions,
  streamSubjectOf,
} from './stream-sessions.ts';
import { faultsOf, type Truth, truthOf, truthPiecesOf } from './truth.ts';
import { createWorld, restoreWorld, type World } from './world.ts';
import type { Command, Control } from './world-command.ts';

/** Stores a command for the next restart. Throws if it cannot; the simulator must then stop. */
export type Recorder = (command: Command) => void;

export type FlowProgress = {
  readonly pair: string;
  readonly speed: number;
  /** Rows of the recording replayed in this round. */
  readonly rows: number;
  /** Times that the recording has been replayed to its end. */
  readonly rounds: number;
  /** Rows that contradict the recorded book. */
  readonly misfits: number;
};

/** How far beyond the current time a horizon command lets the exchange publish. */
const horizonMicros = 1_000_000;

export class Simulator {
  readonly #world: World;
  readonly #record: Recorder;
  readonly #sessions: StreamSessions;
  readonly #rateLimits = new Map<string, RateLimit>();
  readonly #cache: MarketDataCache = new Map();
  readonly #stamps: AnswerStamps;
  /**
   * Whether only what the documents describe is accepted, although the exchange accepts more. A
   * choice of this process, like the next one; neither is stored.
   */
  isStrict = false;

  /** Called by {@link createSimulator} and {@link restoreSimulator}. */
  constructor(makeWorld: (listener: ExchangeListener) => World, record: Recorder) {
    this.#record = record;
    this.#world = makeWorld({
      onMarketUpdate: (pair, update) => this.#sessions.onMarketUpdate(pair, update),
      onUserMessage: (userId, frame) => this.#sessions.onUserMessage(userId, frame),
    });
    this.#sessions = new StreamSessions(
      () => this.#world.exchange,
      () => this.isStrict,
    );
    this.#stamps = new AnswerStamps(this.#world.exchange.state.idSeed);
  }

  /** Time of the simulator in microseconds since 1970; never behind what it has published. */
  get timeMicros(): number {
    return this.#world.timeMicros;
  }

  /** Switches the empty messages that keep the streams alive. On unless switched off. */
  setKeepAlive(isOn: boolean): void {
    this.#sessions.isKeepAliveOn = isOn;
  }

  /** Executes everything due until `timeMicros`. A time in the past counts as now. */
  advance(timeMicros: number): void {
    const now = Math.max(timeMicros, this.#world.timeMicros);
    if (now > this.#world.horizonMicros)
      this.#command({
        kind: 'horizon',
        untilMicros: now + horizonMicros,
        mark: this.#world.mark(),
      });
    this.#world.advance(now);
    this.#sessions.advance(now);
  }

  /** Answers one request. */
  handle(request: SimulatorRequest, timeMicros: number): SimulatorResponse {
    this.advance(timeMicros);
    const route = routeOf(request.method, request.path);
    if (route === undefined || (this.isStrict && route.earlierPath !== undefined))
      return this.#answerUnknown(request.path);
    const answer = this.#handle(request, route);
    const { earlierPath } = route;
    if (earlierPath === undefined) return answer;
    const { method, path } = operations[route.name];
    return { ...answer, notice: `${method} ${earlierPath} is deprecated: use ${method} ${path}` };
  }

  /** Only the wallet document says what an address without an operation answers. */
  #answerUnknown(path: string): SimulatorResponse {
    if (!path.startsWith(walletPathPrefix)) return this.#answer(404, undefined, {});
    const refusal = refuse('ErrResourceNotFound', 'No operation has this method and path');
    return this.#refuse({ document: 'wallet', authentication: 'signed' }, refusal, {});
  }

  #handle(request: SimulatorRequest, route: Route): SimulatorResponse {
    const operation: Operation = operations[route.name];
    if (operation.authentication === 'none') {
      const cached = { 'cache-control': 'public, max-age=1' };
      const { publicRequests } = this.#world.exchange.state.limits;
      if (publicRequests === undefined)
        return this.#call(route, request, { userId: undefined, headers: cached });
      const address = `address ${request.address ?? ''}`;
      const { isAllowed, headers } = this.#countCall(address, publicRequests);
      if (!isAllowed) return this.#refuse(operation, tooManyRequests, headers);
      return this.#call(route, request, { userId: undefined, headers: { ...cached, ...headers } });
    }
    const caller = this.#authenticate(operation, request);
    if ('status' in caller) return caller;
    const { limits, permissionValues } = this.#world.exchange.state;
    // All keys of a customer share one limit.
    const customer = `customer ${caller.key.userId}`;
    const { isAllowed, headers } = this.#countCall(customer, limits.requests);
    if (!isAllowed) return this.#refuse(operation, tooManyRequests, headers);
    if (!isPermitted(caller.permissions, operation.permission, permissionValues)) {
      const refusal = refuse('ErrInsufficientPerms', 'Insufficient permissions');
      return this.#refuse(operation, refusal, headers);
    }
    return this.#call(route, request, { userId: caller.userId, headers });
  }

  /**
   * Opens a stream. Returns undefined if there is no stream at the path. Frames and the close go to
   * `output`, which must not call back into the simulator.
   */
  openSession(
    path: string,
    output: (output: SessionOutput) => void,
    timeMicros: number,
  ): StreamSession | undefined {
    this.advance(timeMicros);
    const subject = streamSubjectOf(path);
    if (subject === undefined) return undefined;
    const session = this.#sessions.open(subject, output, this.timeMicros);
    return {
      receive: (frame, now) => {
        this.advance(now);
        session.receive(frame, this.timeMicros);
      },
      close: (now) => session.close(Math.max(now, this.timeMicros)),
    };
  }

  /** Executes a command of the operator of the simulated exchange. */
  control(control: Control, timeMicros: number): void {
    this.advance(timeMicros);
    this.#command(control);
    if (control.kind === 'revoke-key') this.#sessions.revoke(control.keyId, this.timeMicros);
  }

  /** Skips the time until `toMicros` as if the exchange had not been running. */
  pause(toMicros: number): void {
    if (toMicros > this.timeMicros) this.#command({ kind: 'pause', toMicros });
  }

  /** Applies a command that is already in the log. */
  replay(command: Command): void {
    this.#world.apply(command);
  }

  /** Advances to the end of what may have been published. The last step of a replay. */
  finishReplay(): void {
    this.#world.advance(this.#world.horizonMicros);
  }

  /** Returns the ids of the recorded users, in the order of the settings. */
  userIds(): readonly string[] {
    const users = [...this.#world.exchange.state.users.values()];
    return users.filter((user) => user.isRecorded).map((user) => user.id);
  }

  /** Returns why an operator's command cannot be executed, or undefined. Changes nothing. */
  rehearse(control: Control): string | undefined {
    return problemOf(control, this.#world);
  }

  /** Returns a key, or undefined if the exchange does not have it. */
  keyOf(keyId: string): ApiKey | undefined {
    return this.#world.exchange.state.keys.get(keyId);
  }

  /** Returns the bits that the settings give to permissions without documented values. */
  permissionValues(): PermissionValues {
    return this.#world.exchange.state.permissionValues;
  }

  /** Returns the progress of every market that replays recorded order flow. */
  flows(): readonly FlowProgress[] {
    return [...this.#world.exchange.state.markets.values()].flatMap(({ market, flow }) =>
      flow === undefined
        ? []
        : [
            {
              pair: market.pair,
              speed: flow.speed,
              rows: Math.max(0, flow.position),
              rounds: flow.rounds,
              misfits: flow.misfits,
            },
          ],
    );
  }

  /** Returns everything that belongs to a recorded user. */
  truth(userId: string): Truth {
    return truthOf(this.#world.exchange, userId);
  }

  /** Returns the truth of a user as JSON text in pieces, each small, as it is now. */
  truthPieces(userId: string): Iterable<string> {
    return truthPiecesOf(this.#world.exchange, userId);
  }

  /** Returns a sentence for every broken invariant; empty if there is none. */
  faults(): string[] {
    return faultsOf(this.#world.exchange);
  }

  /** Returns the durable state as bytes for {@link restoreSimulator}. */
  snapshot(): Uint8Array {
    return this.#world.snapshot();
  }

  #command(command: Untimed<Command>): unknown {
    const timed = { timeMicros: this.#world.timeMicros, ...command } as Command;
    this.#record(timed);
    return this.#world.apply(timed);
  }

  #authenticate(operation: Operation, request: SimulatorRequest): SignedCaller | SimulatorResponse {
    const { state } = this.#world.exchange;
    if (operation.authentication === 'signed') {
      const caller = authenticateSigned(request, state);
      return 'kind' in caller ? this.#refuse(operation, caller, {}) : caller;
    }
    const { credentials } = request;
    // The real exchange answers this as plain text, unlike every other refusal.
    if (credentials === undefined)
      return this.#answer(401, 'Unauthorized\n', { 'content-type': 'text/plain; charset=utf-8' });
    const key = state.keys.get(credentials.id);
    if (key === undefined || !isSecretOf(key, credentials.secret))
      return this.#refuse(operation, refuse('ErrAPIKeyNotFound', 'API key not found'), {});
    if (key.isRevoked)
      return this.#refuse(operation, refuse('ErrApiKeyRevoked', 'API key revoked'), {});
    return { key, userId: key.userId, permissions: key.permissions };
  }

  /** Counts a call of the customer or address, and returns the rate-limit headers of its answer. */
  #countCall(
    subject: string,
    limit: RequestLimit,
  ): { readonly isAllowed: boolean; readonly headers: Readonly<Record<string, string>> } {
    let rateLimit = this.#rateLimits.get(subject);
    if (rateLimit === undefined) {
      rateLimit = createRateLimit(limit);
      this.#rateLimits.set(subject, rateLimit);
    }
    const { isAllowed, remaining, resetSeconds } = rateLimit.take(this.timeMicros);
    const headers = {
      'x-ratelimit-limit': rateLimit.header,
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetSeconds),
    };
    return { isAllowed, headers };
  }

  #call(
    route: Route,
    request: SimulatorRequest,
    caller: {
      /** Undefined for a public operation. */
      readonly userId: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
    },
  ): SimulatorResponse {
    const operation: Operation = operations[route.name];
    const { failures } = this.#world.exchange.state;
    const failure = failures.find(({ operation: name }) => name === route.name);
    if (failure !== undefined) {
      this.#command({ kind: 'failed', operation: route.name });
      const refusal = refuse(failure.code, errorCodes[failure.code].meaning);
      return this.#refuse(operation, refusal, caller.headers);
    }
    const read = requestValuesOf(operation, route, request, this.isStrict);
    if (read.kind === 'refused') return this.#refuse(operation, read, caller.headers);
    const { exchange } = this.#world;
    const userId = caller.userId as string;
    const answer = callHandler(route.name, read.values, {
      exchange,
      cache: this.#cache,
      call: (name, parameters) =>
        this.#command({ kind: 'call', userId, operation: name, parameters }),
      user: () => exchange.userOf(userId),
    });
    if (isRefusal(answer)) return this.#refuse(operation, answer, caller.headers);
    const body = stringifyWireJson(operation.response.encode(answer));
    return this.#answer(200, body, { ...json, ...caller.headers });
  }

  #refuse(
    { document, authentication }: Pick<Operation, 'document' | 'authentication'>,
    refusal: Refusal,
    headers: Readonly<Record<string, string>>,
  ): SimulatorResponse {
    const isAuthenticated = authentication !== 'none';
    const { status, body } = refusalBodyOf({ document, isAuthenticated }, refusal);
    return this.#answer(status, body, { ...json, ...headers });
  }

  #answer(
    status: number,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): SimulatorResponse {
    return {
      status,
      body,
      headers: { ...headers, ...this.#stamps.next(this.#world.exchange.timeMs) },
    };
  }
}

/**
 * Returns a new exchange with deposits made. Its participants fill the books at the first advance.
 */
export function createSimulator(genesis: Genesis, record: Recorder = () => {}): Simulator {
  return new Simulator((listener) => createWorld(genesis, listener), record);
}

/** Restores the exchange of a snapshot. Throws StoreError if the snapshot has an unknown format. */
export function restoreSimulator(
  snapshot: Uint8Array,
  record: Recorder = () => {},
  flow?: FlowRecording,
): Simulator {
  return new Simulator((listener) => restoreWorld(snapshot, listener, flow), record);
}

type Untimed<C> = C extends unknown ? Omit<C, 'timeMicros'> : never;

const json = { 'content-type': 'application/json' };
const tooManyRequests = refuse('ErrTooManyRequests', 'Too many requests');

/**
 * Calls the named handler. The types of the table cannot relate a name known only at run time to
 * its values.
 */
function callHandler(name: OperationName, values: unknown, context: OperationContext): unknown {
  const handler = handlers[name] as (values: unknown, context: OperationContext) => unknown;
  return handler(values, context);
}

function isRefusal(answer: unknown): answer is Refusal {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'refused'
  );
}
