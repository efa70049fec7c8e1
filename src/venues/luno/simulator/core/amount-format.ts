/**
 * How an exchange formats amounts: the simulator as on the wire (`formatWireAmount`), the replay
 * exchange as in results (`formatAmount`).
 */
import type { Amount } from '../../../../domain/amount.ts';

export type AmountFormat = (amount: Amount) => string;
