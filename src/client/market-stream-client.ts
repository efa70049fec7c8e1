/**
 * The market stream of one pair, delivered in order or not at all.
 *
 * Invariants: what is delivered after `opened` is one snapshot and then the updates n, n+1, n+2, …;
 * the first frame that breaks this ends the connection and is not delivered.
 */
import { ConfigError } from '../domain/errors.ts';
import {
  decodeMarketFrame,
  type MarketMessage,
  marketStreamPath,
} from '../exchange-api/market-messages.ts';
import {
  createStream,
  decodedOrReason,
  type StreamListener,
  type StreamOptions,
} from './stream.ts';

/** A message that changes the book. */
export type MarketBookMessage = Extract<MarketMessage, { kind: 'snapshot' | 'update' }>;

export type MarketStreamListener = StreamListener & {
  /** The next message, and its text as it came. */
  frame(text: string, message: MarketBookMessage): void;
};

export type MarketStreamOptions = Omit<StreamOptions, 'path' | 'listener' | 'begin' | 'receive'> & {
  readonly pair: string;
  /** Path with `:pair`, if it is not the documented one. */
  readonly pathOverride?: string | undefined;
  readonly listener: MarketStreamListener;
};

export type MarketStream = {
  readonly pair: string;
  /** Opens the first connection; later ones follow by themselves. */
  readonly start: () => void;
  /** For the owner of the book, when a frame does not fit it: a new connection, a new snapshot. */
  readonly reconnect: (reason: string) => void;
  /** Ends the stream for good; the listener is not called any more. */
  readonly close: () => Promise<void>;
};

/** Returns a stream that is not started yet. Throws ConfigError for a bad address, pair or key. */
export function createMarketStream(options: MarketStreamOptions): MarketStream {
  const { pair, listener } = options;
  if (!/^[A-Za-z0-9]{1,20}$/u.test(pair ?? ''))
    throw new ConfigError(`pair of a market stream must be one like "XBTZAR", was "${pair}"`);
  const path = (options.pathOverride ?? marketStreamPath).replace(
    ':pair',
    encodeURIComponent(pair),
  );
  let last: bigint | undefined;

  const stream = createStream({
    ...options,
    path,
    begin: () => {
      last = undefined;
    },
    receive: (text) => {
      if (text === undefined) return stream.fail('binary frame', 'bad-frame');
      const message = decodedOrReason(decodeMarketFrame, text);
      if (typeof message === 'string') return stream.fail(message, 'bad-frame');
      if (message.kind === 'keep-alive') return;
      if (message.kind === 'error') return stream.refuse(message.code, message.message);
      const fault = faultOf(message);
      if (fault !== undefined) return stream.fail(fault, 'bad-frame');
      stream.healthy();
      listener.frame(text, message);
    },
  });

  /** Checks the message's place in the sequence, and takes it if it is right. */
  const faultOf = (message: MarketBookMessage): string | undefined => {
    if (message.kind === 'snapshot') {
      if (last !== undefined) return 'second snapshot on one connection';
      last = BigInt(message.snapshot.sequence);
      return undefined;
    }
    const { sequence } = message.update;
    if (last === undefined) return `update ${sequence} before the snapshot`;
    const number = BigInt(sequence);
    if (number !== last + 1n) return `out of sequence: ${sequence} after ${last}`;
    last = number;
    return undefined;
  };

  return { pair, start: stream.start, reconnect: stream.reconnect, close: stream.close };
}
