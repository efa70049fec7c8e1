/**
 * The settings allow the strategy this pair, side, order type, time in force, post-only choice and
 * pair of accounts.
 */
import type { StrategyPermissions } from '../../domain/bot-settings.ts';
import { orderTypeOf } from '../../domain/limit-order.ts';
import type { Check, Refuse } from '../check.ts';

export const checkPermission: Check = ({ proposal, strategy, context, pair, passed }, refuse) => {
  const code = 'NOT_PERMITTED';
  if (strategy === undefined) {
    refuse(code, proposal.strategyId, 'a strategy of this bot', 'strategy');
    return;
  }
  const { allow, pairs } = strategy;
  const { pair: name, side, timeInForce, postOnly } = proposal;
  const tellBy = (isAllowed: boolean): Refuse | undefined => (isAllowed ? passed : refuse);
  tellBy(pairs.has(name))?.(code, name, listOf([...pairs]), 'pair');
  tellBy(allow.sides.includes(side))?.(code, side, listOf(allow.sides), 'side');
  const type = orderTypeOf(proposal);
  tellBy(allow.types.includes(type))?.(code, type, listOf(allow.types), 'type');
  const { timeInForce: times } = allow;
  tellBy(times.includes(timeInForce))?.(code, timeInForce, listOf(times), 'timeInForce');
  const isAllowed = isPostOnlyAllowed(allow.postOnly, postOnly);
  tellBy(isAllowed)?.(code, String(postOnly), allow.postOnly, 'postOnly');

  const tellAccount = (id: string, expected: string | undefined, of: string | undefined): void => {
    const tell = tellBy(id === expected);
    tell?.(code, id, expected ?? 'missing', `${of ?? 'unknown currency'} account`);
  };
  tellAccount(proposal.baseAccountId, context.baseAccountId, pair?.market.base);
  tellAccount(proposal.counterAccountId, context.counterAccountId, pair?.market.counter);
};

function isPostOnlyAllowed(allowed: StrategyPermissions['postOnly'], postOnly: boolean): boolean {
  return allowed === 'allowed' || allowed === (postOnly ? 'required' : 'never');
}

function listOf(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'none' : allowed.join(', ');
}
