/**
 * The exchange of paper mode as the driver's port: each market's stream comes from the venue,
 * orders go to the tape of this process and nowhere else.
 *
 * Invariant: it holds no client; no request of a bot can leave by it.
 */
import type { StreamEnd } from '../engine/event.ts';
import type { EventSink, ExchangePort } from '../engine/exchange-port.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { BookMessage } from './live-flow.ts';
import type { PaperCore } from './paper-core.ts';

/** Who hears a market's stream. */
export type MarketListener = {
  opened(): void;
  closed(reason: string, end: StreamEnd, inARow: number): void;
  frame(text: string, message: BookMessage): void;
};

export type DelayedFeed = {
  readonly start: () => void;
  readonly reconnect: (reason: string) => void;
  readonly close: () => Promise<void>;
};

export type PaperExchangeOptions = {
  readonly core: PaperCore;
  /** The markets whose streams are heard, all of the core's account. */
  readonly pairs: readonly string[];
  /** A market's stream of the venue, not started. */
  readonly connect: (pair: string, listener: MarketListener) => DelayedFeed;
  readonly clock: Clock;
  readonly timers: Timers;
};

/** Returns the port; nothing is opened before `open`. */
export function createPaperExchange(options: PaperExchangeOptions): ExchangePort {
  const { core, clock, timers } = options;
  const lines = new Map<string, DelayedFeed>();
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

  const connect = (pair: string): DelayedFeed =>
    options.connect(pair, {
      opened: () => deliver({ kind: 'market-opened', pair }),
      closed: (reason, end, inARow) => {
        core.lost(pair);
        deliver({ kind: 'market-closed', pair, reason, end, inARow });
        arm();
      },
      frame: (text, message) => {
        core.message(pair, message);
        deliver({ kind: 'market-frame', pair, text, message });
        arm();
      },
    });

  return {
    open(sink) {
      deliver = sink;
      core.open((event) => deliver(event));
      for (const pair of options.pairs) lines.set(pair, connect(pair));
      for (const line of lines.values()) line.start();
      arm();
    },

    request(effect) {
      core.request(effect);
      arm();
    },

    reconnect(effect) {
      const { reason } = effect;
      if (effect.stream === 'market') {
        lines.get(effect.pair)?.reconnect(reason);
        return;
      }
      // What the tape says does not get lost on its way here.
      deliver({ kind: 'user-closed', reason, end: 'asked', inARow: 1 });
      deliver({ kind: 'user-opened' });
    },

    async close() {
      deliver = () => {};
      cancel();
      await Promise.all([...lines.values()].map((line) => line.close()));
    },
  };
}
