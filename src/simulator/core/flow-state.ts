/** How far a market has come in its recorded order flow, and what rests in history's book. */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { FlowRecording } from './flow-recording.ts';

/** An order that rests in history's book. */
export type FlowOrder = {
  /** Its order here; it may have been filled meanwhile, or never have come. */
  readonly orderId: string;
  readonly side: Side;
  readonly price: Ticks;
  /** What is left of it in history. */
  volume: Lots;
};

export type FlowState = {
  /** The recording's {@link FlowRecording.digest}. */
  readonly digest: string;
  /** How much faster than history. */
  readonly speed: number;
  /** When the first row is, or was, due; later after every pause and in every round. */
  beginMicros: number;
  /** When the next action is due. */
  nextMicros: number;
  /** Rows that have been obeyed; -1 before the orders that rest at the beginning. */
  position: number;
  /** By their ids in the recording. */
  readonly orders: Map<string, FlowOrder>;
  /** How often the recording has come to its end. */
  rounds: number;
  /** Rows that did not fit history's own book. */
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
