/** Recorded order flow. Whoever starts the simulator has read it into memory. */
import type { OrderCreated, OrderFlowRow } from '../../../../market/flow/order-flow-row.ts';

export type FlowRecording = {
  /**
   * Identifies the bytes of the recording, so that a restart cannot continue with a different one.
   */
  readonly digest: string;
  /** Orders that rest when the recording begins, in queue order within each price. */
  readonly resting: readonly Pick<OrderCreated, 'id' | 'side' | 'price' | 'volume'>[];
  /** In order of time. */
  readonly rows: readonly OrderFlowRow[];
};
