/**
 * Estimates whether a provisional fill is a maker's, because the user stream does not say so. The
 * list of trades does, when the fill is booked.
 */
import { parseAmount } from '../../domain/amount.ts';
import type { OrderFillUpdate } from '../../venues/luno/api/user-messages.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';

/** The account's fees as fractions of the traded value. */
export type FeeShares = { readonly maker: number; readonly taker: number };

/**
 * Returns whether the fill is a maker's, by its fee. If the fee does not decide, an order that is
 * known to be open and trades at its own price counts as a maker.
 */
export function isMakerFill(
  order: Pick<TrackedOrder, 'terms' | 'state'>,
  update: OrderFillUpdate,
  { fees, isAtLimit }: { readonly fees: FeeShares | undefined; readonly isAtLimit: boolean },
): boolean {
  const { side, postOnly, timeInForce } = order.terms;
  if (postOnly) return true;
  if (timeInForce !== 'GTC') return false;
  const isBid = side === 'BID';
  // A fee is taken in the received currency.
  const fee = parseAmount(isBid ? update.base_fee_delta : update.counter_fee_delta);
  const received = parseAmount(isBid ? update.base_delta : update.counter_delta);
  const isKnown = fee !== undefined && received !== undefined && received > 0n;
  if (isKnown && fees !== undefined && fees.maker !== fees.taker) {
    // Not money: this only finds the nearer of two rates.
    const share = Number(fee) / Number(received);
    return Math.abs(share - fees.maker) < Math.abs(share - fees.taker);
  }
  return isAtLimit && (order.state === 'open' || order.state === 'completing');
}
