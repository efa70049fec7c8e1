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
import { encodeErrorBody } from '../interface/error-body.ts';
import { type ErrorCode, errorCodes } from '../interface/errors.ts';
import { limits } from '../interface/limits.ts';
import type { Operation } from '../interface/operation.ts';
import { type OperationName, operations } from '../interface/operations.ts';
import { isPermitted } from '../interface/permissions.ts';
import { decodeParameters } from '../interface/request-parameters.ts';
import { stringifyWireJson } from '../interface/wire-json.ts';
import { type ApiKey, isSecretOf } from './api-key.ts';
import type { Command, Control } from './command.ts';
import type { ExchangeListener } from './exchange.ts';
import type { Genesis } from './exchange-state.ts';
import { type HandlerContext, handlers } from './handlers.ts';
import type { MarketDataCache } from './market-data-handlers.ts';
import type { Refusal } from './order-check.ts';
import { RateLimit } from './rate-limit.ts';
import { type Route, routeOf } from './route.ts';
import type { SimulatorRequest, SimulatorResponse } from './simulator-request.ts';
import {
  type SessionOutput,
  type StreamSession,
  StreamSessions,
  streamSubjectOf,
} from './stream-sessions.ts';
import { faultsOf, type Truth, truthOf } from './truth.ts';
import { createWorld, restoreWorld, type World } from './world.ts';

/** Writes a command where a restart finds it. Throws if it cannot; the simulator must then end. */
export type Recorder = (command: Command) => void;

/** How far ahead of now the log allows the world to be seen. */
const horizonMicros = 1_000_000;

export class Simulator {
  readonly #world: World;
  readonly #record: Recorder;
  readonly #sessions: StreamSessions;
  readonly #rateLimits = new Map<string, RateLimit>();
  readonly #cache: MarketDataCache = new Map();

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
  }

  /** The simulator's own time, microseconds since 1970: never behind what it has published. */
  get timeMicros(): number {
    return this.#world.timeMicros;
  }

  get sessionCount(): number {
    return this.#sessions.size;
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
      const isBook = operation.errors.includes('ErrMarketUnavailable');
      const headers = isBook ? { 'cache-control': 'public, max-age=1' } : {};
      return this.#call(route, request, { key: undefined, headers });
    }
    const key = this.#authenticate(request);
    if ('status' in key) return key;
    const rate = this.#rateLimitOf(key.id).take(this.timeMicros);
    const headers = {
      'x-ratelimit-limit': `${limits.requestsPerMinuteMax}, ${limits.requestsPerMinuteMax};w=60`,
      'x-ratelimit-remaining': String(rate.remaining),
      'x-ratelimit-reset': String(rate.resetSeconds),
    };
    if (!rate.isAllowed) return this.#refuse('ErrTooManyRequests', 'Too many requests', headers);
    if (!isPermitted(key.permissions, operation.permission))
      return this.#refuse('ErrInsufficientPerms', 'Insufficient permissions', headers);
    return this.#call(route, request, { key, headers });
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

  #command(command: Untimed<Command>): string {
    const timed = { timeMicros: this.#world.timeMicros, ...command } as Command;
    this.#record(timed);
    return this.#world.apply(timed);
  }

  #authenticate(request: SimulatorRequest): ApiKey | SimulatorResponse {
    const { credentials } = request;
    // As on the wire: not JSON, unlike every other refusal.
    if (credentials === undefined)
      return this.#answer(401, 'Unauthorized\n', { 'content-type': 'text/plain; charset=utf-8' });
    const key = this.#world.exchange.state.keys.get(credentials.id);
    if (key === undefined || !isSecretOf(key, credentials.secret))
      return this.#refuse('ErrAPIKeyNotFound', 'API key not found', {});
    if (key.isRevoked) return this.#refuse('ErrApiKeyRevoked', 'API key revoked', {});
    return key;
  }

  #rateLimitOf(keyId: string): RateLimit {
    let limit = this.#rateLimits.get(keyId);
    if (limit === undefined) {
      limit = new RateLimit(limits.requestsPerMinuteMax);
      this.#rateLimits.set(keyId, limit);
    }
    return limit;
  }

  #call(
    route: Route,
    request: SimulatorRequest,
    caller: {
      readonly key: ApiKey | undefined;
      readonly headers: Readonly<Record<string, string>>;
    },
  ): SimulatorResponse {
    if (request.bodyKind === 'other')
      return this.#refuse(
        'ErrInvalidParameters',
        'Parameters must travel in the query or as application/x-www-form-urlencoded',
        caller.headers,
      );
    const operation: Operation = operations[route.name];
    const decoded = decodeParameters(operation, route.pathValues, request.pairs);
    if (decoded.kind === 'invalid') {
      const { code, message, fields } = toRefusal(route.name, request, decoded);
      return this.#refuse(code, message, caller.headers, fields);
    }
    const { exchange } = this.#world;
    const answer = callHandler(route.name, decoded.values, {
      exchange,
      cache: this.#cache,
      apply: (command) => this.#command(command),
      user: () => exchange.userOf((caller.key as ApiKey).userId),
    });
    if (isRefusal(answer))
      return this.#refuse(answer.code, answer.message, caller.headers, answer.fields);
    const body = stringifyWireJson(operation.response.encode(answer));
    return this.#answer(200, body, { ...json, ...caller.headers });
  }

  #refuse(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>>,
    fields: readonly string[] = [],
  ): SimulatorResponse {
    const body = stringifyWireJson(encodeErrorBody({ code, message }, fields));
    return this.#answer(errorCodes[code].status, body, { ...json, ...headers });
  }

  #answer(
    status: number,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): SimulatorResponse {
    const date = new Date(this.#world.exchange.timeMs).toUTCString();
    return { status, body, headers: { ...headers, date } };
  }
}

/** Returns a new exchange: deposits made, books as the participants fill them at once. */
export function createSimulator(genesis: Genesis, record: Recorder = () => {}): Simulator {
  return new Simulator((listener) => createWorld(genesis, listener), record);
}

/** Returns the exchange of a snapshot; throws StoreError for bytes of another format. */
export function restoreSimulator(snapshot: Uint8Array, record: Recorder = () => {}): Simulator {
  return new Simulator((listener) => restoreWorld(snapshot, listener), record);
}

type Untimed<C> = C extends unknown ? Omit<C, 'timeMicros'> : never;

const json = { 'content-type': 'application/json' };

/** A request without a pair is answered like one with an unknown pair, as on the wire. */
function toRefusal(
  name: OperationName,
  request: SimulatorRequest,
  decoded: {
    readonly errorCode: ErrorCode;
    readonly message: string;
    readonly fields: readonly string[];
  },
): Pick<Refusal, 'code' | 'message' | 'fields'> {
  const isPublic = operations[name].authentication === 'none';
  const hasPair = request.pairs.some(([key, text]) => key === 'pair' && text !== '');
  if (isPublic && !hasPair && decoded.fields.includes('pair'))
    return { code: 'ErrMarketUnavailable', message: 'Market not available' };
  const fields = decoded.errorCode === 'ErrInvalidArguments' ? decoded.fields : [];
  return { code: decoded.errorCode, message: decoded.message, fields };
}

/** The table's types tie parameters and answer to the name; here all names are one. */
function callHandler(name: OperationName, values: unknown, context: HandlerContext): unknown {
  const handler = handlers[name] as (values: unknown, context: HandlerContext) => unknown;
  return handler(values, context);
}

function isRefusal(answer: unknown): answer is Refusal {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'refused'
  );
}
