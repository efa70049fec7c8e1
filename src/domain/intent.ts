/**
 * A strategy's intents. They are collected during an event and handled after it: the last quote of
 * a pair and part replaces earlier ones, and so does the last idle; the others keep their order.
 */
import type { MarketTerms, Terms } from './order.ts';

/**
 * One order of a quote. `level` identifies it within the quote, so that a later quote can keep or
 * replace it, also after a restart: 1 to 64 letters, digits, dots, colons, dashes or underscores.
 *
 * `tag` is a word for the order, of the same characters: stored with it, and results and exports
 * have figures by tag. It has no other effect: an order that stays keeps the tag with which it was
 * placed.
 */
export type QuotedOrder = Omit<Terms, 'stop'> & { readonly level: string; readonly tag?: string };

/**
 * What a strategy requests. `pair` is one of its pairs, `key` is 1 to 64 letters, digits, dots,
 * colons, dashes or underscores, and `reason` is stored and shown to people: 1 to 1000 characters.
 * `part` is the name of an open part, in full: `context.part` sets it in what the part requests.
 */
export type Intent =
  | {
      /**
       * The orders that should rest on a pair, at most 50; orders of earlier quotes whose level is
       * not among them are cancelled. It says nothing about the orders of other parts, and without
       * `part` nothing about those of any part.
       */
      readonly kind: 'quote';
      readonly pair: string;
      readonly part?: string;
      readonly orders: readonly QuotedOrder[];
      /**
       * An order stays, with its queue position, while its price is at most this many ticks from
       * the wanted one. 0 unless given.
       */
      readonly toleranceTicks?: number;
      /**
       * `cancel`: when an order of this quote moves, its old order is cancelled first, and the new
       * one follows when the old one has ended. Without it, as `onMove` in the settings says: by
       * default both may be open for a moment, and both may fill.
       */
      readonly onMove?: 'cancel';
      readonly reason: string;
    }
  | {
      /** One order. A key that this strategy has ever used before is refused with `KEY_USED`. */
      readonly kind: 'place';
      readonly pair: string;
      readonly part?: string;
      readonly key: string;
      readonly terms: Terms | MarketTerms;
      /**
       * Refuses the order with `REDUCE_ONLY` unless it only reduces the strategy's position, even
       * if every other open order of its side fills first. Checked once, before it is sent.
       */
      readonly reduceOnly?: boolean;
      /**
       * When the bot cancels what is left of the order: by our clock, in milliseconds since the
       * epoch, such as `context.nowMs() + 60_000`. The exchange knows of no expiry, so an order
       * outlives it while the bot does not run. Refused with `EXPIRED` if it is past.
       */
      readonly expiresMs?: number;
      /** A word for the order, see {@link QuotedOrder}. */
      readonly tag?: string;
      readonly reason: string;
    }
  | {
      /** Cancels one order; without a live order of that key, it does nothing. */
      readonly kind: 'cancel';
      readonly pair: string;
      readonly part?: string;
      readonly key: string;
      readonly reason: string;
    }
  | {
      /**
       * Ends the quotes on a pair and cancels all orders there: of the part and the parts in it,
       * and without `part` of the whole strategy.
       */
      readonly kind: 'cancelAll';
      readonly pair: string;
      readonly part?: string;
      readonly reason: string;
    }
  | {
      /**
       * Why the strategy asks for nothing; stored when it changes. It has no effect: the last quote
       * stays in force. To end that, use a quote without orders, or `cancelAll`.
       */
      readonly kind: 'idle';
      readonly pair: string;
      readonly part?: string;
      readonly reason: string;
    }
  | {
      /**
       * The strategy has finished its task, and no code of it runs any more. Its orders end as
       * `onStop` in the settings says. It is stored: the next start does not begin it again, unless
       * `--again` names it. When every strategy of a bot is done, the bot stops. From a part, it
       * ends only the part.
       */
      readonly kind: 'done';
      readonly reason: string;
    }
  | {
      /**
       * State to keep, committed with the event's other intents: of the strategy, or of a slot of
       * it or of `part`, as `slot.remember` makes it. JSON, at most 256 kB together.
       */
      readonly kind: 'remember';
      readonly part?: string;
      readonly slot?: string;
      readonly state: unknown;
    };

/** An intent about one pair. */
export type PairIntent = Exclude<Intent, { kind: 'remember' | 'done' }>;

export function isOfPair(intent: Intent): intent is PairIntent {
  return intent.kind !== 'remember' && intent.kind !== 'done';
}
