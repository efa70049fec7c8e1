/** What is recorded of a market: each order, or only its trades, or only bars of them. */
import type { Ticks } from '../../domain/money.ts';

export type MarketData = { readonly kind: 'orders' } | QuotedData;

/** Without orders, the best prices are made up: a half spread from the last price. */
export type QuotedData = { readonly kind: 'trades' | 'bars'; readonly halfSpread: Ticks };
