/**
 * The simulated exchange as one deterministic object: requests and stream frames in, answers and
 * frames out, time given by the caller.
 *
 *     request ─▶ route ─▶ key ─▶ call limit ─▶ permission ─▶ parameters ─▶ handler ─▶ log ─▶ world
 *                                                                                      │
 *     streams ◀───────────────────────────────────────────────────────────────────────┘
 *
 * No clock, timer, randomness or I/O inside. `record` is called before a command changes anything:
 * when it throws, nothing has happened and nothing was answered or published.
 */
import { errorCodes } from '../../exchange-api/error-codes.ts';
import type { RequestLimit } from '../../exchange-api/limits.ts';
import type { Operation } from '../../exchange-api/operation.ts';
import { type OperationName, operations } from '../../exchange-api/operations.ts';
import { isPermitted, type PermissionValues } from '../../exchange-api/permissions.ts';
import { stringifyWireJson } from '../../exchange-api/wire-json.ts';
import { type ApiKey, isSecretOf } from '../core/api-key.ts';
import type { ExchangeListener } from '../core/exchange.ts';
import type { FlowRecording } from '../core/flow-recording.ts';
import type { Genesis } from '../core/genesis.ts';
import type { MarketDataCache } from '../core/handler.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import type { SimulatorRequest, SimulatorResponse } from '../core/simulator-request.ts';
import { authenticateSigned, type SignedCaller } from '../wallet/authentication.ts';
import { handlers, type OperationContext } from './handlers.ts';
import { type Route, routeOf } from './operation-route.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { refusalBodyOf } from './refusal-body.ts';
import { requestValuesOf } from './request-values.ts';
import {
  type SessionOutput,
  type StreamSession,
  StreamSessions,
  streamSubjectOf,
} from './stream-sessions.ts';
import { faultsOf, type Truth, truthOf } from './truth.ts';
import { createWorld, restoreWorld, type World } from './world.ts';
import type { Command, Control } from './world-command.ts';

/** Writes a command where a restart finds it. Throws if it cannot; the simulator must then end. */
export type Recorder = (command: Command) => void;

export type FlowProgress = {
  readonly pair: string;
  readonly speed: number;
  /** Rows of the recording that have been obeyed in this round. */
  readonly rows: number;
  readonly rounds: number;
  /** Rows that did not fit history's own book. */
  readonly misfits: number;
};

/** How far ahead of now the log allows the world to be seen. */
const horizonMicros = 1_000_000;

export class Simulator {
  readonly #world: World;
  readonly #record: Recorder;
  readonly #sessions: StreamSessions;
  /** The time of the last answer in whole seconds, and its text: it changes rarely. */
  #date = { seconds: -1, text: '' };
  readonly #rateLimits = new Map<string, RateLimit>();
  readonly #cache: MarketDataCache = new Map();
  readonly #tracePrefix: string;
  #answerCount = 0;

  /** Called by {@link createSimulator} and {@link restoreSimulator}. */
  constructor(makeWorld: (listener: ExchangeListener) => World, record: Recorder) {
    this.#record = record;
    this.#world = makeWorld({
      onMarketUpdate: (pair, update) =>
        this.#sessions.onMarketUpdate(pair, update, this.#world.timeMicros),
      onUserMessage: (userId, frame) =>
        this.#sessions.onUserMessage(userId, frame, this.#world.timeMicros),
    });
    this.#sessions = new StreamSessions(() => this.#world.exchange);
    const { idSeed } = this.#world.exchange.state;
    this.#tracePrefix = BigInt.asUintN(64, idSeed).toString(16).padStart(16, '0');
  }

  /** The simulator's own time, microseconds since 1970: never behind what it has published. */
  get timeMicros(): number {
    return this.#world.timeMicros;
  }

  /** Lets everything happen that is due until `timeMicros`. A time in the past is read as now. */
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
    if (route === undefined) return this.#answer(404, undefined, {});
    const operation: Operation = operations[route.name];
    if (operation.authentication === 'none') {
      const cached = { 'cache-control': 'public, max-age=1' };
      const { publicRequests } = this.#world.exchange.state.limits;
      if (publicRequests === undefined)
        return this.#call(route, request, { userId: undefined, headers: cached });
      const { isAllowed, headers } = this.#take(`address ${request.address ?? ''}`, publicRequests);
      if (!isAllowed) return this.#refuse(operation, tooManyRequests, headers);
      return this.#call(route, request, { userId: undefined, headers: { ...cached, ...headers } });
    }
    const caller = this.#authenticate(operation, request);
    if ('status' in caller) return caller;
    const { limits, permissionValues } = this.#world.exchange.state;
    // All keys of a customer share one limit.
    const { isAllowed, headers } = this.#take(`customer ${caller.key.userId}`, limits.requests);
    if (!isAllowed) return this.#refuse(operation, tooManyRequests, headers);
    if (!isPermitted(caller.permissions, operation.permission, permissionValues)) {
      const refusal = refuse('ErrInsufficientPerms', 'Insufficient permissions');
      return this.#refuse(operation, refusal, headers);
    }
    return this.#call(route, request, { userId: caller.userId, headers });
  }

  /**
   * Opens a stream. Returns undefined if the path streams nothing. Frames and the close go to
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

  /** Does what the operator of the simulated exchange asks. */
  control(control: Control, timeMicros: number): void {
    this.advance(timeMicros);
    this.#command(control);
    if (control.kind === 'revoke-key') this.#sessions.revoke(control.keyId, this.timeMicros);
  }

  /** Skips the time until `toMicros` as if the exchange had not been running. */
  pause(toMicros: number): void {
    if (toMicros > this.timeMicros) this.#command({ kind: 'pause', toMicros });
  }

  /** Obeys a command that is in the log already. */
  replay(command: Command): void {
    this.#world.apply(command);
  }

  /** Goes on to the end of what may have been published; the last step of a replay. */
  finishReplay(): void {
    this.#world.advance(this.#world.horizonMicros);
  }

  /** Returns the ids of the users whose history is kept, the first one first. */
  userIds(): readonly string[] {
    const users = [...this.#world.exchange.state.users.values()];
    return users.filter((user) => user.isRecorded).map((user) => user.id);
  }

  /**
   * Tries what an operator asks on a copy. Returns why the exchange could not obey, or undefined if
   * it can.
   */
  rehearse(control: Control): string | undefined {
    const copy = restoreSimulator(this.snapshot(), () => {}, this.#world.flow);
    try {
      copy.control(control, this.timeMicros);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return copy.faults()[0];
  }

  /** Returns a key as the exchange knows it. */
  keyOf(keyId: string): ApiKey | undefined {
    return this.#world.exchange.state.keys.get(keyId);
  }

  /** Returns the bits that the settings give to permissions without documented ones. */
  permissionValues(): PermissionValues {
    return this.#world.exchange.state.permissionValues;
  }

  /** Returns how far the markets have come that replay recorded order flow. */
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

  truth(userId: string): Truth {
    return truthOf(this.#world.exchange, userId);
  }

  /** Returns every broken invariant as a sentence; none if the exchange is in order. */
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
    // As on the wire: not JSON, unlike every other refusal.
    if (credentials === undefined)
      return this.#answer(401, 'Unauthorized\n', { 'content-type': 'text/plain; charset=utf-8' });
    const key = state.keys.get(credentials.id);
    if (key === undefined || !isSecretOf(key, credentials.secret))
      return this.#refuse(operation, refuse('ErrAPIKeyNotFound', 'API key not found'), {});
    if (key.isRevoked)
      return this.#refuse(operation, refuse('ErrApiKeyRevoked', 'API key revoked'), {});
    return { key, userId: key.userId, permissions: key.permissions };
  }

  /** Counts one call of the customer or address, and says so in the headers of its answer. */
  #take(
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
    const failure = failures.find((one) => one.operation === route.name);
    if (failure !== undefined) {
      this.#command({ kind: 'failed', operation: route.name });
      const refusal = refuse(failure.code, errorCodes[failure.code].meaning);
      return this.#refuse(operation, refusal, caller.headers);
    }
    const read = requestValuesOf(operation, route, request);
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
    if (operation.emptyAnswer) return this.#answer(204, undefined, caller.headers);
    const body = stringifyWireJson(operation.response.encode(answer));
    return this.#answer(200, body, { ...json, ...caller.headers });
  }

  #refuse(
    { document, authentication }: Operation,
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
    const traceId = this.#nextTraceId();
    return {
      status,
      body,
      headers: { ...headers, [traceHeader]: traceId, date: this.#dateText() },
    };
  }

  /** The seed's digits and a count of the answers since the start: the same in every run. */
  #nextTraceId(): string {
    this.#answerCount += 1;
    return `${this.#tracePrefix}${this.#answerCount.toString(16).padStart(16, '0')}`;
  }

  #dateText(): string {
    const seconds = Math.floor(this.#world.exchange.timeMs / 1000);
    if (seconds !== this.#date.seconds)
      this.#date = { seconds, text: new Date(seconds * 1000).toUTCString() };
    return this.#date.text;
  }
}

/** Returns a new exchange: deposits made, books as the participants fill them at once. */
export function createSimulator(genesis: Genesis, record: Recorder = () => {}): Simulator {
  return new Simulator((listener) => createWorld(genesis, listener), record);
}

/** Returns the exchange of a snapshot; throws StoreError for bytes of another format. */
export function restoreSimulator(
  snapshot: Uint8Array,
  record: Recorder = () => {},
  flow?: FlowRecording,
): Simulator {
  return new Simulator((listener) => restoreWorld(snapshot, listener, flow), record);
}

type Untimed<C> = C extends unknown ? Omit<C, 'timeMicros'> : never;

const json = { 'content-type': 'application/json' };
/** Its name is the wire's; what is in it is ours. */
const traceHeader = 'x-luno-trace-id';
const tooManyRequests = refuse('ErrTooManyRequests', 'Too many requests');

/** The table's types tie parameters and answer to the name; here all names are one. */
function callHandler(name: OperationName, values: unknown, context: OperationContext): unknown {
  const handler = handlers[name] as (values: unknown, context: OperationContext) => unknown;
  return handler(values, context);
}

function isRefusal(answer: unknown): answer is Refusal {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'refused'
  );
}
