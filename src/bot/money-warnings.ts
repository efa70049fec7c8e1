/** A bot's warnings about money: fees that leave no profit, budgets above the funds. */
import { bps, breakEvenLine } from '../audit/break-even.ts';
import { formatAmount } from '../domain/amount.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import { baseOf, counterOf } from '../execution/fills/positions.ts';
import type { Output } from '../terminal/output.ts';
import type { Bot } from './bot.ts';
import type { BotOptions } from './bot-options.ts';
import { breakEvenFiguresNow } from './run-report.ts';
import { budgetText, excessiveBudgets } from './start/budget-check.ts';

/**
 * Returns for each strategy the half spread at which it breaks even, and a warning unless its
 * plugin declares a larger one.
 */
export function feeLinesAtStart(bot: Bot, plugins: BotOptions['plugins']): readonly string[] {
  return breakEvenFiguresNow(bot).flatMap((figures) => {
    const declared = plugins.get(figures.strategy)?.quoting?.halfSpread;
    const line = breakEvenLine(figures);
    if (declared === undefined || figures.breakEvenHalfSpread === null) return [line];
    const share = formatDecimal(new Decimal(declared));
    const loses = !new Decimal(declared).greaterThan(figures.breakEvenHalfSpread);
    const warning = `! ${figures.strategy} declares a half spread of ${bps(share)} on ${figures.pair}: it CANNOT MAKE A PROFIT at these fees`;
    return loses ? [line, warning] : [line];
  });
}

/** Returns a function that warns once of each strategy whose quotes lose money at current fees. */
export function feeWarner(bot: Bot, output: Output): () => void {
  const warned = new Set<string>();
  return () => {
    for (const figures of breakEvenFiguresNow(bot)) {
      const name = `${figures.strategy} ${figures.pair}`;
      if (figures.canEarn !== false || warned.has(name)) continue;
      warned.add(name);
      output.line(`! ${breakEvenLine(figures)}`);
    }
  };
}

/** Returns a function that warns once of budgets above the account's funds before our fills. */
export function fundsWarner(bot: Bot, output: Output): () => void {
  let isDone = false;
  return () => {
    if (isDone || !bot.engine.reconciler.isBalanced) return;
    isDone = true;
    for (const excess of excessiveBudgets(bot.settings.strategies, fundsOf(bot)))
      output.line(
        `! strategies.${excess.strategy}.budget.${excess.currency}: ${budgetText(excess)}`,
      );
  };
}

/**
 * Returns the account's funds in a currency minus the amount that the bot's own fills added;
 * infinite if no ledger row of the currency is known.
 */
function fundsOf({ engine, store }: Bot): (currency: string) => Decimal {
  const funds = new Map(
    store.reports.ledgerLatest().map(({ currency, balance }) => [currency, new Decimal(balance)]),
  );
  const subtract = (currency: string, amount: Decimal): void => {
    const known = funds.get(currency);
    if (known !== undefined) funds.set(currency, known.minus(amount));
  };
  for (const { pair, holding } of engine.fills.positions.entries()) {
    const market = engine.markets.get(pair)?.market;
    if (market === undefined) continue;
    subtract(market.base, decimalOf(formatAmount(baseOf(holding))));
    subtract(market.counter, decimalOf(formatAmount(counterOf(holding))));
  }
  return (currency) => funds.get(currency) ?? new Decimal(Number.POSITIVE_INFINITY);
}
