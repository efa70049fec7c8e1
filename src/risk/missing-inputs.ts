/**
 * What is still missing before a strategy's orders can be judged: without it the gate would refuse
 * each of them, for no reason that lies with the strategy.
 */
import { tradeAgeMsMax } from './checks/price-collar-check.ts';
import type { GateFacts } from './gate-facts.ts';

/** Returns what is missing for orders on `pairs`, in words; nothing if they can be judged. */
export function missingInputs(pairs: readonly string[], facts: GateFacts): readonly string[] {
  const { health, exposure } = facts;
  const missing: string[] = [];
  if (!health.reconciled) missing.push('the comparison with the exchange');
  if (health.clockSkewMs === undefined) missing.push("the exchange's clock");
  const currencies = new Set<string>();
  for (const name of pairs) {
    const pair = facts.pairs.get(name);
    if (pair?.bookUsable !== true) missing.push(`the book of ${name}`);
    else if (pair.mid2 === undefined) missing.push(`a bid and an ask on ${name}`);
    const tradeAgeMs = pair?.tradeMedianAgeMs;
    if (tradeAgeMs === undefined || tradeAgeMs > tradeAgeMsMax)
      missing.push(`a trade on ${name} within the last minute`);
    if (pair !== undefined) currencies.add(pair.market.base).add(pair.market.counter);
  }
  for (const currency of currencies)
    if (exposure.free(currency) === undefined) missing.push(`the balance of ${currency}`);
  return missing;
}
