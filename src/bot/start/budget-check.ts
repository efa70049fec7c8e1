/** Finds budgets larger than the account's balance: the exchange would refuse some orders. */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { Decimal, formatDecimal } from '../../domain/money.ts';

export type ExcessiveBudget = {
  readonly strategy: string;
  readonly currency: string;
  readonly budget: string;
  /** The sum of all strategies' budgets. */
  readonly total: string;
  readonly balance: string;
};

/** Returns the budgets in each currency whose budgets together exceed the balance. */
export function excessiveBudgets(
  strategies: readonly Pick<StrategySettings, 'id' | 'budget'>[],
  balanceOf: (currency: string) => Decimal,
): readonly ExcessiveBudget[] {
  const totals = new Map<string, Decimal>();
  for (const { budget } of strategies)
    for (const [currency, amount] of Object.entries(budget))
      totals.set(currency, (totals.get(currency) ?? new Decimal(0)).plus(amount));
  return strategies.flatMap(({ id, budget }) =>
    Object.entries(budget).flatMap(([currency, amount]) => {
      const total = totals.get(currency) ?? new Decimal(amount);
      const balance = balanceOf(currency);
      if (new Decimal(amount).isZero() || total.lessThanOrEqualTo(balance)) return [];
      return {
        strategy: id,
        currency,
        budget: amount,
        total: formatDecimal(total),
        balance: formatDecimal(balance),
      };
    }),
  );
}

/** Describes an excessive budget; the text follows the budget's name. */
export function budgetText({ currency, budget, total, balance }: ExcessiveBudget): string {
  const all = total === budget ? '' : `, ${total} with the other strategies`;
  return `was "${budget}" ${currency}${all}, but the account has ${balance}: orders beyond that are refused`;
}
