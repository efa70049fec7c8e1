/** The depth check compares numbers where they are exact; it must refuse as exact amounts do. */
import { expect, test } from 'vitest';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { type CheckInput, checkInputOf } from '../../../src/risk/check.ts';
import { checkDepth } from '../../../src/risk/checks/depth-check.ts';
import type { DepthBook } from '../../../src/risk/gate-facts.ts';
import { gateLimitsOf } from '../../../src/risk/gate-limits.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { goodBid, openFacts, settings } from '../../unit/risk/open-gate.ts';

const one = 10n ** 18n;
type Level = { readonly price: number; readonly volume: number };

/** A book whose asks and bids are the same levels, best first. */
const bookOf = (levels: readonly Level[]): DepthBook => ({
  bestPrice: () => levels[0]?.price as Ticks | undefined,
  priceAfter: (_, price) =>
    levels[levels.findIndex((level) => level.price === price) + 1]?.price as Ticks | undefined,
  volumeAt: (_, price) => (levels.find((level) => level.price === price)?.volume ?? 0) as Lots,
});

/** Returns the refusals by integers of any size. */
function expectedRefusals(levels: readonly Level[], input: CheckInput): readonly string[] {
  const { proposal, pair, pairLimits } = input;
  const isBid = proposal.side === 'BID';
  let left = BigInt(proposal.volume);
  let [taken, value, depth] = [0n, 0n, 0n];
  for (const { price, volume } of levels) {
    depth += BigInt(volume);
    if (isBid ? price > proposal.price : price < proposal.price) continue;
    const part = BigInt(volume) < left ? BigInt(volume) : left;
    taken += part;
    value += part * BigInt(price);
    left -= part;
  }
  if (taken === 0n) return [];
  const paid = BigInt(pair?.mid2 ?? 0) * taken;
  const deviation = 2n * value > paid ? 2n * value - paid : paid - 2n * value;
  const refusals: string[] = [];
  const compare = (code: string, part: bigint, whole: bigint, limit = '0'): void => {
    if (part * one > amountOf(limit) * whole)
      refusals.push(`${code} ${formatAmount((part * one + whole - 1n) / whole)}`);
  };
  compare('SLIPPAGE', deviation, paid, pairLimits?.slippageMax.text);
  compare('DEPTH_SHARE', BigInt(proposal.volume), depth, pairLimits?.depthShareMax.text);
  return refusals;
}

test('orders of every size are refused as by exact amounts', () => {
  const random = new SeededRandom(7);
  const limits = gateLimitsOf(settings);
  let refused = 0;
  let huge = 0;
  for (let round = 0; round < 4_000; round++) {
    const side = random.pick(['BID', 'ASK'] as const);
    const mid = 10 ** random.integer(3, 9);
    const step = (side === 'BID' ? 1 : -1) * Math.ceil(mid / 10 ** random.integer(2, 5));
    const volumeMax = 10 ** random.integer(1, 13);
    const levels = Array.from({ length: random.integer(1, 5) }, (_, level) => ({
      price: mid + (level + 1) * step,
      volume: random.integer(1, volumeMax),
    }));
    const proposal: Proposal = {
      ...{ ...goodBid, side, postOnly: false },
      price: (mid + random.integer(0, 5) * step) as Ticks,
      volume: random.integer(1, Math.ceil(volumeMax / 10 ** random.integer(0, 2))) as Lots,
    };
    const facts = openFacts();
    const pair = facts.pairs.get('XBTZAR');
    if (pair === undefined) throw new Error('the facts have the pair');
    pair.book = bookOf(levels);
    pair.mid2 = 2 * mid;
    const input = checkInputOf(proposal, facts, limits);
    const refusals: string[] = [];
    checkDepth(input, (code, observed) => refusals.push(`${code} ${observed}`));
    const expected = expectedRefusals(levels, input);
    expect(refusals).toEqual(expected);
    if (expected.length > 0) refused++;
    if (proposal.price * proposal.volume > Number.MAX_SAFE_INTEGER) huge++;
  }
  expect(refused).toBeGreaterThan(400);
  expect(4_000 - refused).toBeGreaterThan(400);
  expect(huge).toBeGreaterThan(200);
});
