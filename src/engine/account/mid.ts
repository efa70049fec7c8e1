/** The mid at which positions are valued. */
import { Decimal } from '../../domain/money.ts';
import type { EngineMarket } from '../engine-market.ts';

/** Returns the mid in the counter currency; undefined while a side or the book is missing. */
export function midOf({ market, top }: Pick<EngineMarket, 'market' | 'top'>): Decimal | undefined {
  if (top?.bid === undefined || top.ask === undefined) return undefined;
  return new Decimal(top.bid).plus(top.ask).div(2).div(new Decimal(10).pow(market.priceScale));
}
