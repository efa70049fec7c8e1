/**
 * The driver's port to an exchange over the network: it sends requests through the client and
 * receives frames from the streams. It makes no decisions; every outcome becomes an event.
 */

import { assert } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { EventSink, ExchangePort } from '../engine/exchange-port.ts';
import type { CaptureRecorder } from '../recording/capture/capture-recorder.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LogFields, Logger } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { VenueReply } from '../venue/venue-reply.ts';
import type { RequestKind } from '../venue/venue-request.ts';
import type { MarketListener, VenueStream } from '../venue/venue-streams.ts';
import type { VenueConnection } from '../venues.ts';

export type NetworkExchangeOptions = {
  readonly connection: Pick<VenueConnection, 'send' | 'marketStream' | 'reportStream' | 'close'>;
  readonly markets: readonly Market[];
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
  const markets = new Map(options.markets.map((market) => [market.pair, market]));
  const scalesOf = (pair: string): Market => {
    const market = markets.get(pair);
    assert(market !== undefined, `${pair} must be a market of the run`);
    return market;
  };
  const streams = new Map<string, VenueStream>();
  let reports: VenueStream | undefined;
  let deliver: EventSink = () => {};

  return {
    open(sink) {
      deliver = sink;
      for (const pair of markets.keys()) {
        const listener: MarketListener = {
          opened: () => sink({ kind: 'market-opened', pair }),
          closed: (reason, end, inARow) =>
            sink({ kind: 'market-closed', pair, reason, end, inARow }),
          frame: (text, message) => sink({ kind: 'market-frame', pair, text, message }),
        };
        const heard = capture?.hearing(pair, listener) ?? listener;
        streams.set(pair, connection.marketStream({ ...time, pair, listener: heard }));
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
      for (const one of streams.values()) one.start();
      reports.start();
    },

    request({ request, call, deadlineMs }) {
      logger.debug('request', { request, call: call.kind });
      void connection.send(call, deadlineMs, scalesOf).then((reply) => {
        logger.debug('reply', logFieldsOf(request, call.kind, reply));
        deliver({ kind: 'reply', request, reply });
      });
    },

    reconnect(effect) {
      if (effect.stream === 'user') reports?.reconnect(effect.reason);
      else streams.get(effect.pair)?.reconnect(effect.reason);
    },

    async close() {
      deliver = () => {};
      await Promise.all([...streams.values()].map((one) => one.close()));
      await reports?.close();
      await capture?.close();
      await connection.close();
    },
  };
}

/** Returns the log fields of a reply; never its content. */
function logFieldsOf(request: number, call: RequestKind, reply: VenueReply): LogFields {
  const { kind } = reply;
  switch (kind) {
    case 'ok':
      return { request, call, kind };
    case 'refused':
      return { request, call, kind, reason: reply.reason, code: reply.code };
    case 'not-sent':
    case 'no-answer':
      return { request, call, kind, reason: reply.why };
  }
}
