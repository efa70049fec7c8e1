/**
 * What a strategy wishes. Collected during an event and judged after it: the last quote or idle of
 * a pair wins, the others keep their order.
 */
import type { Terms } from './order.ts';

/** One resting order that is wanted. `level` names its place, so that a leftover can be adopted. */
export type QuotedOrder = Terms & { readonly level: string };

export type Intent =
  | {
      /** The resting orders wanted on a pair; what is not named is withdrawn. */
      readonly kind: 'quote';
      readonly pair: string;
      readonly orders: readonly QuotedOrder[];
      /** An order keeps its queue position while its price is at most this many ticks off. */
      readonly toleranceTicks?: number;
      readonly reason: string;
    }
  | {
      /** One order. A key that was ever used is refused with `KEY_USED`. */
      readonly kind: 'place';
      readonly pair: string;
      readonly key: string;
      readonly terms: Terms;
      /**
       * Refuses the order with `REDUCE_ONLY` unless it only reduces the strategy's position, also
       * if every other open order of its side fills first. Judged once, before the order leaves.
       */
      readonly reduceOnly?: boolean;
      readonly reason: string;
    }
  | {
      /** Of one order. Nothing happens, and nothing is told, if none of that key is open. */
      readonly kind: 'cancel';
      readonly pair: string;
      readonly key: string;
      readonly reason: string;
    }
  | { readonly kind: 'cancelAll'; readonly pair: string; readonly reason: string }
  | {
      /**
       * Why nothing is done; stored when it changes. Resting orders stay as they are, but none is
       * placed or moved; a quote of no orders withdraws them.
       */
      readonly kind: 'idle';
      readonly pair: string;
      readonly reason: string;
    }
  | {
      /** State to keep, committed with this event's other intents. JSON, at most 256 kB. */
      readonly kind: 'remember';
      readonly state: unknown;
    };
