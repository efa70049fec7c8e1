/**
 * The open streams: credentials, first frame, what follows, keep-alives, and what a returning
 * client of the user stream missed.
 *
 *     open ─▶ waiting for credentials ─▶ live ─▶ closed
 *
 * A client of the user stream is told apart by its key: while no session of a key is live the key
 * is away, and what was made meanwhile is sent again when it is back within five minutes. After
 * five minutes nothing is. After a restart of the exchange every key counts as away since five
 * minutes before, because what had arrived is not known; a message may so come twice, never not at
 * all.
 *
 * Invariants: after a close no frame is sent; a live market session has had every message of its
 * market since its snapshot, in order.
 */
import type { StreamErrorCode } from '../../exchange-api/error-codes.ts';
import { limits } from '../../exchange-api/limits.ts';
import { marketStreamPath, streamCredentials } from '../../exchange-api/market-messages.ts';
import { userStreamPath } from '../../exchange-api/user-messages.ts';
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

/** What the transport holds of a session. */
export type StreamSession = {
  /** Takes one text frame of the client. */
  receive(frame: string, timeMicros: number): void;
  /** Says that the client is gone. */
  close(timeMicros: number): void;
};

type Subject = { readonly kind: 'market'; readonly pair: string } | { readonly kind: 'user' };

type Session = {
  readonly subject: Subject;
  readonly output: (output: SessionOutput) => void;
  readonly openedMicros: number;
  lastSentMicros: number;
  /** Whether its first frame was accepted. */
  isLive: boolean;
  /** Undefined before that, and in a market session without credentials. */
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

/** Returns whether a first frame is an empty object, which the market stream takes too. */
function isNoCredentials(frame: string): boolean {
  return /^\s*\{\s*\}\s*$/u.test(frame);
}

/** Returns what a path streams, or undefined if it streams nothing. */
export function streamSubjectOf(path: string): Subject | undefined {
  if (path === userStreamPath) return { kind: 'user' };
  const pair = path.startsWith(marketPrefix) ? path.slice(marketPrefix.length) : '';
  return /^[A-Za-z0-9]{1,20}$/u.test(pair) ? { kind: 'market', pair } : undefined;
}

export class StreamSessions {
  readonly #exchange: () => Exchange;
  readonly #sessions = new Set<Session>();
  /** When the last user-stream session of a key ended. */
  readonly #awaySinceMs = new Map<string, number>();
  /** When the first moment passed after the start or the restart. */
  #startedMs: number | undefined;

  constructor(exchange: () => Exchange) {
    this.#exchange = exchange;
  }

  /** Opens a session at a path that {@link streamSubjectOf} knows. */
  open(
    subject: Subject,
    output: (output: SessionOutput) => void,
    timeMicros: number,
  ): StreamSession {
    const session: Session = {
      subject,
      output,
      openedMicros: timeMicros,
      lastSentMicros: timeMicros,
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

  onMarketUpdate(pair: string, update: MarketUpdate, timeMicros: number): void {
    let frame: string | undefined;
    for (const session of this.#sessions) {
      const { subject, isLive } = session;
      if (!isLive || subject.kind !== 'market' || subject.pair !== pair) continue;
      frame ??= encodeMarketUpdate(update);
      this.#send(session, frame, timeMicros);
    }
  }

  onUserMessage(userId: string, frame: string, timeMicros: number): void {
    for (const session of this.#sessions)
      if (session.subject.kind === 'user' && session.key?.userId === userId)
        this.#send(session, frame, timeMicros);
  }

  /** Sends the keep-alives that are due and closes sessions that gave no credentials in time. */
  advance(timeMicros: number): void {
    this.#startedMs ??= Math.floor(timeMicros / 1000);
    for (const session of [...this.#sessions]) {
      if (!session.isLive) {
        if (timeMicros - session.openedMicros >= limits.streamCredentialsTimeoutMs * 1000)
          this.#fail(session, 'auth_timeout', timeMicros);
      } else if (timeMicros - session.lastSentMicros >= keepAliveMicros) {
        this.#send(session, keepAlive, timeMicros);
      }
    }
  }

  /** Ends every session of a key that may no longer be used. */
  revoke(keyId: string, timeMicros: number): void {
    for (const session of [...this.#sessions])
      if (session.key?.id === keyId) this.#fail(session, 'invalid_credentials', timeMicros);
  }

  #authenticate(session: Session, frame: string, timeMicros: number): void {
    const { subject } = session;
    const key = this.#keyOf(frame);
    if (key === undefined && (subject.kind === 'user' || !isNoCredentials(frame))) {
      this.#fail(session, 'invalid_credentials', timeMicros);
      return;
    }
    let live = 0;
    // Those without credentials count as one customer.
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
      for (const text of missed) this.#send(session, text, timeMicros);
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
    this.#send(session, encodeMarketSnapshot(market, book, exchange.timeMs), timeMicros);
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

  /** Returns the messages made while the key was away, none if it was away for too long. */
  #missedBy(key: ApiKey, nowMs: number): string[] {
    const isHere = [...this.#sessions].some(
      (other) => other.subject.kind === 'user' && other.key?.id === key.id,
    );
    if (isHere) return [];
    const startedMs = this.#startedMs ?? nowMs;
    const awaySinceMs = this.#awaySinceMs.get(key.id);
    const isTooLate = nowMs - (awaySinceMs ?? startedMs) > limits.userStreamCacheMs;
    if (isTooLate) return [];
    const sinceMs = awaySinceMs ?? startedMs - limits.userStreamCacheMs;
    const { messages } = this.#exchange().userOf(key.userId);
    return messages
      .filter((one) => one.timeMs >= sinceMs && one.timeMs >= nowMs - limits.userStreamCacheMs)
      .map((one) => one.frame);
  }

  #fail(session: Session, code: StreamErrorCode, timeMicros: number): void {
    const { subject } = session;
    const error =
      code === 'invalid_market'
        ? subject.kind === 'market'
          ? subject.pair
          : ''
        : errorTexts[code];
    this.#send(session, JSON.stringify({ error_code: code, error }), timeMicros);
    this.#drop(session, timeMicros);
    session.output({ kind: 'close', code: normalClosure });
  }

  #send(session: Session, text: string, timeMicros: number): void {
    session.lastSentMicros = timeMicros;
    session.output({ kind: 'frame', text });
  }

  #drop(session: Session, timeMicros: number): void {
    if (!this.#sessions.delete(session)) return;
    if (session.subject.kind === 'user' && session.key !== undefined)
      this.#awaySinceMs.set(session.key.id, Math.floor(timeMicros / 1000));
  }
}
