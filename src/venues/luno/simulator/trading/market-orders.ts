/**
 * Market orders: their checks, what they would trade, and their execution.
 *
 * The first failing check decides the answer:
 *
 *     market known, open, allowed → deadline → client_order_id → no quote active → volume: given
 *     for the type, decimals, value → accounts and leverage → post-only market → balance →
 *     liquidity → volume limits
 *
 * Rules of ours, where the documentation shows only the error codes: a market order is refused as a
 * whole if the book cannot fill it, or if part of it would trade more than 10 % away from the best
 * price; a buy spends at most `counter_volume`, and the unspent rest buys less than one lot; an
 * amount for the other type is refused, not ignored.
 */
import {
  type Amount,
  amountOf,
  amountOfVolume,
  amountScale,
  powerOfTen,
} from '../../../../domain/amount.ts';
import { acceptsTakers, type Market, parseLots } from '../../../../domain/market.ts';
import {
  isTooFarFromBest,
  type MarketOrderSize,
  sweepOf,
} from '../../../../exchange-accounts/market-sweep.ts';
import type { MarketorderParameters } from '../../api/operations.ts';
import type { NewOrder } from '../core/matching.ts';
import { executeOrder } from '../core/matching-engine.ts';
import type { Call } from '../core/plan.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { accountsFor, openMarket } from './market-access.ts';
import { checkRequest, type OrderContext } from './order-check.ts';
import { checkFunds, checkVolume, refuseNumber } from './order-terms.ts';

export const marketOrderCalls: { readonly marketorder: Call<'marketorder'> } = {
  marketorder: (parameters, context) => {
    const checked = checkMarketOrder(parameters, context);
    if (checked.kind === 'refused') return checked;
    const { exchange } = context;
    return {
      kind: 'change',
      change: () => ({ order_id: executeOrder(exchange, checked.order).id }),
    };
  },
};

function checkMarketOrder(
  parameters: MarketorderParameters,
  context: OrderContext,
): { readonly kind: 'valid'; readonly order: NewOrder } | Refusal {
  const { exchange, user } = context;
  const opened = openMarket(parameters.pair, context);
  if (opened.kind === 'refused') return opened;
  const { market } = opened.state;
  const early = checkRequest(parameters, context);
  if (early !== undefined) return early;
  const size = checkSize(parameters, market);
  if (size.kind === 'refused') return size;
  const { pair } = market;
  const leverage = parameters.leverage ?? 0;
  const accounts = accountsFor(parameters, { currencies: market, pair, leverage }, context);
  if (accounts.kind === 'refused') return accounts;
  if (!acceptsTakers(market.status))
    return refuse('ErrPostOnlyMode', 'Market is in post-only mode');
  const payer = size.side === 'BID' ? accounts.counter : accounts.base;
  const short = checkFunds(payer, size.needed);
  if (short !== undefined) return short;
  const sweep = sweepOf(size, exchange.bookOf(pair).book);
  if (sweep === undefined || isTooFarFromBest(size.side, sweep))
    return refuse('ErrNotEnoughLiquidity', 'Not enough liquidity: use a limit order');
  const outside = checkVolume(sweep.volume, market);
  if (outside !== undefined) return outside;
  return {
    kind: 'valid',
    order: {
      userId: user.id,
      clientOrderId: parameters.client_order_id ?? '',
      pair,
      side: size.side,
      price: sweep.worstPrice,
      volume: sweep.volume,
      timeInForce: 'IOC',
      baseAccountId: accounts.base.id,
      counterAccountId: accounts.counter.id,
      isMarketOrder: true,
      leverage,
      ...(size.side === 'BID' ? { spend: size.needed } : {}),
    },
  };
}

function checkSize(
  parameters: MarketorderParameters,
  market: Market,
): ({ readonly kind: 'valid'; readonly needed: Amount } & MarketOrderSize) | Refusal {
  const { type, base_volume: baseText, counter_volume: counterText } = parameters;
  if (type === 'SELL') {
    if (baseText === undefined)
      return refuse('ErrInvalidBaseVolume', 'base_volume is required to SELL');
    if (counterText !== undefined)
      return refuse('ErrInvalidCounterVolume', 'counter_volume is for a BUY');
    const volume = parseLots(baseText, market);
    if (volume === undefined) return refuseNumber('volume', baseText, market.volumeScale);
    const outside = checkVolume(volume, market);
    return (
      outside ?? { kind: 'valid', side: 'ASK', volume, needed: amountOfVolume(volume, market) }
    );
  }
  if (counterText === undefined)
    return refuse('ErrInvalidCounterVolume', 'counter_volume is required to BUY');
  if (baseText !== undefined) return refuse('ErrInvalidBaseVolume', 'base_volume is for a SELL');
  const needed = amountOf(counterText);
  const scale = market.priceScale + market.volumeScale;
  const step = powerOfTen(amountScale - scale);
  if (needed % step !== 0n)
    return refuse(
      'ErrCounterDenominationNotAllowed',
      `counter_volume may have at most ${scale} decimals`,
    );
  const value = needed / step;
  // No order can be worth more than the maximum volume at the maximum price.
  if (value > BigInt(market.priceMax) * BigInt(market.volumeMax))
    return refuse('ErrValueTooHigh', 'Order value is above the maximum');
  return { kind: 'valid', side: 'BID', value, needed };
}
