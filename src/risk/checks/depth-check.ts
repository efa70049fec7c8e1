/**
 * A taker order does not move the market: the average price that it would pay by walking the book
 * level by level is near the mid, and its volume is at most a share of the volume on the best 100
 * levels. Post-only orders take nothing and pass.
 */
import { formatAmount, powerOfTen } from '../../domain/amount.ts';
import type { Ticks } from '../../domain/money.ts';
import { amountsOf, type Check, type CheckInput, type Refuse } from '../check.ts';
import type { DepthBook } from '../gate-facts.ts';

const levelsMax = 100;
const unit = 'share of mid';
const shareUnit = `share of the best ${levelsMax} levels`;

export const checkDepth: Check = (input, refuse) => {
  const { proposal, pair, pairLimits } = input;
  if (proposal.postOnly === true) return;
  const book = pair?.bookUsable === true ? pair.book : undefined;
  const mid2 = pair?.mid2;
  if (book === undefined || mid2 === undefined || amountsOf(input) === undefined) {
    refuse('SLIPPAGE', 'missing', pairLimits?.slippageMax.text ?? 'missing', unit);
    return;
  }
  const taken = walk(book, input);
  if (taken.lots === 0n) return;
  const scale = powerOfTen(18);
  const slippage = pairLimits?.slippageMax;
  // The slippage is |average − mid| / mid; both sides are multiplied by twice the taken lots.
  const deviation = 2n * taken.value - BigInt(mid2) * taken.lots;
  const paid = BigInt(mid2) * taken.lots;
  refuseShare(
    refuse,
    'SLIPPAGE',
    (deviation < 0n ? -deviation : deviation) * scale,
    paid,
    slippage,
    unit,
  );
  const volume = BigInt(proposal.volume) * scale;
  refuseShare(refuse, 'DEPTH_SHARE', volume, taken.depth, pairLimits?.depthShareMax, shareUnit);
};

function refuseShare(
  refuse: Refuse,
  code: string,
  part: bigint,
  whole: bigint,
  limit: { readonly scaled: bigint | undefined; readonly text: string } | undefined,
  shareOf: string,
): void {
  if (limit?.scaled !== undefined && part <= limit.scaled * whole) return;
  refuse(code, formatAmount((part + whole - 1n) / whole), limit?.text ?? 'missing', shareOf);
}

/** Returns what the order would take at once, and the volume on the other side's best levels. */
function walk(book: DepthBook, { proposal }: CheckInput) {
  const isBid = proposal.side === 'BID';
  const other = isBid ? 'ASK' : 'BID';
  let left = BigInt(proposal.volume);
  let [lots, value, depth] = [0n, 0n, 0n];
  let price: Ticks | undefined = book.bestPrice(other);
  for (let level = 0; level < levelsMax && price !== undefined; level++) {
    const volume = BigInt(book.volumeAt(other, price));
    depth += volume;
    if (left > 0n && (isBid ? price <= proposal.price : price >= proposal.price)) {
      const part = volume < left ? volume : left;
      lots += part;
      value += part * BigInt(price);
      left -= part;
    }
    price = book.priceAfter(other, price);
  }
  return { lots, value, depth };
}
