/**
 * The account can pay: what is free after all our orders and fills that the exchange may not have
 * counted covers the order and a buffer for its fee.
 */
import { type Check, refuseAbove } from '../check.ts';

/**
 * The order's amount is divided by this for the fee buffer: one per cent, above any published
 * fee.
 */
const feeBufferPart = 100n;

export const checkFunds: Check = ({ proposal, facts, pair, amounts }, refuse) => {
  const isBid = proposal.side === 'BID';
  const currency = isBid ? pair?.market.counter : pair?.market.base;
  const amount = isBid ? amounts?.value : amounts?.volume;
  refuseAbove(refuse, 'FUNDS', currency ?? 'unknown currency', {
    observed:
      amount === undefined ? undefined : amount + (amount + feeBufferPart - 1n) / feeBufferPart,
    limit: currency === undefined ? undefined : facts.exposure.free(currency),
  });
};
