/**
 * A taker does not move the market: the average price that it would pay by walking the book, order
 * by order, is near the mid, and it wants no more than a share of the best hundred levels. An order
 * that rests takes nothing.
 */
import { formatAmount, powerOfTen } from '../../domain/amount.ts';
import type { Ticks } from '../../domain/money.ts';
import { amountsOf, type Check, type Question, type Refuse } from '../check.ts';
import type { DepthBook } from '../gate-facts.ts';

const levelsMax = 100;
const unit = 'share of mid';
const shareUnit = `share of the best ${levelsMax} levels`;

export const checkDepth: Check = (question, refuse) => {
  const { proposal, pair, pairLimits } = question;
  if (proposal.postOnly === true) return;
  const book = pair?.bookUsable === true ? pair.book : undefined;
  const mid2 = pair?.mid2;
  if (book === undefined || mid2 === undefined || amountsOf(question) === undefined) {
    refuse('SLIPPAGE', 'missing', pairLimits?.slippageMax.text ?? 'missing', unit);
    return;
  }
  const taken = walk(book, question);
  if (taken.lots === 0n) return;
  const scale = powerOfTen(18);
  const slippage = pairLimits?.slippageMax;
  // |average − mid| / mid, multiplied by what was taken and by two.
  const away = 2n * taken.value - BigInt(mid2) * taken.lots;
  const paid = BigInt(mid2) * taken.lots;
  refuseShare(refuse, 'SLIPPAGE', (away < 0n ? -away : away) * scale, paid, slippage, unit);
  const wanted = BigInt(proposal.volume) * scale;
  refuseShare(refuse, 'DEPTH_SHARE', wanted, taken.depth, pairLimits?.depthShareMax, shareUnit);
};

function refuseShare(
  refuse: Refuse,
  code: string,
  part: bigint,
  whole: bigint,
  limit: { readonly atoms: bigint | undefined; readonly text: string } | undefined,
  shareOf: string,
): void {
  if (limit?.atoms !== undefined && part <= limit.atoms * whole) return;
  refuse(code, formatAmount((part + whole - 1n) / whole), limit?.text ?? 'missing', shareOf);
}

/** What the order would take at once, and what there is on the best levels of the other side. */
function walk(book: DepthBook, { proposal }: Question) {
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
