/** A trade of the whole market as the order-by-order book saw it, with both orders. */
import type { Trade } from '../domain/market-view.ts';

export type MarketTrade = Trade & {
  readonly makerOrderId: string;
  readonly takerOrderId: string;
};
