/**
 * The user stream: hints about our orders and balances, never the only source.
 *
 * Invariants: an unreadable frame is reported and has no other effect; at most 1,000 frames a
 * second are delivered, and the rest is reported as unreadable. The stream has no sequence numbers,
 * and after a reconnect the exchange repeats the last five minutes; the reader must handle both.
 */
import { ConfigError } from '../../../domain/errors.ts';
import type { Cancel } from '../../../runtime/timers.ts';
import type { ReportListener, VenueStream } from '../../../venue/venue-streams.ts';
import { reportOf } from '../adapter/decode-reports.ts';
import { decodeUserFrame, userStreamPath } from '../api/user-messages.ts';
import { createStream, decodedOrReason, type StreamOptions } from './stream.ts';

export type UserStreamOptions = Omit<StreamOptions, 'path' | 'listener' | 'begin' | 'receive'> & {
  /** The default path unless given; the documents do not give the path. */
  readonly pathOverride?: string | undefined;
  readonly listener: ReportListener;
};

/** Beyond this rate, one comparison with the exchange shows the same as all the hints. */
const framesPerSecondMax = 1_000;

/** Returns a stream, not started. Throws ConfigError for a bad address or key. */
export function createUserStream(options: UserStreamOptions): VenueStream {
  const { listener, timers } = options;
  if (options.credentials === undefined) throw new ConfigError('the user stream needs an API key');
  /** Frames in the current second, which starts with its first frame. */
  let inSecond = 0;
  let cancelSecond: Cancel = () => {};

  /** Counts a frame; returns whether it exceeds the limit. What it reports can be read instead. */
  const exceedsLimit = (): boolean => {
    if (inSecond === 0)
      cancelSecond = timers.after(1_000, () => {
        const skipped = inSecond - framesPerSecondMax;
        inSecond = 0;
        if (skipped > 0)
          listener.malformed(`${skipped} messages beyond the limit of one second were not read`);
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
      if (exceedsLimit()) return;
      const message = text === undefined ? 'binary frame' : decodedOrReason(decodeUserFrame, text);
      if (typeof message === 'string') return listener.malformed(message);
      if (message.kind === 'keep-alive') return;
      if (message.kind === 'error') return stream.refuse(message.code, message.message);
      const report = decodedOrReason(reportOf, message);
      if (typeof report === 'string') listener.malformed(report);
      else listener.report(report);
    },
  });
  return {
    start: () => stream.start(),
    reconnect: (reason) => stream.reconnect(reason),
    close: () => {
      endSecond();
      return stream.close();
    },
  };
}
