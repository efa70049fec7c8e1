/**
 * Estimates whether a provisional fill is a maker's, because its report does not say so. The
 * list of trades does, when the fill is booked.
 */
import type { Sums } from '../../domain/amount.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';

/** The account's fees as fractions of the traded value. */
export type FeeShares = { readonly maker: number; readonly taker: number };

/**
 * Returns whether the fill is a maker's, by its fee. If the fee does not decide, an order that is
 * known to be open and trades at its own price counts as a maker.
 */
export function isMakerFill(
  order: Pick<TrackedOrder, 'terms' | 'state'>,
  sums: Sums,
  { fees, isAtLimit }: { readonly fees: FeeShares | undefined; readonly isAtLimit: boolean },
): boolean {
  const { side, postOnly, timeInForce } = order.terms;
  if (postOnly) return true;
  if (timeInForce !== 'GTC') return false;
  const isBid = side === 'BID';
  // A fee is taken in the received currency.
  const fee = isBid ? sums.feeBase : sums.feeCounter;
  const received = isBid ? sums.base : sums.counter;
  if (received > 0n && fees !== undefined && fees.maker !== fees.taker) {
    // Not money: this only finds the nearer of two rates.
    const share = Number(fee) / Number(received);
    return Math.abs(share - fees.maker) < Math.abs(share - fees.taker);
  }
  return isAtLimit && (order.state === 'open' || order.state === 'completing');
}
