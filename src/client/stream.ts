/**
 * A websocket that is opened again for as long as it is wanted: what both streams have in common.
 *
 *     start ─▶ connecting ─▶ open ─▶ waiting (backoff) ─▶ connecting ─▶ …    close ends it anywhere
 *
 * Invariants: at most one socket at a time, and nothing of an old one is delivered; credentials are
 * the first frame; a connection that is silent for `deadAfterMs` is given up; the delays begin
 * again only after ten seconds of health; after `close` nothing is called any more.
 */
import { WebSocket } from 'ws';
import { ConfigError, DecodeError } from '../domain/errors.ts';
import type { StreamEnd } from '../engine/event.ts';
import { errorDeclarationOf } from '../exchange-api/error-codes.ts';
import type { Random } from '../runtime/random.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import { checkedAddress } from './address.ts';
import { createBackoff } from './backoff.ts';
import { type Credentials, keyOf } from './credentials.ts';

/** What a stream's owner is told besides its messages. */
export type StreamListener = {
  /** The connection is open and the credentials are sent. */
  opened(): void;
  /**
   * A connection, or an attempt to make one, ended. `inARow` counts equal ends since the last
   * health.
   */
  closed(reason: string, end: StreamEnd, inARow: number): void;
};

export type StreamSettings = {
  /** Between our pings; 20 s unless given. */
  readonly pingEveryMs?: number | undefined;
  /** Silence, pongs included, after which a connection is dead; 60 s unless given. */
  readonly deadAfterMs?: number | undefined;
  /** Health after which the delays begin again; 10 s unless given. */
  readonly healthyAfterMs?: number | undefined;
  /** 5 s unless given. */
  readonly handshakeTimeoutMs?: number | undefined;
};

export type StreamOptions = {
  /** Stream address and path. `wss://…`; `ws://` for this machine only. */
  readonly url: string;
  readonly path: string;
  /** Without them the first frame is an empty object, which is enough for market data. */
  readonly credentials: Credentials | undefined;
  readonly timers: Timers;
  readonly random: Pick<Random, 'next'>;
  readonly settings?: StreamSettings | undefined;
  /** Certificate authority to trust besides the known ones, as PEM text. */
  readonly certificateAuthority?: string | undefined;
  readonly listener: StreamListener;
  /** A new connection is open; forget what the old one said. */
  readonly begin: () => void;
  /** One frame: its text, or undefined when it is binary. */
  readonly receive: (text: string | undefined) => void;
};

export type Stream = {
  /** Opens the first connection. Called once. */
  readonly start: () => void;
  /** Ends the connection, if there is one, and opens another after the backoff. */
  readonly reconnect: (reason: string) => void;
  /** Ends this connection for a fault, as `reconnect` does. */
  readonly fail: (reason: string, end: StreamEnd) => void;
  /** The exchange sent an error frame: ends this connection. */
  readonly refuse: (code: string, message: string) => void;
  /** Says that the connection works; the time of health begins with the first call. */
  readonly healthy: () => void;
  /** Ends everything, politely at first; resolves when the socket is closed. */
  readonly close: () => Promise<void>;
};

const payloadBytesMax = 32 * 1024 * 1024;
/** One message in more pieces than these is an attack: each piece costs more than its bytes. */
const fragmentsMax = 4_096;
const farewellMs = 1_000;
const sessionLimitWaitMs = 60_000;
const sessionLimit = /session[\s_-]*limit/iu;
/** What is said without credentials. */
const nobody = { streamHello: () => '{}', hideIn: (text: string) => text };
/** Codes that only the streams have; the others are those of the requests. */
const keyRefused = /^(?:auth_timeout|invalid_credentials)$/u;

/**
 * Returns a stream that is not started yet. Throws ConfigError for an unsafe address, a bad key, or
 * a time that is none.
 */
export function createStream(options: StreamOptions): Stream {
  const { timers, listener, settings = {} } = options;
  const { origin, pathPrefix } = checkedAddress(options.url, 'wss', 'stream address');
  if (!/^\/[\w/.-]+$/u.test(options.path)) throw new ConfigError(`no path: "${options.path}"`);
  for (const [name, ms] of Object.entries(settings))
    if (ms !== undefined && !(ms >= 1))
      throw new ConfigError(`${name} must be 1 or more, was ${ms}`);
  const key = options.credentials === undefined ? nobody : keyOf(options.credentials);
  const backoff = createBackoff(options.random);
  const deadAfterMs = settings.deadAfterMs ?? 60_000;

  let state: 'new' | 'running' | 'closed' = 'new';
  let socket: WebSocket | undefined;
  let hasFrame = false;
  let isHealthy = false;
  let lastEnd: StreamEnd | undefined;
  let inARow = 0;
  let cancelDead: Cancel = () => {};
  let cancelPings: Cancel = () => {};
  let cancelHealth: Cancel = () => {};
  let cancelWait: Cancel = () => {};

  const heard = (): void => {
    cancelDead();
    cancelDead = timers.after(deadAfterMs, () =>
      fail(`nothing heard for ${deadAfterMs} ms`, 'silent'),
    );
  };
  /** Takes the present socket out of use; nothing of it is delivered afterwards. */
  const detach = (): WebSocket | undefined => {
    for (const cancel of [cancelDead, cancelPings, cancelHealth, cancelWait]) cancel();
    const old = socket;
    socket = undefined;
    old?.removeAllListeners();
    // A socket that is ended while it connects still emits an error, which would end the process.
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
      heard();
      options.begin();
      listener.opened();
    });
    opening.on('message', (data, isBinary) => {
      heard();
      hasFrame = true;
      const text = isBinary ? undefined : String(data);
      // The frame of the session limit was never seen; it may be plain text.
      if (text !== undefined && text.length < 200 && /^[^{"]*session[\s_-]*limit/iu.test(text))
        refuse('', text);
      else options.receive(text);
    });
    opening.on('ping', heard);
    opening.on('pong', heard);
    opening.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      const end = status === 401 || status === 403 ? 'refused-key' : 'lost';
      const hint = status === 404 ? ': is its path right?' : '';
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

/** Returns what `decode` makes of `text`, or the reason why it is no frame. */
export function decodedOrReason<Message extends object>(
  decode: (text: string) => Message,
  text: string,
): Message | string {
  try {
    return decode(text);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** Says goodbye, and ends the socket if that is not answered soon. */
async function closed(socket: WebSocket, timers: Timers): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const done = Promise.withResolvers<void>();
  socket.once('close', () => done.resolve());
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
  else socket.close(1000);
  const cancel = timers.after(farewellMs, () => socket.terminate());
  await done.promise;
  cancel();
}

function isKeyRefused(code: string): boolean {
  return keyRefused.test(code) || errorDeclarationOf(code)?.effect === 'fatal';
}

function errorCodeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
