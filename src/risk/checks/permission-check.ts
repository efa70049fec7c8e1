/**
 * The settings allow the strategy this pair, side, order type, time in force, post-only choice and
 * pair of accounts.
 */
import type { StrategyPermissions } from '../../domain/bot-settings.ts';
import type { Check, CheckInput, Refuse } from '../check.ts';

export const checkPermission: Check = (input, refuse) => {
  const { proposal, strategy, context, passed } = input;
  if (
    strategy !== undefined &&
    context.isPairAllowed &&
    strategy.allow.sides.includes(proposal.side) &&
    strategy.allow.timeInForce.includes(proposal.timeInForce) &&
    isPostOnlyAllowed(strategy.allow.postOnly, proposal.postOnly) &&
    proposal.baseAccountId === context.baseAccountId &&
    proposal.counterAccountId === context.counterAccountId &&
    passed === undefined
  )
    return;
  refuseEach(input, refuse);
};

function refuseEach(
  { proposal, strategy, limits, pair, passed }: CheckInput,
  refuse: Refuse,
): void {
  const code = 'NOT_PERMITTED';
  if (strategy === undefined) {
    refuse(code, proposal.strategyId, 'a strategy of this bot', 'strategy');
    return;
  }
  const { allow } = strategy;
  const tell = (isAllowed: boolean, ...values: [observed: string, limit: string, unit: string]) =>
    (isAllowed ? passed : refuse)?.(code, ...values);
  const { pair: name, side, timeInForce, postOnly } = proposal;
  tell(strategy.pairs.has(name), name, listOf([...strategy.pairs]), 'pair');
  tell(allow.sides.includes(side), side, listOf(allow.sides), 'side');
  // Every order is a limit order here: intents have no market orders.
  tell(allow.types.includes('limit'), 'limit', listOf(allow.types), 'type');
  const { timeInForce: times } = allow;
  tell(times.includes(timeInForce), timeInForce, listOf(times), 'timeInForce');
  const isAllowed = isPostOnlyAllowed(allow.postOnly, postOnly);
  tell(isAllowed, String(postOnly), allow.postOnly, 'postOnly');

  const accounts = [
    [proposal.baseAccountId, pair?.market.base],
    [proposal.counterAccountId, pair?.market.counter],
  ] as const;
  for (const [accountId, currency] of accounts) {
    const expected = currency === undefined ? undefined : limits.accounts.get(currency);
    const isExpected = expected !== undefined && accountId === expected;
    const unit = `${currency ?? 'unknown currency'} account`;
    tell(isExpected, accountId, expected ?? 'missing', unit);
  }
}

function isPostOnlyAllowed(allowed: StrategyPermissions['postOnly'], postOnly: boolean): boolean {
  return allowed === 'allowed' || allowed === (postOnly ? 'required' : 'never');
}

function listOf(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'none' : allowed.join(', ');
}
