/**
 * The stop price of a stop-limit order is in the market's range, and the last trade has not reached
 * it: an order on the wrong side would become a limit order at once.
 */
import type { StopCondition } from '../domain/limit-order.ts';
import { formatTicks } from '../domain/market.ts';
import { ticksOf } from '../domain/ticks-and-lots.ts';
import type { CheckInput, Refuse } from './check.ts';
import { lastTradeOf, type PairFacts } from './gate-facts.ts';

export function checkStopPrice(
  { direction, price }: StopCondition,
  pair: PairFacts,
  { passed }: Pick<CheckInput, 'passed'>,
  refuse: Refuse,
): void {
  const code = 'STOP_PRICE';
  const { market } = pair;
  const unit = market.counter;
  if (direction !== 'ABOVE' && direction !== 'BELOW')
    refuse('FORM', String(direction), 'ABOVE or BELOW', 'direction of the stop');
  if (!Number.isSafeInteger(price) || price < market.priceMin || price > market.priceMax) {
    const text = Number.isSafeInteger(price) ? formatTicks(ticksOf(price), market) : String(price);
    const range = `${formatTicks(market.priceMin, market)} to ${formatTicks(market.priceMax, market)}`;
    refuse(code, text, range, unit);
    return;
  }
  const last = lastTradeOf(pair);
  const isAhead = last !== undefined && (direction === 'ABOVE' ? last < price : last > price);
  const tell = isAhead ? passed : refuse;
  const side = direction === 'ABOVE' ? 'above' : 'below';
  const limit =
    last === undefined ? 'missing' : `${side} the last trade at ${formatTicks(last, market)}`;
  tell?.(code, formatTicks(price, market), limit, unit);
}
