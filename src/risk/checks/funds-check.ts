/**
 * The account can pay for the order and a buffer for its fee. Orders and fills of ours that the
 * exchange may not have counted yet are deducted from the balance.
 */
import { powerOfTen } from '../../domain/amount.ts';
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkFunds: Check = (input, refuse) => {
  const { proposal, facts, limits, pair } = input;
  const isBid = proposal.side === 'BID';
  const currency = isBid ? pair?.market.counter : pair?.market.base;
  const { feeBuffer } = limits;
  if (currency !== undefined) {
    const units = isBid ? input.valueUnits : input.volumeUnits;
    const buffer = units * (feeBuffer.millionths + 1);
    const needed = units + Math.ceil(buffer / 1_000_000);
    if (Number.isSafeInteger(buffer) && needed <= facts.exposure.freeUnits(currency)) return;
  }
  const amounts = amountsOf(input);
  const amount = isBid ? amounts?.value : amounts?.volume;
  const one = powerOfTen(18);
  refuseAbove(refuse, 'FUNDS', currency ?? 'unknown currency', {
    observed:
      amount === undefined || feeBuffer.scaled === undefined
        ? undefined
        : amount + (amount * feeBuffer.scaled + one - 1n) / one,
    limit: currency === undefined ? undefined : facts.exposure.free(currency),
  });
};
