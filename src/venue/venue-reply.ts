/**
 * What a venue answers, in our own terms.
 *
 * Amounts are exact, in units of 10^-18: lists reach back to times when a market had other scales,
 * and show orders of markets that are not listed any more, so prices and volumes become ticks and
 * lots only where the market is known.
 *
 * Invariant: only `ok` and `refused` are statements of the venue. `not-sent` is proof that no byte
 * was sent; `no-answer` proves nothing.
 */
import type { Amount, Sums } from '../domain/amount.ts';
import type { OrderType, TimeInForce } from '../domain/bot-settings.ts';
import type { StopCondition } from '../domain/limit-order.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Cursor, RequestKind } from './venue-request.ts';

export type OrderView = {
  readonly orderId: string;
  /** Empty for an order that was placed without an id of its own. */
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: Side;
  /** `other`: orders of types that no bot places. */
  readonly type: OrderType | 'other';
  /** The stop of a stop-limit order, also after its trigger; undefined for other orders. */
  readonly stop?:
    | { readonly direction: StopCondition['direction']; readonly price: Amount }
    | undefined;
  /** Whether it waits for its stop price, or did so until it ended; undefined if not known. */
  readonly isAwaiting?: boolean | undefined;
  /** Of a market order neither the price nor the volume says anything. */
  readonly price: Amount;
  readonly volume: Amount;
  /** Undefined for some orders of other types. */
  readonly timeInForce: TimeInForce | undefined;
  readonly baseAccount: string;
  readonly counterAccount: string;
  /** Of all its trades until now; `base` is the filled volume. */
  readonly sums: Sums;
  readonly isEnded: boolean;
  readonly createdMs: number;
  /** Undefined while it is open, and where the venue does not say it. */
  readonly endedMs: number | undefined;
};

export type TradeView = {
  readonly pair: string;
  /** The trade's number in its market; both sides of a trade with ourselves have the same. */
  readonly sequence: string;
  readonly orderId: string;
  readonly clientOrderId: string;
  /** Ours, not the taker's. */
  readonly side: Side;
  readonly isMaker: boolean;
  readonly price: Amount;
  readonly volume: Amount;
  readonly sums: Sums;
  readonly atMs: number;
};

/** A row of an account's ledger. */
export type MovementView = {
  /** Counted from 1, without gaps. */
  readonly row: number;
  readonly atMs: number;
  readonly currency: string;
  /** The venue's word, as evidence. */
  readonly kind: string;
  readonly delta: Amount;
  /** After this row. */
  readonly balance: Amount;
  readonly availableDelta: Amount;
  /** After this row. */
  readonly available: Amount;
  /** The trade that caused it. */
  readonly trade: { readonly pair: string; readonly sequence: string } | undefined;
  readonly text: string;
};

export type AccountBalance = {
  readonly account: string;
  readonly currency: string;
  readonly balance: Amount;
  /** What of it is not reserved for orders. */
  readonly available: Amount;
};

/** Fractions of the traded value as decimal strings. */
export type VenueFees = { readonly maker: string; readonly taker: string };

export type LastTrade = { readonly price: Amount; readonly atMs: number };

/** A price is undefined where there is none. */
export type MarketPrices = {
  readonly pair: string;
  readonly bid: Amount | undefined;
  readonly ask: Amount | undefined;
  readonly last: Amount | undefined;
};

export type CandleView = {
  readonly startMs: number;
  readonly open: Amount;
  readonly high: Amount;
  readonly low: Amount;
  readonly close: Amount;
  readonly volume: Amount;
};

/** A value of an answer that cannot be true. */
export type WrongValue = {
  /** What it belongs to, for example `order BX1`. */
  readonly subject: string;
  /** The venue's name of the value. */
  readonly field: string;
  readonly value: string;
  /** What it has to be. */
  readonly rule: string;
  /** The ids of the order that it belongs to; undefined if it belongs to none. */
  readonly orderId?: string | undefined;
  readonly clientOrderId?: string | undefined;
};

/** How a list ended. Unless it is `complete`, rows may be missing. */
export type ListEnd = 'complete' | 'stalled' | 'endless';

/**
 * A part of a list: either it goes on at `next`, or `end` says how it ended. `next` beside `end` is
 * for a reader that knows of further rows, because a venue may cut a page short.
 */
export type Page<Row> = {
  readonly rows: readonly Row[];
  /** Rows that cannot be true; they are not in `rows`. */
  readonly wrong: readonly WrongValue[];
} & (
  | { readonly next: Cursor; readonly end?: undefined }
  | { readonly next?: Cursor | undefined; readonly end: ListEnd }
);

export type Answers = {
  readonly place: { readonly orderId: string };
  readonly cancel: 'taken';
  readonly order: OrderView;
  readonly orders: Page<OrderView>;
  readonly 'own-trades': Page<TradeView>;
  readonly movements: Page<MovementView>;
  readonly balances: readonly AccountBalance[];
  readonly markets: Page<Market>;
  readonly fees: VenueFees;
  /** Undefined if the market had no trade yet. */
  readonly 'last-trade': LastTrade | undefined;
  readonly prices: Page<MarketPrices>;
  readonly candles: Page<CandleView>;
};

/** What a refusal proves about its request. */
export type Reason =
  | 'rejected' // Nothing was done, and the same request would be refused again.
  | 'market-closed' // As `rejected`; the market accepts no orders for now.
  | 'would-take' // A post-only order was cancelled before it traded; its id may be taken.
  | 'exists' // An order with this id exists.
  | 'expired' // It came after its time to live; an earlier attempt may have succeeded.
  | 'not-found' // There is no such order.
  | 'not-open' // There is no such open order.
  | 'ledger-not-listed' // The account has more rows than the venue lists.
  | 'throttled' // Too many calls; something may have been done before.
  | 'key-refused' // The key cannot do this; further requests will fail, too.
  | 'unclear'; // Proves nothing.

/** How many calls the venue allows in a minute, and how many of them are left. */
export type CallLimitReport = { readonly perMinute: number; readonly remaining: number };

/** What each answer of the venue may say beside its content. */
export type Heard = {
  /** The venue's clock when it answered. */
  readonly venueTimeMs?: number | undefined;
  readonly callLimit?: CallLimitReport | undefined;
};

export type Refusal = Heard & {
  readonly kind: 'refused';
  readonly reason: Reason;
  /** Whether the market accepts no orders for now, although the refusal proves nothing else. */
  readonly closesMarket?: true | undefined;
  /** The venue's own code, for people. */
  readonly code: string;
  readonly text: string;
  /** How long the venue asks to wait before the next call. */
  readonly retryAfterMs?: number | undefined;
};

export type Failure =
  | Refusal
  | {
      readonly kind: 'not-sent';
      readonly why: string;
      /** Blocked by the egress guard: the request differs from the committed order. */
      readonly isBlocked?: true | undefined;
    }
  | (Pick<Heard, 'venueTimeMs'> & {
      readonly kind: 'no-answer';
      readonly why: string;
      /** The value that makes an answer about one thing useless. */
      readonly wrong?: WrongValue | undefined;
    });

/** The outcome of a request of one kind, or of any. */
export type VenueReply<Kind extends RequestKind = RequestKind> =
  | (Heard & { readonly kind: 'ok'; readonly value: Answers[Kind] })
  | Failure;
