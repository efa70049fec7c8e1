/**
 * The items of a source of recorded order flow, before orders have slots: rows with the exchange's
 * ids, and events of the stream and the market.
 */
import type { MarketStatus, Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type {
  OrderCreated,
  OrderDeleted,
  OrderResized,
  OrderTraded,
} from '../../market/flow/order-flow-row.ts';

export type RestingOrder = {
  readonly id: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

/** A trade. If the source does not have the maker's side, it is taken from the maker's order. */
export type FlowTrade = Omit<OrderTraded, 'makerSide'> & { readonly makerSide: Side | undefined };

export type FlowRow = OrderCreated | OrderDeleted | OrderResized | FlowTrade;

/** A trade without its orders, for coarse recordings. */
export type BareTrade = {
  readonly kind: 'bare-trade';
  readonly atMicros: number;
  readonly makerSide: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type Candle = {
  readonly kind: 'candle';
  /** The start of its interval. */
  readonly atMicros: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
};

export type FlowItem = { readonly delayMicros?: number | undefined } & (
  | FlowRow
  | BareTrade
  | Candle
  | { readonly kind: 'status'; readonly atMicros: number; readonly status: MarketStatus }
  | { readonly kind: 'gap'; readonly atMicros: number }
  /** The whole book, bids then asks, each from the best and in queue order. */
  | {
      readonly kind: 'snapshot';
      readonly atMicros: number;
      readonly status: MarketStatus;
      readonly orders: readonly RestingOrder[];
    }
);

/** The level of detail of a recording. Only `order`, order by order, can prove a fill. */
export type Grade = 'order' | 'trades' | 'candles';
