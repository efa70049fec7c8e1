/**
 * The strategy may do this: this pair, side, time in force and way of resting, from these
 * accounts.
 */
import type { StrategyPermissions } from '../../domain/bot-settings.ts';
import type { Check, Question, Refuse } from '../check.ts';

export const checkPermission: Check = (question, refuse) => {
  const { proposal, strategy, route } = question;
  if (
    strategy !== undefined &&
    route.isPairAllowed &&
    strategy.allow.sides.includes(proposal.side) &&
    strategy.allow.timeInForce.includes(proposal.timeInForce) &&
    isRestAllowed(strategy.allow.postOnly, proposal.postOnly) &&
    proposal.baseAccountId === route.baseAccountId &&
    proposal.counterAccountId === route.counterAccountId
  )
    return;
  refuseEach(question, refuse);
};

function refuseEach({ proposal, strategy, limits, pair }: Question, refuse: Refuse): void {
  const code = 'NOT_PERMITTED';
  if (strategy === undefined) {
    refuse(code, proposal.strategyId, 'a strategy of this bot', 'strategy');
    return;
  }
  const { allow } = strategy;
  if (!strategy.pairs.has(proposal.pair)) {
    refuse(code, proposal.pair, listOf([...strategy.pairs]), 'pair');
  }
  if (!allow.sides.includes(proposal.side)) {
    refuse(code, proposal.side, listOf(allow.sides), 'side');
  }
  // Every order is a limit order here: a market order is not a kind of intent.
  if (!allow.types.includes('limit')) refuse(code, 'limit', listOf(allow.types), 'type');
  if (!allow.timeInForce.includes(proposal.timeInForce)) {
    refuse(code, proposal.timeInForce, listOf(allow.timeInForce), 'timeInForce');
  }
  if (!isRestAllowed(allow.postOnly, proposal.postOnly))
    refuse(code, String(proposal.postOnly), allow.postOnly, 'postOnly');

  const accounts = [
    [proposal.baseAccountId, pair?.market.base],
    [proposal.counterAccountId, pair?.market.counter],
  ] as const;
  for (const [accountId, currency] of accounts) {
    const expected = currency === undefined ? undefined : limits.accounts.get(currency);
    if (expected !== undefined && accountId === expected) continue;
    refuse(code, accountId, expected ?? 'missing', `${currency ?? 'unknown currency'} account`);
  }
}

function isRestAllowed(allowed: StrategyPermissions['postOnly'], postOnly: boolean): boolean {
  return allowed === 'allowed' || allowed === (postOnly ? 'required' : 'never');
}

function listOf(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'none' : allowed.join(', ');
}
