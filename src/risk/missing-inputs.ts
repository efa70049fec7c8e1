/**
 * The inputs that the gate still lacks before it can judge a strategy's orders. Until they are
 * there, it would refuse every order, whatever the strategy does.
 */
import { durationText } from '../domain/unit-text.ts';
import { isRecent } from './checks/price-collar-check.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';

/** Returns whether nothing is missing. As {@link missingInputs}, without making texts. */
export function hasAllInputs(pairs: readonly string[], facts: GateFacts): boolean {
  const { health, exposure } = facts;
  if (!health.reconciled || health.clockSkewMs === undefined) return false;
  for (const name of pairs) {
    const pair = facts.pairs.get(name);
    if (pair?.bookUsable !== true || pair.mid2 === undefined) return false;
    if (lacksTrade(pair, facts)) return false;
    const { base, counter } = pair.market;
    if (exposure.free(base) === undefined || exposure.free(counter) === undefined) return false;
  }
  return true;
}

/** Returns the missing inputs for orders on `pairs`, as text; empty if orders can be judged. */
export function missingInputs(pairs: readonly string[], facts: GateFacts): readonly string[] {
  const { health, exposure } = facts;
  const missing: string[] = [];
  if (!health.reconciled) missing.push('reconciliation with the exchange');
  if (health.clockSkewMs === undefined) missing.push("the difference to the exchange's clock");
  const currencies = new Set<string>();
  for (const name of pairs) {
    const pair = facts.pairs.get(name);
    if (pair?.bookUsable !== true) missing.push(`a usable order book of ${name}`);
    else if (pair.mid2 === undefined) missing.push(`a bid and an ask on ${name}`);
    const { tradeAgeMsMax } = facts.exchange.checks;
    if (tradeAgeMsMax !== 'never' && lacksTrade(pair, facts))
      missing.push(`a trade on ${name} within the last ${durationText(tradeAgeMsMax)}`);
    if (pair !== undefined) currencies.add(pair.market.base).add(pair.market.counter);
  }
  for (const currency of currencies)
    if (exposure.free(currency) === undefined) missing.push(`the balance of ${currency}`);
  return missing;
}

function lacksTrade(pair: PairFacts | undefined, { exchange }: GateFacts): boolean {
  return !isRecent(pair?.tradeMedianAgeMs, exchange.checks.tradeAgeMsMax);
}
