/**
 * The exchange as the driver sees it. The client stands behind it in demo and live, the tape
 * exchange in a backtest.
 *
 * Invariant: every request is answered by exactly one `reply` event, sooner or later.
 */
import type { Effect, EngineEvent } from './event.ts';

export type EventSink = (event: EngineEvent) => void;

export interface ExchangePort {
  /** Begins to deliver events. */
  open(sink: EventSink): void;
  request(effect: Extract<Effect, { kind: 'request' }>): void;
  reconnect(effect: Extract<Effect, { kind: 'reconnect' }>): void;
  close(): Promise<void>;
}
