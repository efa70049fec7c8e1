/** The source from which a feed takes many messages at once, and the listeners for them. */
import type { TradeCollector } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { BookTop, TopChange } from '../book/book-top.ts';
import type { RestingBlock } from '../flow/flow-block.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';

/** Messages of recorded order flow that have not yet reached the bot. */
export type DelayedMessages = {
  /** When the first of them reaches the bot; Infinity if there is no message. */
  readonly dueMicros: number;
  /** When the first of them ended, in microseconds of the exchange's clock. */
  readonly endMicros: number;
  /** Whether the first of them must be taken: a gap, a new status, or a crossed book. */
  readonly mustTake: boolean;
  /** Positioned before the message that is taken or read next. */
  readonly cursor: FlowCursor;
  /** The number of messages skipped and not read; they must be read before one is taken. */
  readonly unread: number;
  /** The trade to which {@link nextTrade} moved. */
  readonly tradePrice: Ticks;
  readonly tradeVolume: Lots;
  /**
   * Takes the first message, whose rows are read next, and returns when it ended.
   */
  take(): number;
  /**
   * As {@link take}, without its rows: {@link nextTrade} and {@link passTop} tell what it did. Not
   * for recorded trades or bars.
   */
  skip(): number;
  /**
   * Moves the cursor to the start of the last block of messages skipped, so that only messages from
   * there on are unread, and returns the orders that rested then. Returns undefined, and moves
   * nothing, if there is no such block.
   */
  restart(): RestingBlock | undefined;
  /** Moves the cursor before the rows of the oldest message skipped and not read. */
  read(): void;
  /** Moves to the next trade in the skipped messages; returns false if none is left. */
  nextTrade(): boolean;
  /** Sets `top` to what the messages skipped have made of it; returns how it has changed. */
  passTop(top: BookTop): TopChange;
};

/** Receives the exchange's time in a message and our time of its arrival, in milliseconds. */
export type StampedClock = { observe(stampMs: number, arrivedMs: number): void };

/** What learns of messages that a feed takes at once. */
export type FlowListeners = {
  readonly clock: StampedClock;
  readonly collectors: readonly TradeCollector[];
};
