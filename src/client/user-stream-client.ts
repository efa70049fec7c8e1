/**
 * The user stream: hints about our orders and balances, never the only source.
 *
 * Invariants: a frame that cannot be read is reported and costs nothing else; of a flood a bounded
 * part is delivered, and its end is reported as something that could not be read. The stream has
 * no sequence, and after a reconnect the exchange repeats the last five minutes; its reader must
 * expect both.
 */
import { ConfigError } from '../domain/errors.ts';
import {
  decodeUserFrame,
  type UserMessage,
  userStreamPath,
} from '../exchange-api/user-messages.ts';
import type { Cancel } from '../runtime/timers.ts';
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

/** More hints than this say nothing that one comparison with the exchange does not. */
const framesPerSecondMax = 1_000;

/** Returns a stream that is not started yet. Throws ConfigError for a bad address or key. */
export function createUserStream(options: UserStreamOptions): UserStream {
  const { listener, timers } = options;
  if (options.credentials === undefined) throw new ConfigError('the user stream needs an API key');
  /** Frames of the running second; a second begins with the first frame after the last one. */
  let inSecond = 0;
  let cancelSecond: Cancel = () => {};

  /** Counts a frame; returns whether it is one too many. What it would tell can be read. */
  const isOneTooMany = (): boolean => {
    if (inSecond === 0)
      cancelSecond = timers.after(1_000, () => {
        const skipped = inSecond - framesPerSecondMax;
        inSecond = 0;
        if (skipped > 0)
          listener.malformed(`${skipped} messages too many in one second were not read`);
      });
    inSecond++;
    return inSecond > framesPerSecondMax;
  };

  const endSecond = (): void => {
    cancelSecond();
    inSecond = 0;
  };

  const stream = createStream({
    ...options,
    listener: {
      opened: () => listener.opened(),
      closed: (reason, end, inARow) => {
        endSecond();
        listener.closed(reason, end, inARow);
      },
    },
    path: options.pathOverride ?? userStreamPath,
    begin: () => stream.healthy(),
    receive: (text) => {
      if (isOneTooMany()) return;
      const message = text === undefined ? 'binary frame' : decodedOrReason(decodeUserFrame, text);
      if (typeof message === 'string') return listener.malformed(message);
      if (message.kind === 'keep-alive') return;
      if (message.kind === 'error') return stream.refuse(message.code, message.message);
      listener.frame(text ?? '', message);
    },
  });
  return {
    start: stream.start,
    reconnect: stream.reconnect,
    close: () => {
      endSecond();
      return stream.close();
    },
  };
}
