/**
 * Refuses orders after losses. The loss of this UTC day's trades and the drawdown from the highest
 * profit must be below their limits, and the strategy must not be in its cool-down after too many
 * losing trades in a row.
 *
 * An order that only reduces the strategy's position passes, because it ends a loss.
 */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import type { Check } from '../check.ts';
import { onlyReduces } from '../only-reduces.ts';

export const checkLosses: Check = (input, refuse) => {
  const { proposal, facts, context, pair, passed } = input;
  const { counter, max, mid2Of } = context;
  const { exposure, nowMs } = facts;
  const loss = pair && exposure.days.lossOf(counter.currency, nowMs, mid2Of);
  const drawdown = pair && exposure.trades.drawdown(counter.currency, mid2Of);
  const untilMs = exposure.trades.coolUntilMs(proposal.strategyId, proposal.pair);
  const isLossLow = isBelow(loss, max.lossDay);
  const isDrawdownLow = isBelow(drawdown, max.drawdown);
  const isCooling = nowMs < untilMs;
  if (isLossLow && isDrawdownLow && !isCooling && passed === undefined) return;
  // An exit passes all three, whatever its values.
  const fail = onlyReduces(input) ? passed : refuse;
  const tellLoss = isLossLow ? passed : fail;
  tellLoss?.('LOSS_DAY', text(loss), text(max.lossDay), counter.currency);
  const tellDrawdown = isDrawdownLow ? passed : fail;
  tellDrawdown?.('DRAWDOWN', text(drawdown), text(max.drawdown), counter.currency);
  const tellCooling = isCooling ? fail : passed;
  const leftMs = isCooling ? untilMs - nowMs : 0;
  tellCooling?.('COOL_DOWN', String(leftMs), '0', 'ms after losing trades in a row');
};

/** A loss equal to the limit refuses too: the next fill could exceed it. */
function isBelow(loss: Amount | undefined, limit: Amount | undefined): boolean {
  return loss !== undefined && limit !== undefined && loss < limit;
}

function text(amount: Amount | undefined): string {
  return amount === undefined ? 'missing' : formatAmount(amount);
}
