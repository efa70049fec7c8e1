/**
 * A websocket that reconnects until it is closed; the common part of both streams.
 *
 *     start ─▶ connecting ─▶ open ─▶ waiting (backoff) ─▶ connecting ─▶ …    close ends it anywhere
 *
 * Invariants: at most one socket at a time, and nothing from an old one is delivered; credentials
 * are the first frame; a connection that is silent for `deadAfterMs` is dropped; the backoff starts
 * again only after ten healthy seconds; after `close` nothing is called.
 */
import { type RawData, WebSocket } from 'ws';
import { ConfigError, DecodeError } from '../../../domain/errors.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Random } from '../../../runtime/random.ts';
import type { Cancel, Timers } from '../../../runtime/timers.ts';
import type { Credentials } from '../../../venue/key-credentials.ts';
import type { StreamEnd, StreamListener, VenueStream } from '../../../venue/venue-streams.ts';
import { errorDeclarationOf } from '../api/error-codes.ts';
import { checkedAddress } from './address.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { type Key, keyOf } from './credentials.ts';

export type StreamSettings = {
  /** Time between pings; 20 s unless given. */
  readonly pingEveryMs?: number | undefined;
  /** Time without any frame or pong after which the connection is dropped; 60 s unless given. */
  readonly deadAfterMs?: number | undefined;
  /** Healthy time after which the backoff starts again; 10 s unless given. */
  readonly healthyAfterMs?: number | undefined;
  /** 5 s unless given. */
  readonly handshakeTimeoutMs?: number | undefined;
};

export type StreamOptions = {
  /** Stream address and path. `wss://…`; `ws://` for this machine only. */
  readonly url: string;
  readonly path: string;
  /** Without them the first frame is an empty object, which suffices for market data. */
  readonly credentials: Credentials | undefined;
  readonly clock: Pick<Clock, 'monotonicMicros'>;
  readonly timers: Timers;
  readonly random: Pick<Random, 'next'>;
  readonly settings?: StreamSettings | undefined;
  /** An additional certificate authority to trust, as PEM text. */
  readonly certificateAuthority?: string | undefined;
  readonly listener: StreamListener;
  /** A new connection is open: the state of the old one must be discarded. */
  readonly begin: () => void;
  /** One frame: its text, or undefined if it is binary. */
  readonly receive: (text: string | undefined) => void;
};

export type Stream = VenueStream & {
  /** Like `reconnect`, for a fault of this connection. */
  readonly fail: (reason: string, end: StreamEnd) => void;
  /** Like `fail`, for an error frame of the exchange. */
  readonly refuse: (code: string, message: string) => void;
  /** Reports that the connection works; the healthy time starts with the first call. */
  readonly healthy: () => void;
};

const payloadBytesMax = 32 * 1024 * 1024;
/** A message with more fragments is an attack: each fragment costs more than its bytes. */
const fragmentsMax = 4_096;
const closeTimeoutMs = 1_000;
const sessionLimitWaitMs = 60_000;
const sessionLimit = /session[\s_-]*limit/iu;
/** The key of a stream without credentials. */
const noKey = { streamHello: () => '{}', hideIn: (text: string) => text };
/** Codes that only the streams use, in addition to those of the requests. */
const keyRefused = /^(?:auth_timeout|invalid_credentials)$/u;

/**
 * Returns a stream, not started. Throws ConfigError for an unsafe address, a bad key or an invalid
 * duration.
 */
export function createStream(options: StreamOptions): Stream {
  return new ReconnectingStream(options);
}

class ReconnectingStream implements Stream {
  readonly #options: StreamOptions;
  readonly #settings: StreamSettings;
  readonly #address: string;
  readonly #key: Pick<Key, 'streamHello' | 'hideIn'>;
  readonly #backoff: Backoff;
  readonly #deadAfterMs: number;
  #state: 'new' | 'running' | 'closed' = 'new';
  #socket: WebSocket | undefined;
  #hasFrame = false;
  #isHealthy = false;
  #lastEnd: StreamEnd | undefined;
  #inARow = 0;
  /** When something was last received on this connection. */
  #trafficMicros = 0;
  #cancelDead: Cancel = () => {};
  #cancelPings: Cancel = () => {};
  #cancelHealth: Cancel = () => {};
  #cancelWait: Cancel = () => {};

  constructor(options: StreamOptions) {
    const { settings = {} } = options;
    const { origin, pathPrefix } = checkedAddress(options.url, 'wss', 'stream address');
    if (!/^\/[\w/.-]+$/u.test(options.path))
      throw new ConfigError(`"${options.path}" is not a path such as /api/1/stream/XBTZAR`);
    for (const [name, ms] of Object.entries(settings))
      if (ms !== undefined && !(ms >= 1))
        throw new ConfigError(`${name} must be at least 1 ms, was ${ms}`);
    this.#options = options;
    this.#settings = settings;
    this.#address = `${origin}${pathPrefix}${options.path}`;
    this.#key = options.credentials === undefined ? noKey : keyOf(options.credentials);
    this.#backoff = createBackoff(options.random);
    this.#deadAfterMs = settings.deadAfterMs ?? 60_000;
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    this.#connect();
  }

  reconnect(reason: string): void {
    this.fail(reason, 'asked');
  }

  fail(reason: string, end: StreamEnd): void {
    if (this.#state !== 'running' || this.#socket === undefined) return;
    this.#detach()?.terminate();
    this.#inARow = this.#lastEnd === end ? this.#inARow + 1 : 1;
    this.#lastEnd = end;
    const limitWaitMs = end === 'session-limit' ? sessionLimitWaitMs : 0;
    const waitMs = limitWaitMs + this.#backoff.nextDelayMs();
    this.#cancelWait = this.#options.timers.after(waitMs, () => this.#connect());
    this.#options.listener.closed(this.#key.hideIn(reason), end, this.#inARow);
  }

  refuse(code: string, message: string): void {
    const text = `${code} ${message}`.trim().slice(0, 300);
    const isLimit = sessionLimit.test(text);
    const end = isLimit ? 'session-limit' : isKeyRefused(code) ? 'refused-key' : 'error-frame';
    this.fail(`error frame: ${text}`, end);
  }

  healthy(): void {
    if (this.#isHealthy || this.#socket === undefined) return;
    this.#isHealthy = true;
    const healthyAfterMs = this.#settings.healthyAfterMs ?? 10_000;
    this.#cancelHealth = this.#options.timers.after(healthyAfterMs, () => {
      this.#backoff.reset();
      this.#lastEnd = undefined;
    });
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    const last = this.#detach();
    if (last !== undefined) await closed(last, this.#options.timers);
  }

  #connect(): void {
    const { certificateAuthority } = this.#options;
    this.#hasFrame = false;
    this.#isHealthy = false;
    const opening = new WebSocket(this.#address, {
      handshakeTimeout: this.#settings.handshakeTimeoutMs ?? 5_000,
      maxPayload: payloadBytesMax,
      maxFragments: fragmentsMax,
      perMessageDeflate: false,
      followRedirects: false,
      rejectUnauthorized: true,
      ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
    });
    this.#socket = opening;
    const noteTraffic = (): void => this.#noteTraffic();
    opening.on('open', () => this.#opened(opening));
    opening.on('message', (data, isBinary) => this.#receive(data, isBinary));
    opening.on('ping', noteTraffic);
    opening.on('pong', noteTraffic);
    opening.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      const end = status === 401 || status === 403 ? 'refused-key' : 'lost';
      const hint = status === 404 ? ': check its path' : '';
      this.fail(`upgrade answered with status ${status}${hint}`, end);
    });
    opening.on('error', (error) => this.fail(`socket error: ${errorCodeOf(error)}`, 'lost'));
    opening.on('close', (code, reason) => {
      const text = `closed with code ${code} ${String(reason).slice(0, 200)}`.trim();
      const end = sessionLimit.test(text)
        ? 'session-limit'
        : this.#hasFrame
          ? 'lost'
          : 'unanswered';
      this.fail(text, end);
    });
  }

  #opened(socket: WebSocket): void {
    const { timers, begin, listener } = this.#options;
    socket.send(this.#key.streamHello());
    this.#cancelPings = timers.every(this.#settings.pingEveryMs ?? 20_000, () => socket.ping());
    this.#noteTraffic();
    this.#watchSilence(this.#deadAfterMs);
    begin();
    listener.opened();
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#noteTraffic();
    this.#hasFrame = true;
    const text = isBinary ? undefined : data.toString();
    // The documents do not show the frame of the session limit; it may be plain text.
    if (text !== undefined && text.length < 200 && /^[^{"]*session[\s_-]*limit/iu.test(text))
      this.refuse('', text);
    else this.#options.receive(text);
  }

  #noteTraffic(): void {
    this.#trafficMicros = this.#options.clock.monotonicMicros();
  }

  /** One timer, not one per frame: when it fires, it waits on if there was traffic meanwhile. */
  #watchSilence(forMs: number): void {
    const { clock, timers } = this.#options;
    this.#cancelDead = timers.after(forMs, () => {
      const silentMs = (clock.monotonicMicros() - this.#trafficMicros) / 1000;
      const leftMs = this.#deadAfterMs - silentMs;
      if (leftMs > 0) this.#watchSilence(leftMs);
      else this.fail(`nothing received for ${this.#deadAfterMs} ms`, 'silent');
    });
  }

  /** Takes the socket out of use; nothing from it is delivered afterwards. */
  #detach(): WebSocket | undefined {
    this.#cancelDead();
    this.#cancelPings();
    this.#cancelHealth();
    this.#cancelWait();
    const old = this.#socket;
    this.#socket = undefined;
    old?.removeAllListeners();
    // A socket that is terminated while it connects emits an error, which would end the process.
    old?.on('error', () => {});
    return old;
  }
}

/** Returns the decoded message, or the reason why `received` is not one. */
export function decodedOrReason<Received, Message extends object>(
  decode: (received: Received) => Message,
  received: Received,
): Message | string {
  try {
    return decode(received);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** Closes the socket, by force if the other side does not answer in time. */
async function closed(socket: WebSocket, timers: Timers): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const done = Promise.withResolvers<void>();
  socket.once('close', () => done.resolve());
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
  else socket.close(1000);
  const cancel = timers.after(closeTimeoutMs, () => socket.terminate());
  await done.promise;
  cancel();
}

function isKeyRefused(code: string): boolean {
  return keyRefused.test(code) || errorDeclarationOf(code)?.effect === 'fatal';
}

function errorCodeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
