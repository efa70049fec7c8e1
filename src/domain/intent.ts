/**
 * A strategy's intents. They are collected during an event and handled after it: the last quote or
 * idle of a pair replaces earlier ones, the others keep their order.
 */
import type { Terms } from './order.ts';

/** One order of a quote. `level` identifies it, so that a restart can adopt it. */
export type QuotedOrder = Terms & { readonly level: string };

export type Intent =
  | {
      /** The orders that should rest on a pair; quotes that are not listed are cancelled. */
      readonly kind: 'quote';
      readonly pair: string;
      readonly orders: readonly QuotedOrder[];
      /** An order keeps its place in the queue while its price is at most this many ticks off. */
      readonly toleranceTicks?: number;
      readonly reason: string;
    }
  | {
      /** One order. A key that was used before is refused with `KEY_USED`. */
      readonly kind: 'place';
      readonly pair: string;
      readonly key: string;
      readonly terms: Terms;
      /**
       * Refuses the order with `REDUCE_ONLY` unless it only reduces the strategy's position, even
       * if every other open order of its side fills first. Checked once, before it is sent.
       */
      readonly reduceOnly?: boolean;
      readonly reason: string;
    }
  | {
      /** Cancels one order. Without an open order of that key, nothing happens or is reported. */
      readonly kind: 'cancel';
      readonly pair: string;
      readonly key: string;
      readonly reason: string;
    }
  | { readonly kind: 'cancelAll'; readonly pair: string; readonly reason: string }
  | {
      /**
       * Why the strategy does nothing; stored when it changes. Open orders stay, but no order is
       * placed or moved. To cancel them, use a quote without orders.
       */
      readonly kind: 'idle';
      readonly pair: string;
      readonly reason: string;
    }
  | {
      /** State to keep, committed with the event's other intents. JSON, at most 256 kB. */
      readonly kind: 'remember';
      readonly state: unknown;
    };
