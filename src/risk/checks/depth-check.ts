/**
 * A taker order does not move the market: the average price that it would pay by walking the book
 * level by level is near the mid, and its volume is at most a share of the volume on the best 100
 * levels. Post-only orders take nothing and pass. A stop-limit order may take its whole volume
 * later, in a book that nobody knows: its share counts by the book as it is now, and its average
 * price is bounded by its limit price, which the price collar compares with its stop price. A
 * market order takes at any price, and its share counts by the most that it may buy.
 */
import type { Check, CheckInput, Refuse } from '../check.ts';
import { isWithinShare, type Share, shareText } from '../share.ts';
import { levelsMax, sweepOf } from '../sweep.ts';
import { productOf, sumOf, type Whole } from '../whole-numbers.ts';

const unit = 'share of mid';
const shareUnit = `share of the best ${levelsMax} levels`;

export const checkDepth: Check = (input, refuse) => {
  const { proposal, pair, pairLimits, passed } = input;
  if (proposal.postOnly === true) return;
  const book = pair?.bookUsable === true ? pair.book : undefined;
  const mid2 = pair?.mid2;
  if (pair === undefined || book === undefined || mid2 === undefined || input.value === undefined) {
    refuse('SLIPPAGE', 'missing', pairLimits?.slippageMax.text ?? 'missing', unit);
    return;
  }
  const { lots, value, depth } = sweepOf(book, proposal, pair.market);
  const { slippageMax, depthShareMax } = pairLimits ?? {};
  const share = { passed, part: proposal.volume, whole: depth, limit: depthShareMax };
  if (proposal.stop !== undefined) {
    refuseAboveShare(refuse, 'DEPTH_SHARE', shareUnit, share);
    return;
  }
  if (lots === 0 && proposal.pays === undefined) return;
  if (lots !== 0) {
    // The slippage is |average − mid| / mid; both sides are multiplied by twice the taken lots.
    const paid = productOf(mid2, lots);
    const deviation = sumOf(productOf(value, 2), -paid);
    const part = deviation < 0 ? -deviation : deviation;
    const slippage = { passed, part, whole: paid, limit: slippageMax };
    refuseAboveShare(refuse, 'SLIPPAGE', unit, slippage);
  }
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
