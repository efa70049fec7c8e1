/**
 * What a trade does to one of its two orders: the order's figures, its owner's history, stream and
 * two ledgers, and the fee.
 *
 * Invariant: what the two sides of a trade pay is what they receive and the exchange's fees.
 */
import { amountOfOrder, amountOfVolume } from '../../domain/amount.ts';
import { formatLots, formatTicks } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import type { Exchange } from './exchange.ts';
import type { MarketState } from './exchange-state.ts';
import { feeOf, parseFeeRate } from './fee-rate.ts';
import { countUserVolume, feeRatesOf } from './fee-tier.ts';
import type { SimulatedOrder } from './simulated-order.ts';
import { orderFillMessage } from './user-feed.ts';

/** What a trade is to one of its two orders. */
export type Execution = {
  readonly market: MarketState;
  readonly price: SimulatedOrder['price'];
  readonly volume: Lots;
  readonly sequence: bigint;
  readonly takerSide: SimulatedOrder['side'];
  readonly role: 'maker' | 'taker';
};

/** Books a trade for one of its orders. Whether that completes the order is the caller's affair. */
export function settleTrade(exchange: Exchange, order: SimulatedOrder, execution: Execution): void {
  const { price, volume, sequence, role } = execution;
  const { timeMs } = exchange;
  const rules = execution.market.market;
  const user = exchange.userOf(order.userId);
  const isBid = order.side === 'BID';
  const baseUnits = amountOfVolume(volume, rules);
  const counterUnits = amountOfOrder(price, volume, rules);
  const received = isBid ? baseUnits : counterUnits;
  const paid = isBid ? counterUnits : baseUnits;
  // A limit order holds its own price, a market order only what it spends.
  const isAtLimit = isBid && order.isMarketOrder !== true;
  const released = isAtLimit ? amountOfOrder(order.price, volume, rules) : paid;
  const fee = feeOf(received, parseFeeRate(feeRatesOf(user, rules, timeMs)[role]), rules);
  const value = BigInt(price) * BigInt(volume);
  const delta = { volume, value, feeBase: isBid ? fee : 0n, feeCounter: isBid ? 0n : fee };

  order.filled = (order.filled + volume) as Lots;
  order.filledValue += value;
  order.feeBase += delta.feeBase;
  order.feeCounter += delta.feeCounter;
  order.reserved -= released;
  if (user.isRecorded) {
    user.trades.push({
      sequence,
      orderId: order.id,
      clientOrderId: order.clientOrderId,
      pair: order.pair,
      side: order.side,
      takerSide: execution.takerSide,
      price,
      volume,
      feeBase: delta.feeBase,
      feeCounter: delta.feeCounter,
      timeMs,
    });
    countUserVolume(user, { pair: order.pair, volume, timeMs });
  }
  exchange.tell(user, () => orderFillMessage(order, delta, { market: rules, timeMs }));

  const entry = {
    kind: 'EXCHANGE' as const,
    description: `${isBid ? 'Bought' : 'Sold'} ${formatLots(volume, rules)} ${rules.base}`,
    reference: order.id,
    trade: {
      pair: order.pair,
      price: formatTicks(price, rules),
      sequence: sequence.toString(),
      volume: formatLots(volume, rules),
    },
  };
  exchange.record(exchange.payerOf(order), {
    ...entry,
    balanceDelta: -paid,
    reservedDelta: -released,
  });
  const receiver = isBid ? order.baseAccountId : order.counterAccountId;
  exchange.record(exchange.accountOf(receiver), { ...entry, balanceDelta: received - fee });
  exchange.collectFee(isBid ? rules.base : rules.counter, fee);
}
