/**
 * The driver's port to an exchange over the network: it sends requests through the client and
 * receives frames from the streams. It makes no decisions; every outcome becomes an event.
 */

import type { EventSink, ExchangePort } from '../engine/exchange-port.ts';
import type { CaptureRecorder } from '../recording/capture/capture-recorder.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LogFields, Logger } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { MarketListener, VenueStream } from '../venue/venue-streams.ts';
import type { ParametersOf } from '../venues/luno/api/operation.ts';
import type { OperationName, Operations } from '../venues/luno/api/operations.ts';
import type { Reply } from '../venues/luno/api/reply.ts';
import type { VenueConnection } from '../venues.ts';

export type NetworkExchangeOptions = {
  readonly connection: Pick<VenueConnection, 'client' | 'marketStream' | 'reportStream' | 'close'>;
  readonly pairs: readonly string[];
  readonly clock: Pick<Clock, 'monotonicMicros'>;
  readonly random: Random;
  /** Logs each request and its outcome at level debug: names and figures, no parameters. */
  readonly logger: Logger;
  /** Records the market streams as received; undefined if they are not recorded. */
  readonly capture: CaptureRecorder | undefined;
};

/** Returns the port; it connects only when `open` is called. */
export function createNetworkExchange(options: NetworkExchangeOptions): ExchangePort {
  const { connection, clock, random, logger, capture } = options;
  const time = { clock, random };
  const markets = new Map<string, VenueStream>();
  let reports: VenueStream | undefined;
  let deliver: EventSink = () => {};

  return {
    open(sink) {
      deliver = sink;
      for (const pair of options.pairs) {
        const listener: MarketListener = {
          opened: () => sink({ kind: 'market-opened', pair }),
          closed: (reason, end, inARow) =>
            sink({ kind: 'market-closed', pair, reason, end, inARow }),
          frame: (text, message) => sink({ kind: 'market-frame', pair, text, message }),
        };
        const heard = capture?.hearing(pair, listener) ?? listener;
        markets.set(pair, connection.marketStream({ ...time, pair, listener: heard }));
      }
      reports = connection.reportStream({
        ...time,
        listener: {
          opened: () => sink({ kind: 'user-opened' }),
          closed: (reason, end, inARow) => sink({ kind: 'user-closed', reason, end, inARow }),
          report: (report) => sink({ kind: 'report', report }),
          malformed: (reason) => sink({ kind: 'user-malformed', reason }),
        },
      });
      for (const one of markets.values()) one.start();
      reports.start();
    },

    request({ request, operation, parameters, deadlineMs }) {
      logger.debug('request', { request, operation });
      void connection.client
        .request(operation, parameters as ParametersOf<Operations[OperationName]>, { deadlineMs })
        .then((reply) => {
          logger.debug('reply', logFieldsOf(request, operation, reply));
          deliver({ kind: 'reply', request, reply });
        });
    },

    reconnect(effect) {
      if (effect.stream === 'user') reports?.reconnect(effect.reason);
      else markets.get(effect.pair)?.reconnect(effect.reason);
    },

    async close() {
      deliver = () => {};
      await Promise.all([...markets.values()].map((one) => one.close()));
      await reports?.close();
      await capture?.close();
      await connection.close();
    },
  };
}

/** Returns the log fields of a reply; never its body. */
function logFieldsOf(request: number, operation: OperationName, reply: Reply): LogFields {
  const { kind } = reply;
  switch (kind) {
    case 'ok':
      return { request, operation, kind, status: reply.status };
    case 'refused':
      return { request, operation, kind, status: reply.status, code: reply.code };
    case 'not-sent':
    case 'no-answer':
      return { request, operation, kind, reason: reply.reason };
  }
}
