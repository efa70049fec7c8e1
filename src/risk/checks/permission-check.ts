/**
 * The settings allow the strategy this pair, side, order type, time in force, post-only choice and
 * pair of accounts.
 */
import type { StrategyPermissions } from '../../domain/bot-settings.ts';
import type { Check, CheckInput, Refuse } from '../check.ts';

export const checkPermission: Check = (input, refuse) => {
  const { proposal, strategy, context } = input;
  if (
    strategy !== undefined &&
    context.isPairAllowed &&
    strategy.allow.sides.includes(proposal.side) &&
    strategy.allow.timeInForce.includes(proposal.timeInForce) &&
    isPostOnlyAllowed(strategy.allow.postOnly, proposal.postOnly) &&
    proposal.baseAccountId === context.baseAccountId &&
    proposal.counterAccountId === context.counterAccountId
  )
    return;
  refuseEach(input, refuse);
};

function refuseEach({ proposal, strategy, limits, pair }: CheckInput, refuse: Refuse): void {
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
  // Every order is a limit order here: intents have no market orders.
  if (!allow.types.includes('limit')) refuse(code, 'limit', listOf(allow.types), 'type');
  if (!allow.timeInForce.includes(proposal.timeInForce)) {
    refuse(code, proposal.timeInForce, listOf(allow.timeInForce), 'timeInForce');
  }
  if (!isPostOnlyAllowed(allow.postOnly, proposal.postOnly))
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

function isPostOnlyAllowed(allowed: StrategyPermissions['postOnly'], postOnly: boolean): boolean {
  return allowed === 'allowed' || allowed === (postOnly ? 'required' : 'never');
}

function listOf(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'none' : allowed.join(', ');
}
