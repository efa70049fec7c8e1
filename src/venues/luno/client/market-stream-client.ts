/**
 * The market stream of one pair, delivered in sequence.
 *
 * Invariants: after `opened` come one snapshot and then the updates n+1, n+2, …; the first frame
 * out of sequence ends the connection and is not delivered.
 */
import type { BookMessage } from '../../../domain/book-message.ts';
import { ConfigError } from '../../../domain/errors.ts';
import type { MarketListener, VenueStream } from '../../../venue/venue-streams.ts';
import { decodeMarketFrame, marketStreamPath } from '../api/market-messages.ts';
import { createStream, decodedOrReason, type StreamOptions } from './stream.ts';

export type MarketStreamOptions = Omit<StreamOptions, 'path' | 'listener' | 'begin' | 'receive'> & {
  readonly pair: string;
  /** Path with `:pair`; the documented path unless given. */
  readonly pathOverride?: string | undefined;
  readonly listener: MarketListener;
};

/** Returns a stream, not started. Throws ConfigError for a bad address, pair or key. */
export function createMarketStream(options: MarketStreamOptions): VenueStream {
  const { pair, listener } = options;
  if (!/^[A-Za-z0-9]{1,20}$/u.test(pair ?? ''))
    throw new ConfigError(`the pair of a market stream must be like "XBTZAR", was "${pair}"`);
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

  /** Returns what is wrong with the message's sequence; if nothing is, advances the sequence. */
  const faultOf = (message: BookMessage): string | undefined => {
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

  return {
    start: () => stream.start(),
    reconnect: (reason) => stream.reconnect(reason),
    close: () => stream.close(),
  };
}
