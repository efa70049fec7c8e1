/**
 * Refuses orders after losses. The loss of this UTC day's trades and the drawdown from the highest
 * profit must be below their limits, and the strategy must not be in its cool-down after too many
 * losing trades in a row.
 *
 * An order that only reduces the strategy's position passes, because it ends a loss.
 */
import { amountText, type Check, type CheckInput, type Refuse } from '../check.ts';
import { onlyReduces } from '../only-reduces.ts';

export const checkLosses: Check = (input, refuse) => {
  if (isSurelyWithin(input) || onlyReduces(input)) return;
  refuseLosses(input, refuse);
};

/** Returns whether the bounds in whole units prove that every value is below its limit. */
function isSurelyWithin({ proposal, facts, context, pair }: CheckInput): boolean {
  const { exposure, nowMs } = facts;
  const counter = pair?.market.counter;
  if (counter === undefined) return false;
  const { mid2Of, lossDayMax, drawdownMax } = context;
  return (
    exposure.days.twiceLossUnits(counter, nowMs, mid2Of) < 2 * lossDayMax &&
    exposure.trades.twiceDrawdownAbove(counter, mid2Of) < 2 * drawdownMax &&
    nowMs >= exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair)
  );
}

function refuseLosses(
  { proposal, facts, limits, context, pair }: CheckInput,
  refuse: Refuse,
): void {
  const { exposure, nowMs } = facts;
  const { mid2Of } = context;
  const counter = pair?.market.counter;
  const name = counter ?? 'counter';
  const lossMax = limits.lossDayMax.get(name);
  const loss = counter === undefined ? undefined : exposure.lossDay(counter, nowMs, mid2Of);
  // A loss equal to the limit refuses too: the next fill could exceed it.
  if (loss === undefined || lossMax === undefined || loss >= lossMax)
    refuse('LOSS_DAY', amountText(loss), amountText(lossMax), name);
  const drawdownMax = limits.drawdownMax.get(name);
  const drawdown = counter === undefined ? undefined : exposure.trades.drawdown(counter, mid2Of);
  if (drawdown === undefined || drawdownMax === undefined || drawdown >= drawdownMax)
    refuse('DRAWDOWN', amountText(drawdown), amountText(drawdownMax), name);
  const untilMs = exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair);
  if (nowMs < untilMs)
    refuse('COOL_DOWN', String(untilMs - nowMs), '0', 'ms after losing trades in a row');
}
