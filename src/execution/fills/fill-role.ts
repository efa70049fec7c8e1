/**
 * Whether a fill that only the user stream has reported is a maker's: the stream does not say. The
 * list of trades does, when the fill is booked.
 */
import { parseAmount } from '../../domain/amount.ts';
import type { OrderFillUpdate } from '../../exchange-api/user-messages.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';

/** What the account pays, as fractions. */
export type FeeShares = { readonly maker: number; readonly taker: number };

/**
 * Returns whether the fill is a maker's, by its fee; where that does not tell, an order that is
 * known to rest and trades at its own price is taken for a maker.
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
  // A fee is taken of what is received.
  const fee = parseAmount(isBid ? update.base_fee_delta : update.counter_fee_delta);
  const received = parseAmount(isBid ? update.base_delta : update.counter_delta);
  const isKnown = fee !== undefined && received !== undefined && received > 0n;
  if (isKnown && fees !== undefined && fees.maker !== fees.taker) {
    // Not money: which of two rates it is nearer to.
    const share = Number(fee) / Number(received);
    return Math.abs(share - fees.maker) < Math.abs(share - fees.taker);
  }
  return isAtLimit && (order.state === 'open' || order.state === 'completing');
}
