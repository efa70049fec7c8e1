/**
 * The open streams: credentials, snapshots and updates, keep-alives, and the messages that a
 * reconnecting client of the user stream has missed.
 *
 *     open ─▶ waiting for credentials ─▶ live ─▶ closed
 *
 * A client of the user stream is identified by its API key. If the key reconnects within five
 * minutes after its last session ended, it receives the messages that it missed; later it receives
 * none of them. After a restart of the exchange every key counts as disconnected since five minutes
 * before the restart, because the exchange no longer knows what it delivered. So a restart may
 * repeat messages but loses none.
 *
 * Invariants: no frame is sent after a close; a live market session has received every message of
 * its market since its snapshot, in order.
 */
import type { StreamErrorCode } from '../../api/error-codes.ts';
import { limits } from '../../api/limits.ts';
import { marketStreamPath, streamCredentials } from '../../api/market-messages.ts';
import { userStreamPath } from '../../api/user-messages.ts';
import { type ApiKey, isSecretOf } from '../core/api-key.ts';
import type { Exchange } from '../core/exchange.ts';
import {
  encodeMarketSnapshot,
  encodeMarketUpdate,
  type MarketUpdate,
} from '../core/market-updates.ts';

export type SessionOutput =
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'close'; readonly code: number };

/** A session as the transport sees it. */
export type StreamSession = {
  /** Handles a text frame from the client. */
  receive(frame: string, timeMicros: number): void;
  /** Ends the session because the client has disconnected. */
  close(timeMicros: number): void;
};

type Subject = { readonly kind: 'market'; readonly pair: string } | { readonly kind: 'user' };

type Session = {
  readonly subject: Subject;
  readonly output: (output: SessionOutput) => void;
  readonly openedMicros: number;
  lastKeepAliveMicros: number;
  /** Whether its first frame was accepted. */
  isLive: boolean;
  /** Undefined until then, and in a market session without credentials. */
  key: ApiKey | undefined;
};

const keepAlive = '""';
const keepAliveMicros = 20_000_000;
const normalClosure = 1000;
const marketPrefix = marketStreamPath.replace(':pair', '');

const errorTexts = {
  auth_timeout: 'you took too long to provide credentials',
  invalid_credentials: 'you provided an invalid credentials message',
  session_limit_exceeded: 'session limit exceeded',
} as const;

/** Returns whether a first frame is an empty object, which the market stream accepts too. */
function isNoCredentials(frame: string): boolean {
  return /^\s*\{\s*\}\s*$/u.test(frame);
}

/** Returns the subject of the stream at a path, or undefined if there is no stream. */
export function streamSubjectOf(path: string): Subject | undefined {
  if (path === userStreamPath) return { kind: 'user' };
  const pair = path.startsWith(marketPrefix) ? path.slice(marketPrefix.length) : '';
  return /^[A-Za-z0-9]{1,20}$/u.test(pair) ? { kind: 'market', pair } : undefined;
}

export class StreamSessions {
  readonly #exchange: () => Exchange;
  readonly #sessions = new Set<Session>();
  /** When the last user-stream session of each key ended. */
  readonly #disconnectedMs = new Map<string, number>();
  /** Time of the first advance after the start or restart. */
  #startedMs: number | undefined;
  readonly #isStrict: () => boolean;
  isKeepAliveOn = true;

  /** Strictly, a market session needs credentials too, as the document says. */
  constructor(exchange: () => Exchange, isStrict: () => boolean) {
    this.#exchange = exchange;
    this.#isStrict = isStrict;
  }

  /** Opens a session for a subject of {@link streamSubjectOf}. */
  open(
    subject: Subject,
    output: (output: SessionOutput) => void,
    timeMicros: number,
  ): StreamSession {
    const session: Session = {
      subject,
      output,
      openedMicros: timeMicros,
      lastKeepAliveMicros: timeMicros,
      isLive: false,
      key: undefined,
    };
    this.#sessions.add(session);
    return {
      receive: (frame, now) => {
        if (this.#sessions.has(session) && !session.isLive) this.#authenticate(session, frame, now);
      },
      close: (now) => this.#drop(session, now),
    };
  }

  onMarketUpdate(pair: string, update: MarketUpdate): void {
    let frame: string | undefined;
    for (const session of this.#sessions) {
      const { subject, isLive } = session;
      if (!isLive || subject.kind !== 'market' || subject.pair !== pair) continue;
      frame ??= encodeMarketUpdate(update);
      this.#send(session, frame);
    }
  }

  onUserMessage(userId: string, frame: string): void {
    for (const session of this.#sessions)
      if (session.subject.kind === 'user' && session.key?.userId === userId)
        this.#send(session, frame);
  }

  /** Sends the keep-alives that are due and closes sessions that sent no credentials in time. */
  advance(timeMicros: number): void {
    this.#startedMs ??= Math.floor(timeMicros / 1000);
    for (const session of [...this.#sessions]) {
      if (!session.isLive) {
        if (timeMicros - session.openedMicros >= limits.streamCredentialsTimeoutMs * 1000)
          this.#fail(session, 'auth_timeout', timeMicros);
      } else if (timeMicros - session.lastKeepAliveMicros >= keepAliveMicros) {
        session.lastKeepAliveMicros = timeMicros;
        if (this.isKeepAliveOn) this.#send(session, keepAlive);
      }
    }
  }

  /** Ends every session of a key that was revoked. */
  revoke(keyId: string, timeMicros: number): void {
    for (const session of [...this.#sessions])
      if (session.key?.id === keyId) this.#fail(session, 'invalid_credentials', timeMicros);
  }

  #authenticate(session: Session, frame: string, timeMicros: number): void {
    const { subject } = session;
    const key = this.#keyOf(frame);
    const isAnonymous = subject.kind === 'market' && !this.#isStrict() && isNoCredentials(frame);
    if (key === undefined && !isAnonymous) {
      this.#fail(session, 'invalid_credentials', timeMicros);
      return;
    }
    let live = 0;
    // Sessions without credentials count as those of one customer.
    for (const other of this.#sessions)
      if (other.isLive && other.key?.userId === key?.userId) live += 1;
    if (live >= limits.streamSessionsMax) {
      this.#fail(session, 'session_limit_exceeded', timeMicros);
      return;
    }
    const exchange = this.#exchange();
    if (subject.kind === 'user') {
      const missed = key === undefined ? [] : this.#missedBy(key, exchange.timeMs);
      session.isLive = true;
      session.key = key;
      for (const text of missed) this.#send(session, text);
      return;
    }
    const market = exchange.state.markets.get(subject.pair);
    if (market === undefined) {
      this.#fail(session, 'invalid_market', timeMicros);
      return;
    }
    session.isLive = true;
    session.key = key;
    const book = exchange.bookOf(subject.pair);
    this.#send(session, encodeMarketSnapshot(market, book, exchange.timeMs));
  }

  #keyOf(frame: string): ApiKey | undefined {
    let body: unknown;
    try {
      body = JSON.parse(frame);
    } catch {
      return undefined;
    }
    const given = streamCredentials.safeParse(body);
    if (!given.success) return undefined;
    const key = this.#exchange().state.keys.get(given.data.api_key_id);
    if (key === undefined || key.isRevoked) return undefined;
    return isSecretOf(key, given.data.api_key_secret) ? key : undefined;
  }

  /** Returns the messages that the key missed; empty if it was disconnected for too long. */
  #missedBy(key: ApiKey, nowMs: number): string[] {
    const isConnected = [...this.#sessions].some(
      (other) => other.subject.kind === 'user' && other.key?.id === key.id,
    );
    if (isConnected) return [];
    const startedMs = this.#startedMs ?? nowMs;
    const disconnectedMs = this.#disconnectedMs.get(key.id);
    const isTooLate = nowMs - (disconnectedMs ?? startedMs) > limits.userStreamCacheMs;
    if (isTooLate) return [];
    const sinceMs = disconnectedMs ?? startedMs - limits.userStreamCacheMs;
    const { messages } = this.#exchange().userOf(key.userId);
    return messages
      .filter(({ timeMs }) => timeMs >= sinceMs && timeMs >= nowMs - limits.userStreamCacheMs)
      .map(({ frame }) => frame);
  }

  #fail(session: Session, code: StreamErrorCode, timeMicros: number): void {
    const { subject } = session;
    const error =
      code === 'invalid_market'
        ? subject.kind === 'market'
          ? subject.pair
          : ''
        : errorTexts[code];
    this.#send(session, JSON.stringify({ error_code: code, error }));
    this.#drop(session, timeMicros);
    session.output({ kind: 'close', code: normalClosure });
  }

  #send(session: Session, text: string): void {
    session.output({ kind: 'frame', text });
  }

  #drop(session: Session, timeMicros: number): void {
    if (!this.#sessions.delete(session)) return;
    if (session.subject.kind === 'user' && session.key !== undefined)
      this.#disconnectedMs.set(session.key.id, Math.floor(timeMicros / 1000));
  }
}
