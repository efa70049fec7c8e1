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
  const { proposal, facts, context, pair, passed } = input;
  const { exposure, nowMs } = facts;
  const untilMs = exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair);
  const isCooling = nowMs < untilMs;
  const counter = pair?.market.counter;
  let isLossLow = false;
  let isDrawdownLow = false;
  if (counter !== undefined) {
    // Bounds in whole units prove that a value is below its limit.
    const { mid2Of, lossDayMax, drawdownMax } = context;
    isLossLow = exposure.days.twiceLossUnits(counter, nowMs, mid2Of) < 2 * lossDayMax;
    isDrawdownLow = exposure.trades.twiceDrawdownAbove(counter, mid2Of) < 2 * drawdownMax;
  }
  const isWithin = isLossLow && isDrawdownLow && !isCooling;
  if (passed === undefined && (isWithin || onlyReduces(input))) return;
  // An exit passes all three, whatever its values.
  const fail = passed !== undefined && onlyReduces(input) ? passed : refuse;
  if (!isLossLow || passed !== undefined) tellLoss(input, fail);
  if (!isDrawdownLow || passed !== undefined) tellDrawdown(input, fail);
  const leftMs = isCooling ? untilMs - nowMs : 0;
  const tell = isCooling ? fail : passed;
  tell?.('COOL_DOWN', String(leftMs), '0', 'ms after losing trades in a row');
};

function tellLoss({ facts, limits, context, pair, passed }: CheckInput, fail: Refuse): void {
  const { exposure, nowMs } = facts;
  const counter = pair?.market.counter;
  const name = counter ?? 'counter';
  const max = limits.lossDayMax.get(name);
  const loss = counter === undefined ? undefined : exposure.lossDay(counter, nowMs, context.mid2Of);
  // A loss equal to the limit refuses too: the next fill could exceed it.
  const tell = loss === undefined || max === undefined || loss >= max ? fail : passed;
  tell?.('LOSS_DAY', amountText(loss), amountText(max), name);
}

function tellDrawdown({ facts, limits, context, pair, passed }: CheckInput, fail: Refuse): void {
  const counter = pair?.market.counter;
  const name = counter ?? 'counter';
  const max = limits.drawdownMax.get(name);
  const drawdown =
    counter === undefined ? undefined : facts.exposure.trades.drawdown(counter, context.mid2Of);
  const tell = drawdown === undefined || max === undefined || drawdown >= max ? fail : passed;
  tell?.('DRAWDOWN', amountText(drawdown), amountText(max), name);
}
