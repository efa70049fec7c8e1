/**
 * The account can pay for the order, and for a bid also a fee beside its value. What our orders and
 * fills use, and the exchange may not have counted yet, is deducted from the balance.
 */
import { amountsOf, type Check, refuseAbove } from '../check.ts';
import { unitsWithFeeBuffer, withFeeBuffer } from '../fee-buffer.ts';

export const checkFunds: Check = (input, refuse) => {
  const { proposal, facts, limits, pair, passed } = input;
  const isBid = proposal.side === 'BID';
  const currency = isBid ? pair?.market.counter : pair?.market.base;
  const { feeBuffer } = limits;
  if (currency !== undefined && passed === undefined) {
    const needed = isBid ? unitsWithFeeBuffer(input.valueUnits, feeBuffer) : input.volumeUnits;
    if (needed <= facts.exposure.freeUnits(currency)) return;
  }
  const amounts = amountsOf(input);
  const ofBid = amounts && withFeeBuffer(amounts.value, feeBuffer);
  refuseAbove(refuse, 'FUNDS', currency ?? 'unknown currency', {
    passed,
    observed: isBid ? ofBid : amounts?.volume,
    limit: currency === undefined ? undefined : facts.exposure.free(currency),
  });
};
