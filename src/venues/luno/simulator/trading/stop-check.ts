/**
 * Checks the stop of a stop-limit order, and infers its direction.
 *
 * The documentation gives the error codes but not the limits of a stop price. Here they are the
 * price limits of the market.
 */
import type { StopCondition } from '../../../../domain/limit-order.ts';
import { type Market, parseTicks } from '../../../../domain/market.ts';
import type { Ticks } from '../../../../domain/money.ts';
import type { PostorderParameters } from '../../api/operations.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { decimalsOf } from './order-terms.ts';

type Checked = { readonly kind: 'valid'; readonly stop: StopCondition | undefined } | Refusal;

/** Returns the stop condition of the parameters, undefined if they have none, or the refusal. */
export function checkStop(
  parameters: Pick<PostorderParameters, 'stop_price' | 'stop_direction'>,
  market: Market,
  lastTradePrice: Ticks | undefined,
): Checked {
  const { stop_price: text, stop_direction: direction } = parameters;
  if (text === undefined) {
    if (direction === undefined) return { kind: 'valid', stop: undefined };
    return refuse('ErrInvalidStopDirection', 'stop_direction needs a stop_price');
  }
  if (direction === undefined)
    return refuse('ErrInvalidStopDirection', 'stop_price needs a stop_direction');
  if (decimalsOf(text) > market.priceScale)
    return refuse('ErrInvalidStopPrice', `stop_price may have ${market.priceScale} decimals`);
  // With no more decimals than allowed, parsing fails only beyond 2^53 ticks.
  const price = parseTicks(text, market);
  if (price === undefined || price > market.priceMax)
    return refuse('ErrStopPriceTooHigh', 'Stop price is above the maximum');
  if (price < market.priceMin)
    return refuse('ErrStopPriceTooLow', 'Stop price is below the minimum');
  if (direction !== 'RELATIVE_LAST_TRADE') return { kind: 'valid', stop: { direction, price } };
  if (lastTradePrice === undefined)
    return refuse('ErrNoTradesToInferStopDirection', 'No trades to infer a stop direction from');
  const inferred = lastTradePrice < price ? 'ABOVE' : 'BELOW';
  return { kind: 'valid', stop: { direction: inferred, price } };
}
