/**
 * Decides whether an order only reduces its strategy's position on the pair, even if every other
 * order of the strategy on the same side fills first, orders with an unknown outcome included. Such
 * an order is an exit: it passes the loss limits and the state REDUCING.
 */
import type { Side } from '../domain/market.ts';
import type { CheckInput } from './check.ts';
import type { Exposure } from './exposure.ts';
import type { WorstPosition } from './strategy-exposure.ts';

/** An order that already counts in the exposure. */
type Held = { readonly strategyId: string; readonly pair: string; readonly side: Side };

/**
 * Returns the position if the order and all others of its side fill; undefined if it is not known.
 */
export function positionAfter(input: CheckInput): bigint | undefined {
  const { proposal, facts, context } = input;
  const { strategyId, pair, side } = proposal;
  if (input.volume === undefined) return undefined;
  const volume = context.base.amount(input.volume);
  const extreme = extremeOf(side, facts.exposure.position(strategyId, pair));
  return side === 'BID' ? extreme + volume : extreme - volume;
}

/** Returns whether the orders of `side` have not taken the position `after` past zero. */
export function isWithinZero(side: Side, after: bigint): boolean {
  return side === 'BID' ? after <= 0n : after >= 0n;
}

/** Returns whether an order that does not count in the exposure yet only reduces the position. */
export function onlyReduces(input: CheckInput): boolean {
  const after = positionAfter(input);
  return after !== undefined && isWithinZero(input.proposal.side, after);
}

/** Returns whether a held order, with all others of its side, only reduces the position. */
export function onlyReducesHeld({ strategyId, pair, side }: Held, exposure: Exposure): boolean {
  return isWithinZero(side, extremeOf(side, exposure.position(strategyId, pair)));
}

function extremeOf(side: Side, { highest, lowest }: WorstPosition): bigint {
  return side === 'BID' ? highest : lowest;
}
