/**
 * Whether an order only reduces its strategy's position on the pair: also if every other order of
 * the strategy on the same side fills first, those with an unknown outcome included. Such an order
 * is an exit: it passes the checks of losses, and the state REDUCING.
 */
import type { Side } from '../domain/market.ts';
import { amountsOf, type Question } from './check.ts';
import type { Exposure } from './exposure.ts';
import type { WorstPosition } from './exposure-line.ts';

/** An order that counts in the exposure already. */
type Held = { readonly strategyId: string; readonly pair: string; readonly side: Side };

/**
 * Returns the position in atoms if the order and all others of its side fill; undefined if that is
 * not known.
 */
export function positionAfter(question: Question): bigint | undefined {
  const { proposal, facts } = question;
  const { strategyId, pair, side } = proposal;
  const amounts = amountsOf(question);
  if (amounts === undefined) return undefined;
  const { volume } = amounts;
  const reached = reachedOf(side, facts.exposure.position(strategyId, pair));
  return side === 'BID' ? reached + volume : reached - volume;
}

/** Whether a position, after every order of `side` has filled, has not passed zero. */
export function isWithinZero(side: Side, after: bigint): boolean {
  return side === 'BID' ? after <= 0n : after >= 0n;
}

/** Returns whether an order that is not held yet only reduces the position. */
export function onlyReduces(question: Question): boolean {
  const after = positionAfter(question);
  return after !== undefined && isWithinZero(question.proposal.side, after);
}

/** Returns the same of an order that is held, together with all others of its side. */
export function onlyReducesHeld({ strategyId, pair, side }: Held, exposure: Exposure): boolean {
  return isWithinZero(side, reachedOf(side, exposure.position(strategyId, pair)));
}

function reachedOf(side: Side, { highest, lowest }: WorstPosition): bigint {
  return side === 'BID' ? highest : lowest;
}
