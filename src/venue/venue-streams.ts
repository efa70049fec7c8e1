/** What the streams of a venue deliver. Each reconnects by itself until it is closed. */
import type { BookMessage } from '../domain/book-message.ts';
import type { VenueReport } from './venue-report.ts';

/**
 * Why a connection ended. `refused-key`: the exchange said that it refuses the key or its
 * credentials; `unanswered`: closed before the first frame, which a bad key may also cause;
 * `asked`: we requested a reconnect.
 */
export type StreamEnd =
  | 'lost'
  | 'silent'
  | 'bad-frame'
  | 'error-frame'
  | 'refused-key'
  | 'session-limit'
  | 'unanswered'
  | 'asked';

/** Receives the events of a stream that are not messages. */
export type StreamListener = {
  /** The connection is open and the credentials have been sent. */
  opened(): void;
  /**
   * A connection, or an attempt to connect, ended. `inARow` counts consecutive ends of this kind
   * since the connection was last healthy.
   */
  closed(reason: string, end: StreamEnd, inARow: number): void;
};

/** After `opened` come one snapshot and then the updates that follow it, without a gap. */
export type MarketListener = StreamListener & {
  /** The next message, and its text as received. */
  frame(text: string, message: BookMessage): void;
};

export type ReportListener = StreamListener & {
  report(report: VenueReport): void;
  /** A message that cannot be read or cannot be true; the connection stays open. */
  malformed(reason: string): void;
};

export type VenueStream = {
  /** Opens the first connection. Called once. */
  readonly start: () => void;
  /** Ends this connection, if any, and opens another, which begins with all that is current. */
  readonly reconnect: (reason: string) => void;
  /** Ends the stream; the listener is not called again. */
  readonly close: () => Promise<void>;
};
