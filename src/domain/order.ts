/**
 * The states of an order, as far as we know them.
 *
 *     waiting ─▶ sending ─▶ open ─▶ completing ─▶ filled | cancelled
 *        │          │  ╲     ▲ │ ╲      ▲                      ▲
 *        │          │   ▶ unknown ──────┘                      │
 *        ▼          ▼        ▼     ╲───────────────────────────┘
 *      unsent    rejected   absent
 *
 * Invariants: `unknown` is a state, not an error; every final state except `unsent` needs evidence
 * from the exchange; a fill is accepted in any state.
 */

import type { TimeInForce } from './bot-settings.ts';
import type { StopCondition } from './limit-order.ts';
import type { Side } from './market.ts';
import type { Decimal, Lots, Ticks } from './money.ts';

/** What makes an order a stop-limit order. */
export type Stop = {
  /** The stop price, at least 1 tick. */
  readonly price: Ticks;
  /**
   * `ABOVE`: the order waits for a trade at or above the stop price; `BELOW`: at or below it.
   * Unless given, a buy waits for a rise (`ABOVE`) and a sale for a fall (`BELOW`).
   */
  readonly direction?: StopCondition['direction'];
};

/** The terms of a limit or stop-limit order. */
export type Terms = {
  /** `BID` to buy, `ASK` to sell. */
  readonly side: Side;
  /** The limit price, at least 1 tick. */
  readonly price: Ticks;
  /** The volume, at least 1 lot. */
  readonly volume: Lots;
  /** GTC unless given. An order of a quote must be GTC. */
  readonly timeInForce?: TimeInForce;
  /** Whether the exchange cancels the order instead of letting it take. False unless given. */
  readonly postOnly?: boolean;
  /**
   * Makes it a stop-limit order: it waits unseen at the exchange, with its money reserved, until
   * the last trade reaches the stop price; then it becomes the limit order of these terms. Needs
   * `stop-limit` in `allow.types`. An order of a quote has none.
   */
  readonly stop?: Stop | undefined;
};

/**
 * The terms of a market order, which trades at once at the prices that the book has. Needs `market`
 * in `allow.types`.
 */
export type MarketTerms =
  | {
      readonly type: 'market';
      readonly side: 'ASK';
      /** The volume to sell, at least 1 lot. */
      readonly volume: Lots;
    }
  | {
      readonly type: 'market';
      readonly side: 'BID';
      /**
       * What to buy for, in the counter currency: above 0, with at most `rules.priceScale` plus
       * `rules.volumeScale` decimals, as `market.valueOf` returns it.
       */
      readonly spend: string | Decimal;
    };

/**
 * The terms of an order as the bot counts it. A market order counts as the worst that it may be: at
 * the price that `market.marketPrice` returns, and a buy for all that its money may buy there.
 */
export type OwnTerms = Terms & {
  /**
   * What a market order pays, as decimal text: in the base currency for a sale, in the counter
   * currency for a buy. Undefined for other orders.
   */
  readonly pays?: string | undefined;
};

/** The terms of a placed order: nothing is left to defaults. */
export type PlacedTerms = Required<Omit<Terms, 'stop'>> & {
  readonly stop?: StopCondition | undefined;
  readonly pays?: string | undefined;
};

export function isMarketTerms(terms: Terms | MarketTerms): terms is MarketTerms {
  return 'type' in terms;
}

/** Returns when an order of these terms becomes a limit order; undefined for one without a stop. */
export function stopOf({ side, stop }: Pick<Terms, 'side' | 'stop'>): StopCondition | undefined {
  if (stop === undefined) return undefined;
  const { price, direction = side === 'BID' ? 'ABOVE' : 'BELOW' } = stop;
  return { direction, price };
}

/** The state of an order; the last five are final. */
export type OrderState =
  | 'waiting' // Approved and stored; not sent yet.
  | 'sending' // An attempt is stored and being sent.
  | 'unknown' // An attempt had no usable answer; the order is being looked up.
  | 'open' // The exchange has accepted it and has not reported it complete.
  | 'completing' // Reported complete; our fills do not add up to the exchange's record yet.
  | 'filled' // Filled completely, and all its fills are booked.
  | 'cancelled' // Ended with volume left, and all its fills are booked.
  | 'rejected' // The exchange refused it.
  | 'absent' // Proven never to have existed.
  | 'unsent'; // Ended before any attempt.

/** The allowed transitions. Any other is a bug, or a wrong message from the exchange. */
export const orderTransitions = {
  waiting: ['sending', 'unsent', 'open', 'completing'],
  sending: ['open', 'unknown', 'rejected', 'completing', 'waiting', 'unsent'],
  unknown: ['sending', 'open', 'completing', 'absent', 'rejected'],
  open: ['completing', 'filled', 'cancelled'],
  completing: ['filled', 'cancelled', 'open'],
  filled: ['open', 'completing'],
  cancelled: ['open', 'completing'],
  rejected: ['open', 'completing'],
  absent: ['open', 'completing'],
  unsent: ['open', 'completing'],
} as const satisfies Record<OrderState, readonly OrderState[]>;

/** The same as a table: V8 looks up a member that is named by a value among all names. */
const nextStates: ReadonlyMap<OrderState, readonly OrderState[]> = new Map(
  Object.entries(orderTransitions) as [OrderState, readonly OrderState[]][],
);

/** Whether an order in `state` may become `next`. */
export function mayBecome(state: OrderState, next: OrderState): boolean {
  return nextStates.get(state)?.includes(next) === true;
}

/**
 * Returns whether an order in `state` has ended. A strategy also sees `pending`: an order that it
 * has asked for and that the gate has not checked yet.
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
