/**
 * The exchange as the driver sees it: implemented by the client in demo and live, and by the replay
 * exchange in a backtest.
 *
 * Invariant: every request is eventually answered by exactly one `reply` event.
 */
import type { Effect, EngineEvent } from './event.ts';

export type EventSink = (event: EngineEvent) => void;

export interface ExchangePort {
  /** Starts delivering events. */
  open(sink: EventSink): void;
  request(effect: Extract<Effect, { kind: 'request' }>): void;
  reconnect(effect: Extract<Effect, { kind: 'reconnect' }>): void;
  close(): Promise<void>;
}
