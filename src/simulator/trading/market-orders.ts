/**
 * Market orders: what one would trade, whether it is accepted, and its execution.
 *
 * The first check that fails answers:
 *
 *     market known, open, allowed → deadline → client_order_id → no quote active → volume: given
 *     for the type, decimals, value → accounts and leverage → post-only market → balance →
 *     liquidity → volume limits
 *
 * Rules of ours, where the documents show only the codes: a market order is refused whole if the
 * book cannot fill it or if a part of it would trade more than a tenth away from the best price; a
 * buy spends no more than `counter_volume`, and what is left of it buys less than one lot; an
 * amount for the other type is refused, not ignored.
 */
import {
  type Amount,
  amountOf,
  amountOfVolume,
  amountScale,
  powerOfTen,
} from '../../domain/amount.ts';
import { type Market, opposite, parseLots, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, lotsOf, minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { checkFunds, checkRequest } from '../../exchange-accounts/order-checks.ts';
import { checkVolume, refuseNumber } from '../../exchange-accounts/order-terms.ts';
import type { ParametersOf } from '../../exchange-api/operation.ts';
import type { Operations } from '../../exchange-api/operations.ts';
import type { Book } from '../../market/book/book.ts';
import type { NewOrder } from '../core/matching.ts';
import { executeOrder } from '../core/matching-engine.ts';
import type { Call } from '../core/plan.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { accountsFor, openMarket } from './market-access.ts';
import { type OrderContext, requestRulesOf } from './order-check.ts';

type MarketOrderParameters = ParametersOf<Operations['marketorder']>;

/** What is to be sold, or what is to be spent in ticks × lots. */
export type Wanted =
  | { readonly side: 'ASK'; readonly volume: Lots }
  | { readonly side: 'BID'; readonly value: bigint };

/** What a market order trades, if the book stays as it is. */
export type Sweep = {
  readonly volume: Lots;
  readonly bestPrice: Ticks;
  readonly worstPrice: Ticks;
};

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

/** Returns what the order would trade, or undefined if the book cannot fill it. */
function sweepOf(wanted: Wanted, book: Book): Sweep | undefined {
  const side = opposite(wanted.side);
  const bestPrice = book.bestPrice(side);
  let volume = noLots;
  let worstPrice = bestPrice;
  let value = wanted.side === 'BID' ? wanted.value : 0n;
  for (let price = bestPrice; price !== undefined; price = book.priceAfter(side, price)) {
    const offered = book.volumeAt(side, price);
    const left =
      wanted.side === 'BID' ? lotsFor(value, price) : subtractLots(wanted.volume, volume);
    const taken = minLots(left, offered);
    value -= BigInt(taken) * BigInt(price);
    volume = addLots(volume, taken);
    if (taken > 0) worstPrice = price;
    if (taken === left)
      return bestPrice === undefined || worstPrice === undefined
        ? undefined
        : { volume, bestPrice, worstPrice };
  }
  return undefined;
}

/** Returns whether a part trades more than a tenth away from the best price. */
function variesTooMuch(side: Side, { bestPrice, worstPrice }: Sweep): boolean {
  const [best, worst] = [BigInt(bestPrice), BigInt(worstPrice)];
  return side === 'BID' ? worst * 10n > best * 11n : worst * 10n < best * 9n;
}

function checkMarketOrder(
  parameters: MarketOrderParameters,
  context: OrderContext,
): { readonly kind: 'valid'; readonly order: NewOrder } | Refusal {
  const { exchange, user } = context;
  const opened = openMarket(parameters.pair, context);
  if (opened.kind === 'refused') return opened;
  const { market } = opened.state;
  const early = checkRequest(parameters, exchange.timeMs, requestRulesOf(context));
  if (early !== undefined) return early;
  const wanted = checkWanted(parameters, market);
  if (wanted.kind === 'refused') return wanted;
  const { pair } = market;
  const leverage = parameters.leverage ?? 0;
  const accounts = accountsFor(parameters, { currencies: market, pair, leverage }, context);
  if (accounts.kind === 'refused') return accounts;
  if (market.status !== 'ACTIVE') return refuse('ErrPostOnlyMode', 'Market is in post-only mode');
  const payer = wanted.side === 'BID' ? accounts.counter : accounts.base;
  const short = checkFunds(payer, wanted.needed);
  if (short !== undefined) return short;
  const sweep = sweepOf(wanted, exchange.bookOf(pair).book);
  if (sweep === undefined || variesTooMuch(wanted.side, sweep))
    return refuse('ErrNotEnoughLiquidity', 'Not enough liquidity: use a limit order');
  const outside = checkVolume(sweep.volume, market);
  if (outside !== undefined) return outside;
  return {
    kind: 'valid',
    order: {
      userId: user.id,
      clientOrderId: parameters.client_order_id ?? '',
      pair,
      side: wanted.side,
      price: sweep.worstPrice,
      volume: sweep.volume,
      timeInForce: 'IOC',
      baseAccountId: accounts.base.id,
      counterAccountId: accounts.counter.id,
      isMarketOrder: true,
      leverage,
      ...(wanted.side === 'BID' ? { spend: wanted.needed } : {}),
    },
  };
}

function checkWanted(
  parameters: MarketOrderParameters,
  market: Market,
): ({ readonly kind: 'valid'; readonly needed: Amount } & Wanted) | Refusal {
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
  // No order can be worth more than the greatest volume at the greatest price.
  if (value > BigInt(market.priceMax) * BigInt(market.volumeMax))
    return refuse('ErrValueTooHigh', 'Order value is above the maximum');
  return { kind: 'valid', side: 'BID', value, needed };
}

/** Returns how many lots `value` (ticks × lots) buys at `price`, at most what a number holds. */
function lotsFor(value: bigint, price: Ticks): Lots {
  const lots = value / BigInt(price);
  return lotsOf(
    lots > BigInt(Number.MAX_SAFE_INTEGER)
      ? Number.MAX_SAFE_INTEGER
      : Number.parseInt(lots.toString(), 10),
  );
}
