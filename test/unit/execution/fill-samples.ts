/** Figures that fill tests compare with. */
import { noSums } from '../../../src/execution/orders/sums.ts';

/** What a strategy has that never traded. */
export const noHolding = { bought: noSums, sold: noSums, fills: 0 };
