/**
 * How an exchange writes amounts: the simulator as on the wire (`formatWireAmount`), the replay
 * exchange as results have them (`formatAmount`).
 */
import type { Amount } from '../domain/amount.ts';

export type AmountFormat = (amount: Amount) => string;
