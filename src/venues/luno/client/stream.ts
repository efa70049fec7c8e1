/**
 * A websocket that reconnects until it is closed; the common part of both streams.
 *
 *     start ─▶ connecting ─▶ open ─▶ waiting (backoff) ─▶ connecting ─▶ …    close ends it anywhere
 *
 * Invariants: at most one socket at a time, and nothing from an old one is delivered; credentials
 * are the first frame; a connection that is silent for `deadAfterMs` is dropped; the backoff starts
 * again only after ten healthy seconds; after `close` nothing is called.
 */
import { WebSocket } from 'ws';
import { ConfigError, DecodeError } from '../../../domain/errors.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Random } from '../../../runtime/random.ts';
import type { Cancel, Timers } from '../../../runtime/timers.ts';
import type { Credentials } from '../../../venue/key-credentials.ts';
import type { StreamEnd, StreamListener, VenueStream } from '../../../venue/venue-streams.ts';
import { errorDeclarationOf } from '../api/error-codes.ts';
import { checkedAddress } from './address.ts';
import { createBackoff } from './backoff.ts';
import { keyOf } from './credentials.ts';

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
  const { clock, timers, listener, settings = {} } = options;
  const { origin, pathPrefix } = checkedAddress(options.url, 'wss', 'stream address');
  if (!/^\/[\w/.-]+$/u.test(options.path))
    throw new ConfigError(`"${options.path}" is not a path such as /api/1/stream/XBTZAR`);
  for (const [name, ms] of Object.entries(settings))
    if (ms !== undefined && !(ms >= 1))
      throw new ConfigError(`${name} must be at least 1 ms, was ${ms}`);
  const key = options.credentials === undefined ? noKey : keyOf(options.credentials);
  const backoff = createBackoff(options.random);
  const deadAfterMs = settings.deadAfterMs ?? 60_000;

  let state: 'new' | 'running' | 'closed' = 'new';
  let socket: WebSocket | undefined;
  let hasFrame = false;
  let isHealthy = false;
  let lastEnd: StreamEnd | undefined;
  let inARow = 0;
  /** When something was last received on this connection. */
  let trafficMicros = 0;
  let cancelDead: Cancel = () => {};
  let cancelPings: Cancel = () => {};
  let cancelHealth: Cancel = () => {};
  let cancelWait: Cancel = () => {};

  const noteTraffic = (): void => {
    trafficMicros = clock.monotonicMicros();
  };
  /** One timer, not one per frame: when it fires, it waits on if there was traffic meanwhile. */
  const watchSilence = (forMs: number): void => {
    cancelDead = timers.after(forMs, () => {
      const leftMs = deadAfterMs - (clock.monotonicMicros() - trafficMicros) / 1000;
      if (leftMs > 0) watchSilence(leftMs);
      else fail(`nothing received for ${deadAfterMs} ms`, 'silent');
    });
  };
  /** Takes the socket out of use; nothing from it is delivered afterwards. */
  const detach = (): WebSocket | undefined => {
    for (const cancel of [cancelDead, cancelPings, cancelHealth, cancelWait]) cancel();
    const old = socket;
    socket = undefined;
    old?.removeAllListeners();
    // A socket that is terminated while it connects emits an error, which would end the process.
    old?.on('error', () => {});
    return old;
  };

  const connect = (): void => {
    hasFrame = false;
    isHealthy = false;
    const opening = new WebSocket(`${origin}${pathPrefix}${options.path}`, {
      handshakeTimeout: settings.handshakeTimeoutMs ?? 5_000,
      maxPayload: payloadBytesMax,
      maxFragments: fragmentsMax,
      perMessageDeflate: false,
      followRedirects: false,
      rejectUnauthorized: true,
      ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
    });
    socket = opening;
    opening.on('open', () => {
      opening.send(key.streamHello());
      cancelPings = timers.every(settings.pingEveryMs ?? 20_000, () => opening.ping());
      noteTraffic();
      watchSilence(deadAfterMs);
      options.begin();
      listener.opened();
    });
    opening.on('message', (data, isBinary) => {
      noteTraffic();
      hasFrame = true;
      const text = isBinary ? undefined : data.toString();
      // The documents do not show the frame of the session limit; it may be plain text.
      if (text !== undefined && text.length < 200 && /^[^{"]*session[\s_-]*limit/iu.test(text))
        refuse('', text);
      else options.receive(text);
    });
    opening.on('ping', noteTraffic);
    opening.on('pong', noteTraffic);
    opening.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      const end = status === 401 || status === 403 ? 'refused-key' : 'lost';
      const hint = status === 404 ? ': check its path' : '';
      fail(`upgrade answered with status ${status}${hint}`, end);
    });
    opening.on('error', (error) => fail(`socket error: ${errorCodeOf(error)}`, 'lost'));
    opening.on('close', (code, reason) => {
      const text = `closed with code ${code} ${String(reason).slice(0, 200)}`.trim();
      const end = sessionLimit.test(text) ? 'session-limit' : hasFrame ? 'lost' : 'unanswered';
      fail(text, end);
    });
  };

  const fail = (reason: string, end: StreamEnd): void => {
    if (state !== 'running' || socket === undefined) return;
    detach()?.terminate();
    inARow = lastEnd === end ? inARow + 1 : 1;
    lastEnd = end;
    const limitWaitMs = end === 'session-limit' ? sessionLimitWaitMs : 0;
    cancelWait = timers.after(limitWaitMs + backoff.nextDelayMs(), connect);
    listener.closed(key.hideIn(reason), end, inARow);
  };

  const refuse = (code: string, message: string): void => {
    const text = `${code} ${message}`.trim().slice(0, 300);
    const isLimit = sessionLimit.test(text);
    const end = isLimit ? 'session-limit' : isKeyRefused(code) ? 'refused-key' : 'error-frame';
    fail(`error frame: ${text}`, end);
  };

  return {
    start: () => {
      if (state !== 'new') return;
      state = 'running';
      connect();
    },
    reconnect: (reason) => fail(reason, 'asked'),
    fail,
    refuse,
    healthy: () => {
      if (isHealthy || socket === undefined) return;
      isHealthy = true;
      cancelHealth = timers.after(settings.healthyAfterMs ?? 10_000, () => {
        backoff.reset();
        lastEnd = undefined;
      });
    },
    close: async () => {
      state = 'closed';
      const last = detach();
      if (last !== undefined) await closed(last, timers);
    },
  };
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
