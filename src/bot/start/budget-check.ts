/**
 * Finds budgets larger than the account's balance: the gate would refuse some orders.
 *
 * Not in the base currency of a traded pair. There the budget is also the largest position that the
 * strategy may buy, so an account without that currency needs it, and a lower one would forbid
 * purchases.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { Decimal, formatDecimal } from '../../domain/money.ts';
import { currenciesOf } from '../../settings/pair-currencies.ts';

/** Decimals of a suggested budget. */
const budgetDecimals = 8;

export type ExcessiveBudget = {
  readonly strategy: string;
  readonly currency: string;
  readonly budget: string;
  readonly total: string;
  readonly balance: string;
  /** The strategy's share of the balance: with these, the budgets fit. Undefined without funds. */
  readonly fitting: string | undefined;
};

/** Returns the budgets in each currency whose budgets together exceed the balance. */
export function excessiveBudgets(
  strategies: readonly Pick<StrategySettings, 'id' | 'pairs' | 'budget'>[],
  balanceOf: (currency: string) => Decimal,
): readonly ExcessiveBudget[] {
  const totals = new Map<string, Decimal>();
  for (const { budget } of strategies)
    for (const [currency, amount] of Object.entries(budget))
      totals.set(currency, (totals.get(currency) ?? new Decimal(0)).plus(amount));
  const bases = new Set(
    strategies.flatMap(({ pairs, budget }) =>
      pairs.flatMap((pair) => currenciesOf(pair, new Map(Object.entries(budget)))?.base ?? []),
    ),
  );
  return strategies.flatMap(({ id, budget }) =>
    Object.entries(budget).flatMap(([currency, amount]) => {
      const total = totals.get(currency) ?? new Decimal(amount);
      const balance = balanceOf(currency);
      if (bases.has(currency) || new Decimal(amount).isZero()) return [];
      if (total.lessThanOrEqualTo(balance)) return [];
      const share = balance
        .times(amount)
        .div(total)
        .toDecimalPlaces(budgetDecimals, Decimal.ROUND_DOWN);
      return {
        strategy: id,
        currency,
        budget: amount,
        total: formatDecimal(total),
        balance: formatDecimal(balance),
        fitting: share.greaterThan(0) ? formatDecimal(share) : undefined,
      };
    }),
  );
}

/** Describes an excessive budget; the text follows the budget's name. */
export function budgetText({ currency, budget, total, balance }: ExcessiveBudget): string {
  const all = total === budget ? '' : `, ${total} with the other strategies`;
  return `was "${budget}" ${currency}${all}, but the account has ${balance}: orders beyond that are refused`;
}
