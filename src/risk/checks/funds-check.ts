/**
 * The account can pay for the order, and for a bid also a fee beside its value. What our orders and
 * fills use, and the exchange may not have counted yet, is deducted from the balance.
 */
import { type Check, refuseAbove } from '../check.ts';
import { withFeeBuffer } from '../fee-buffer.ts';

export const checkFunds: Check = (input, refuse) => {
  const { proposal, facts, limits, context, pair, volume, value, passed } = input;
  const { counter, base } = context;
  const { units, funds } = facts.exposure;
  const isBid = proposal.side === 'BID';
  const ofPair = isBid ? counter : base;
  const unit = pair === undefined ? units.of('unknown currency') : ofPair;
  const ofBid = value === undefined ? undefined : withFeeBuffer(counter, value, limits.feeBuffer);
  const observed = isBid ? ofBid : volume;
  refuseAbove(refuse, 'FUNDS', unit, { passed, observed, limit: funds.free(unit.currency) });
};
