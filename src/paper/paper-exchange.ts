/**
 * The exchange of paper mode as the driver's port: market streams come from the venue, orders go
 * only to the paper exchange in this process.
 *
 * Invariant: it has no client, so no request of a bot can leave the process through it.
 */
import type { EventSink, ExchangePort } from '../engine/exchange-port.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { MarketListener, VenueStream } from '../venue/venue-streams.ts';
import type { PaperCore } from './paper-core.ts';

export type PaperExchangeOptions = {
  readonly core: PaperCore;
  /** The markets to connect: all markets of the core's account, and those that are watched. */
  readonly pairs: readonly string[];
  /** Creates a market's stream from the venue, without starting it. */
  readonly connect: (pair: string, listener: MarketListener) => VenueStream;
  readonly clock: Clock;
  readonly timers: Timers;
};

/** Returns the port; streams start with `open`. */
export function createPaperExchange(options: PaperExchangeOptions): ExchangePort {
  const { core, clock, timers } = options;
  const streams = new Map<string, VenueStream>();
  let deliver: EventSink = () => {};
  let cancel: Cancel = () => {};
  let armedMicros = Infinity;

  const arm = (): void => {
    const dueMicros = core.nextDueMicros;
    if (dueMicros === armedMicros) return;
    cancel();
    armedMicros = dueMicros;
    cancel = () => {};
    if (dueMicros === Infinity) return;
    const delayMs = Math.max(0, Math.ceil((dueMicros - clock.nowMicros()) / 1000));
    cancel = timers.after(delayMs, () => {
      armedMicros = Infinity;
      core.runDue();
      arm();
    });
  };

  const connect = (pair: string): VenueStream =>
    options.connect(pair, {
      opened: () => deliver({ kind: 'market-opened', pair }),
      closed: (reason, end, inARow) => {
        if (core.has(pair)) core.lost(pair);
        deliver({ kind: 'market-closed', pair, reason, end, inARow });
        arm();
      },
      frame: (text, message) => {
        if (core.has(pair)) core.message(pair, message);
        deliver({ kind: 'market-frame', pair, text, message });
        arm();
      },
    });

  return {
    open(sink) {
      deliver = sink;
      core.open((event) => deliver(event));
      for (const pair of options.pairs) streams.set(pair, connect(pair));
      for (const stream of streams.values()) stream.start();
      arm();
    },

    request(effect) {
      core.request(effect);
      arm();
    },

    reconnect(effect) {
      const { reason } = effect;
      if (effect.stream === 'market') {
        streams.get(effect.pair)?.reconnect(reason);
        return;
      }
      // The user stream is in this process and loses nothing, so reopening it is enough.
      deliver({ kind: 'user-closed', reason, end: 'asked', inARow: 1 });
      deliver({ kind: 'user-opened' });
    },

    async close() {
      deliver = () => {};
      cancel();
      await Promise.all([...streams.values()].map((stream) => stream.close()));
    },
  };
}
