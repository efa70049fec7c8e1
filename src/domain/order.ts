/**
 * An order's life, as far as we know it.
 *
 *     waiting ─▶ sending ─▶ open ─▶ completing ─▶ filled | cancelled
 *        │          │  ╲     ▲ │        ▲
 *        │          │   ▶ unknown ──────┘
 *        ▼          ▼        ▼
 *      unsent    rejected   absent
 *
 * Invariants: `unknown` is a state, not an error; every final state but `unsent` rests on evidence
 * from the exchange; a fill is accepted in any state.
 */

import type { TimeInForce } from './bot-settings.ts';
import type { Side } from './market.ts';
import type { Lots, Ticks } from './money.ts';

export type Terms = {
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  /** GTC unless given. */
  readonly timeInForce?: TimeInForce;
  /** False unless given. */
  readonly postOnly?: boolean;
};

export type OrderState =
  | 'waiting' // Approved and stored; nothing has left yet.
  | 'sending' // An attempt is stored and on its way.
  | 'unknown' // An attempt had no usable answer; being looked up.
  | 'open' // The exchange has it and has not said that it is complete.
  | 'completing' // The exchange says complete; our fills do not add up to its record yet.
  | 'filled'
  | 'cancelled'
  | 'rejected'
  | 'absent' // Proven never to have existed.
  | 'unsent'; // Ended before any attempt.

/** Which state may follow which. Anything absent is a bug or a lie from the wire. */
export const orderTransitions = {
  waiting: ['sending', 'unsent', 'open', 'completing'],
  sending: ['open', 'unknown', 'rejected', 'completing', 'waiting', 'unsent'],
  unknown: ['sending', 'open', 'completing', 'absent', 'rejected'],
  open: ['completing', 'filled', 'cancelled'],
  completing: ['filled', 'cancelled'],
  filled: ['open'],
  cancelled: ['open'],
  rejected: ['open', 'completing'],
  absent: ['open', 'completing'],
  unsent: ['open', 'completing'],
} as const satisfies Record<OrderState, readonly OrderState[]>;

/**
 * Returns whether nothing more is expected of an order in `state`. `pending` is how a strategy sees
 * one that it has asked for and that is not judged yet.
 */
export function isFinal(state: OrderState | 'pending'): boolean {
  return (
    state === 'filled' ||
    state === 'cancelled' ||
    state === 'rejected' ||
    state === 'absent' ||
    state === 'unsent'
  );
}
