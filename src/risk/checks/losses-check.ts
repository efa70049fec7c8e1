/**
 * Trading does not go on losing: the trades of this UTC day have not lost what a day may lose,
 * profit has not fallen further from its highest point than it may, and the strategy does not rest
 * on the pair after losing too often in a row.
 */
import { amountText, type Check } from '../check.ts';

export const checkLosses: Check = ({ proposal, facts, limits, route, pair }, refuse) => {
  const { exposure, nowMs } = facts;
  const { mid2Of } = route;
  const counter = pair?.market.counter;
  const name = counter ?? 'counter';
  const twiceLoss =
    counter === undefined ? Number.NaN : exposure.days.twiceLossUnits(counter, nowMs, mid2Of);
  // At the limit is too late: the next fill could only go beyond it.
  if (!(twiceLoss < 2 * route.lossDayMax)) {
    const limit = limits.lossDayMax.get(name);
    const loss = counter === undefined ? undefined : exposure.lossDay(counter, nowMs, mid2Of);
    if (loss === undefined || limit === undefined || loss >= limit)
      refuse('LOSS_DAY', amountText(loss), amountText(limit), name);
  }
  const twiceDrawdown =
    counter === undefined ? Number.NaN : exposure.trades.twiceDrawdownAbove(counter, mid2Of);
  if (!(twiceDrawdown < 2 * route.drawdownMax)) {
    const limit = limits.drawdownMax.get(name);
    const drawdown = counter === undefined ? undefined : exposure.trades.drawdown(counter, mid2Of);
    if (drawdown === undefined || limit === undefined || drawdown >= limit)
      refuse('DRAWDOWN', amountText(drawdown), amountText(limit), name);
  }
  const untilMs = exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair);
  if (nowMs >= untilMs) return;
  refuse('COOL_DOWN', String(untilMs - nowMs), '0', 'ms after losing trades in a row');
};
