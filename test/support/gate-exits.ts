/** Random exits: orders that reduce a position, or exceed it by one lot. */
import type { Market } from '../../src/domain/market.ts';
import type { Lots } from '../../src/domain/money.ts';
import type { Proposal } from '../../src/risk/proposal.ts';
import type { Oracle } from './gate-oracle.ts';
import { amount, size } from './gate-oracle-amount.ts';
import { decimalText } from './gate-rules.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Draws the volume of an exit, usually if there is a position; else undefined. */
export function drawExit(
  random: SeededRandom,
  oracle: Oracle,
  { pair, volumeScale }: Market,
): Pick<Proposal, 'strategyId' | 'side' | 'volume'> | undefined {
  if (random.integer(1, 3) === 1) return undefined;
  const strategyId = random.pick(['a', 'b']);
  const [held] = oracle.gained(strategyId, pair);
  const side = held > 0n ? 'ASK' : 'BID';
  let left = size(held);
  for (const order of oracle.orders)
    if (!order.isOver && order.strategy === strategyId && order.pair === pair)
      left -= order.side === side ? order.left : 0n;
  const lots = Number(left / amount(decimalText(1, volumeScale)));
  if (lots < 1) return undefined;
  // Half of the position, all of it, or one lot more.
  const volume = random.pick([Math.ceil(lots / 2), lots, lots, lots + 1]);
  return { strategyId, side, volume: volume as Lots };
}
