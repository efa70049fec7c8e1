/** Recorded order flow as the simulator takes it: whoever starts the simulator has read it. */
import type { OrderCreated, OrderFlowRow } from '../../market/flow/order-flow-row.ts';

export type FlowRecording = {
  /** Names the very bytes that were read, so that a restart cannot go on in others. */
  readonly digest: string;
  /** Orders that rest when the recording begins, in queue order within each price. */
  readonly resting: readonly Pick<OrderCreated, 'id' | 'side' | 'price' | 'volume'>[];
  /** In order of time. */
  readonly rows: readonly OrderFlowRow[];
};
