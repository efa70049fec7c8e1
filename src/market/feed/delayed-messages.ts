/** The source from which a feed takes many messages at once, and the listeners for them. */
import type { TradeCollector } from '../../domain/market-view.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';

/** Messages of recorded order flow that have not yet reached the bot. */
export type DelayedMessages = {
  /** When the first of them reaches the bot; Infinity if there is no message. */
  readonly dueMicros: number;
  /** Positioned before the message that is taken next. */
  readonly cursor: FlowCursor;
  /** Takes the first message and returns when it ended, in microseconds of the exchange's clock. */
  take(): number;
};

/** Receives the exchange's time in a message and our time of its arrival, in milliseconds. */
export type StampedClock = { observe(stampMs: number, arrivedMs: number): void };

/** What learns of messages that a feed takes at once. */
export type FlowListeners = {
  readonly clock: StampedClock;
  readonly collectors: readonly TradeCollector[];
};
