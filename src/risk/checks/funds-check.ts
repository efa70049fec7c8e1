/**
 * The account can pay: what is free after all our orders and fills that the exchange may not have
 * counted covers the order and a buffer for its fee.
 */
import { powerOfTen } from '../../domain/amount.ts';
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkFunds: Check = (question, refuse) => {
  const { proposal, facts, limits, pair } = question;
  const isBid = proposal.side === 'BID';
  const currency = isBid ? pair?.market.counter : pair?.market.base;
  const { feeBuffer } = limits;
  if (currency !== undefined) {
    const units = isBid ? question.valueUnits : question.volumeUnits;
    const buffer = units * (feeBuffer.millionths + 1);
    const needed = units + Math.ceil(buffer / 1_000_000);
    if (Number.isSafeInteger(buffer) && needed <= facts.exposure.freeUnits(currency)) return;
  }
  const amounts = amountsOf(question);
  const amount = isBid ? amounts?.value : amounts?.volume;
  const one = powerOfTen(18);
  refuseAbove(refuse, 'FUNDS', currency ?? 'unknown currency', {
    observed:
      amount === undefined || feeBuffer.atoms === undefined
        ? undefined
        : amount + (amount * feeBuffer.atoms + one - 1n) / one,
    limit: currency === undefined ? undefined : facts.exposure.free(currency),
  });
};
