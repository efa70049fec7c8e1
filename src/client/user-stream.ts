/**
 * The user stream: hints about our orders and balances, never the only source.
 *
 * Invariant: a frame that cannot be read is reported and costs nothing else. The stream has no
 * sequence, and after a reconnect the exchange repeats the last five minutes; its reader must
 * expect both.
 */
import { decodeUserFrame, type UserMessage, userStreamPath } from '../interface/user-stream.ts';
import {
  createStream,
  decodedOrReason,
  type StreamListener,
  type StreamOptions,
} from './stream.ts';

/** A message with content; `unknown` is a type that the exchange added later. */
export type UserHint = Exclude<UserMessage, { kind: 'keep-alive' | 'error' }>;

export type UserStreamListener = StreamListener & {
  /** One message, and its text as it came. */
  frame(text: string, message: UserHint): void;
  /** A frame that is no message; the connection is kept. */
  malformed(reason: string): void;
};

export type UserStreamOptions = Omit<StreamOptions, 'path' | 'listener' | 'begin' | 'receive'> & {
  /** Path, if it is not the usual one; the documents show none. */
  readonly pathOverride?: string | undefined;
  readonly listener: UserStreamListener;
};

export type UserStream = {
  /** Opens the first connection; later ones follow by themselves. */
  readonly start: () => void;
  /** Ends this connection and opens another, which makes the exchange repeat its last messages. */
  readonly reconnect: (reason: string) => void;
  /** Ends the stream for good; the listener is not called any more. */
  readonly close: () => Promise<void>;
};

/** Returns a stream that is not started yet. Throws ConfigError for a bad address or key. */
export function createUserStream(options: UserStreamOptions): UserStream {
  const { listener } = options;
  const stream = createStream({
    ...options,
    path: options.pathOverride ?? userStreamPath,
    begin: () => stream.healthy(),
    receive: (text) => {
      const message = text === undefined ? 'binary frame' : decodedOrReason(decodeUserFrame, text);
      if (typeof message === 'string') return listener.malformed(message);
      if (message.kind === 'keep-alive') return;
      if (message.kind === 'error') return stream.refuse(message.code, message.message);
      listener.frame(text ?? '', message);
    },
  });
  return { start: stream.start, reconnect: stream.reconnect, close: stream.close };
}
