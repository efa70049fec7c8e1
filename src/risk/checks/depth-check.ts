/**
 * A taker order does not move the market: the average price that it would pay by walking the book
 * level by level is near the mid, and its volume is at most a share of the volume on the best 100
 * levels. Post-only orders take nothing and pass. A stop-limit order may take its whole volume
 * later, in a book that nobody knows: its share counts by the book as it is now, and its average
 * price is bounded by its limit price, which the price collar compares with its stop price.
 */
import type { Ticks } from '../../domain/money.ts';
import type { Check, CheckInput, Refuse } from '../check.ts';
import type { DepthBook } from '../gate-facts.ts';
import type { Proposal } from '../proposal.ts';
import { isWithinShare, type Share, shareText } from '../share.ts';
import { productOf, sumOf, type Whole } from '../whole-numbers.ts';

const levelsMax = 100;
const unit = 'share of mid';
const shareUnit = `share of the best ${levelsMax} levels`;

export const checkDepth: Check = (input, refuse) => {
  const { proposal, pair, pairLimits, passed } = input;
  if (proposal.postOnly === true) return;
  const book = pair?.bookUsable === true ? pair.book : undefined;
  const mid2 = pair?.mid2;
  if (book === undefined || mid2 === undefined || input.value === undefined) {
    refuse('SLIPPAGE', 'missing', pairLimits?.slippageMax.text ?? 'missing', unit);
    return;
  }
  const { lots, value, depth } = walk(book, proposal);
  const { slippageMax, depthShareMax } = pairLimits ?? {};
  const share = { passed, part: proposal.volume, whole: depth, limit: depthShareMax };
  if (proposal.stop !== undefined) {
    refuseAboveShare(refuse, 'DEPTH_SHARE', shareUnit, share);
    return;
  }
  if (lots === 0) return;
  // The slippage is |average − mid| / mid; both sides are multiplied by twice the taken lots.
  const paid = productOf(mid2, lots);
  const deviation = sumOf(productOf(value, 2), -paid);
  const part = deviation < 0 ? -deviation : deviation;
  const slippage = { passed, part, whole: paid, limit: slippageMax };
  refuseAboveShare(refuse, 'SLIPPAGE', unit, slippage);
  refuseAboveShare(refuse, 'DEPTH_SHARE', shareUnit, share);
};

type ShareOf = Pick<CheckInput, 'passed'> & {
  readonly part: Whole;
  readonly whole: Whole;
  readonly limit: Share | undefined;
};

function refuseAboveShare(refuse: Refuse, code: string, shareOf: string, share: ShareOf): void {
  const { passed, part, whole, limit } = share;
  const tell = isWithinShare(part, whole, limit) ? passed : refuse;
  tell?.(code, shareText(part, whole), limit?.text ?? 'missing', shareOf);
}

/** Returns what the order would take at once, and the volume on the other side's best levels. */
function walk(book: DepthBook, proposal: Proposal) {
  const isBid = proposal.side === 'BID';
  const other = isBid ? 'ASK' : 'BID';
  let left: number = proposal.volume;
  let value: Whole = 0;
  let depth: Whole = 0;
  let price: Ticks | undefined = book.bestPrice(other);
  for (let level = 0; level < levelsMax && price !== undefined; level++) {
    const volume = book.volumeAt(other, price);
    depth = sumOf(depth, volume);
    if (left > 0 && (isBid ? price <= proposal.price : price >= proposal.price)) {
      const part = Math.min(volume, left);
      value = sumOf(value, productOf(part, price));
      left -= part;
    }
    price = book.priceAfter(other, price);
  }
  return { lots: proposal.volume - left, value, depth };
}
