/**
 * Trading does not go on losing: the trades of this UTC day have not lost what a day may lose,
 * profit has not fallen further from its highest point than it may, and the strategy does not rest
 * on the pair after losing too often in a row.
 *
 * An order that only reduces the strategy's position passes: it ends a loss.
 */
import { amountText, type Check, type Question, type Refuse } from '../check.ts';
import { onlyReduces } from '../only-reduces.ts';

export const checkLosses: Check = (question, refuse) => {
  if (isSurelyWithin(question) || onlyReduces(question)) return;
  refuseLosses(question, refuse);
};

/** Whether bounds in whole units show that no limit is reached; at a limit is too late. */
function isSurelyWithin({ proposal, facts, route, pair }: Question): boolean {
  const { exposure, nowMs } = facts;
  const counter = pair?.market.counter;
  if (counter === undefined) return false;
  const { mid2Of, lossDayMax, drawdownMax } = route;
  return (
    exposure.days.twiceLossUnits(counter, nowMs, mid2Of) < 2 * lossDayMax &&
    exposure.trades.twiceDrawdownAbove(counter, mid2Of) < 2 * drawdownMax &&
    nowMs >= exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair)
  );
}

function refuseLosses({ proposal, facts, limits, route, pair }: Question, refuse: Refuse): void {
  const { exposure, nowMs } = facts;
  const { mid2Of } = route;
  const counter = pair?.market.counter;
  const name = counter ?? 'counter';
  const lossMax = limits.lossDayMax.get(name);
  const loss = counter === undefined ? undefined : exposure.lossDay(counter, nowMs, mid2Of);
  // At the limit is too late: the next fill could only go beyond it.
  if (loss === undefined || lossMax === undefined || loss >= lossMax)
    refuse('LOSS_DAY', amountText(loss), amountText(lossMax), name);
  const fallMax = limits.drawdownMax.get(name);
  const fall = counter === undefined ? undefined : exposure.trades.drawdown(counter, mid2Of);
  if (fall === undefined || fallMax === undefined || fall >= fallMax)
    refuse('DRAWDOWN', amountText(fall), amountText(fallMax), name);
  const untilMs = exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair);
  if (nowMs < untilMs)
    refuse('COOL_DOWN', String(untilMs - nowMs), '0', 'ms after losing trades in a row');
}
