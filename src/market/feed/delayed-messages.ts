/** What a feed takes many messages from in one go, and who hears of their times. */
import type { FlowCursor } from '../flow/flow-cursor.ts';

/** Messages of recorded order flow that have not reached us. */
export type DelayedMessages = {
  /** When the first of them does; Infinity if there is none. */
  readonly dueMicros: number;
  /** Stands before the message that is taken next. */
  readonly cursor: FlowCursor;
  /** Takes the first of them and returns when it ended at the exchange. */
  take(): number;
};

/** Hears the exchange's time in a message and ours when it came, in milliseconds. */
export type StampedClock = { observe(stampMs: number, arrivedMs: number): void };
