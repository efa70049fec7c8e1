/** Progress of a market's order-flow replay, and the orders that rest in the recorded book. */
import type { Side } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import type { FlowRecording } from './flow-recording.ts';

/** An order that rests in the recorded book. */
export type FlowOrder = {
  /**
   * Id of the order that was placed for it, which may be complete by now. Empty if no order was
   * placed.
   */
  readonly orderId: string;
  readonly side: Side;
  readonly price: Ticks;
  /** Volume that remains in the recording. */
  volume: Lots;
};

export type FlowState = {
  /** The recording's {@link FlowRecording.digest}. */
  readonly digest: string;
  /** Replay speed as a multiple of real time. */
  readonly speed: number;
  /** When the first row of this round is due. Pauses and new rounds move it later. */
  beginMicros: number;
  /** When the next action is due. */
  nextMicros: number;
  /** Rows replayed in this round; -1 until the initial resting orders are placed. */
  position: number;
  /** By id in the recording. */
  readonly orders: Map<string, FlowOrder>;
  /** How many times the recording has been replayed to its end. */
  rounds: number;
  /** Rows that contradict the recorded book, e.g. that delete an unknown order. */
  misfits: number;
};

export function createFlowState(
  { digest }: FlowRecording,
  speed: number,
  timeMicros: number,
): FlowState {
  return {
    digest,
    speed,
    beginMicros: timeMicros,
    nextMicros: timeMicros,
    position: -1,
    orders: new Map(),
    rounds: 0,
    misfits: 0,
  };
}
