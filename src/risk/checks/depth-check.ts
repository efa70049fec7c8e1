/**
 * A taker order does not move the market: the average price that it would pay by walking the book
 * level by level is near the mid, and its volume is at most a share of the volume on the best 100
 * levels. Post-only orders take nothing and pass.
 */
import { formatAmount, powerOfTen } from '../../domain/amount.ts';
import type { Ticks } from '../../domain/money.ts';
import { amountsOf, type Check, type CheckInput, type Refuse } from '../check.ts';
import type { DepthBook } from '../gate-facts.ts';
import { isSurelyWithinShare, type Share } from '../gate-limits.ts';
import type { Proposal } from '../proposal.ts';
import { sumOfUnits, timesUnits, type UnitCount, unitProduct } from '../unit-count.ts';

const levelsMax = 100;
const unit = 'share of mid';
const shareUnit = `share of the best ${levelsMax} levels`;

export const checkDepth: Check = (input, refuse) => {
  const { proposal, pair, pairLimits, passed } = input;
  if (proposal.postOnly === true) return;
  const book = pair?.bookUsable === true ? pair.book : undefined;
  const mid2 = pair?.mid2;
  // An order whose value is known in units has amounts.
  const hasAmounts = !Number.isNaN(input.valueUnits) || amountsOf(input) !== undefined;
  if (book === undefined || mid2 === undefined || !hasAmounts) {
    refuse('SLIPPAGE', 'missing', pairLimits?.slippageMax.text ?? 'missing', unit);
    return;
  }
  const { lots, value, depth } = walk(book, proposal);
  if (lots === 0) return;
  // The slippage is |average − mid| / mid; both sides are multiplied by twice the taken lots.
  const paid = unitProduct(mid2, lots);
  const deviation = magnitudeOf(sumOfUnits(timesUnits(value, 2), timesUnits(paid, -1)));
  const { slippageMax, depthShareMax } = pairLimits ?? {};
  const slippage = { passed, part: deviation, whole: paid, limit: slippageMax };
  refuseAboveShare(refuse, 'SLIPPAGE', unit, slippage);
  const share = { passed, part: proposal.volume, whole: depth, limit: depthShareMax };
  refuseAboveShare(refuse, 'DEPTH_SHARE', shareUnit, share);
};

type ShareOf = Pick<CheckInput, 'passed'> & {
  readonly part: UnitCount;
  readonly whole: UnitCount;
  readonly limit: Share | undefined;
};

function refuseAboveShare(refuse: Refuse, code: string, shareOf: string, share: ShareOf): void {
  const { limit, passed } = share;
  if (passed === undefined && isSurelyWithin(share)) return;
  const part = BigInt(share.part) * powerOfTen(18);
  const whole = BigInt(share.whole);
  const tell = limit?.scaled !== undefined && part <= limit.scaled * whole ? passed : refuse;
  tell?.(code, formatAmount((part + whole - 1n) / whole), limit?.text ?? 'missing', shareOf);
}

function isSurelyWithin({ part, whole, limit }: ShareOf): boolean {
  if (limit === undefined || typeof part !== 'number' || typeof whole !== 'number') return false;
  return isSurelyWithinShare(part, whole, limit);
}

function magnitudeOf(count: UnitCount): UnitCount {
  return count < 0 ? timesUnits(count, -1) : count;
}

/** Returns what the order would take at once, and the volume on the other side's best levels. */
function walk(book: DepthBook, proposal: Proposal) {
  const isBid = proposal.side === 'BID';
  const other = isBid ? 'ASK' : 'BID';
  let left: number = proposal.volume;
  let value: UnitCount = 0;
  let depth: UnitCount = 0;
  let price: Ticks | undefined = book.bestPrice(other);
  for (let level = 0; level < levelsMax && price !== undefined; level++) {
    const volume = book.volumeAt(other, price);
    depth = sumOfUnits(depth, volume);
    if (left > 0 && (isBid ? price <= proposal.price : price >= proposal.price)) {
      const part = Math.min(volume, left);
      value = sumOfUnits(value, unitProduct(part, price));
      left -= part;
    }
    price = book.priceAfter(other, price);
  }
  return { lots: proposal.volume - left, value, depth };
}
