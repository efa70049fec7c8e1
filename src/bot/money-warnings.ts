/** What a bot says of its money: fees that leave no profit, budgets without funds. */
import { bps, feeSenseLine } from '../audit/break-even.ts';
import { formatAmount } from '../domain/amount.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import { baseOf, counterOf } from '../execution/fills/positions.ts';
import type { Output } from '../terminal/output.ts';
import type { Bot } from './bot.ts';
import type { BotOptions } from './bot-options.ts';
import { feeSenseNow } from './run-report.ts';
import { budgetsBeyond, budgetText } from './start/budget-check.ts';

/** What each strategy must reach to earn, and whether it means to, if its plugin says so. */
export function feeLinesAtStart(bot: Bot, plugins: BotOptions['plugins']): readonly string[] {
  return feeSenseNow(bot).flatMap((sense) => {
    const meant = plugins.get(sense.strategy)?.quoting?.halfSpread;
    const line = feeSenseLine(sense);
    if (meant === undefined || sense.breakEvenHalfSpread === null) return [line];
    const share = formatDecimal(new Decimal(meant));
    const loses = !new Decimal(meant).greaterThan(sense.breakEvenHalfSpread);
    const warning = `! ${sense.strategy} means to quote ${bps(share)} from the mid of ${sense.pair}: it CANNOT EARN at these fees`;
    return loses ? [line, warning] : [line];
  });
}

/** Returns what warns once of each strategy whose quotes lose at the account's fees. */
export function feeWarner(bot: Bot, output: Output): () => void {
  const told = new Set<string>();
  return () => {
    for (const sense of feeSenseNow(bot)) {
      const name = `${sense.strategy} ${sense.pair}`;
      if (sense.canEarn !== false || told.has(name)) continue;
      told.add(name);
      output.line(`! ${feeSenseLine(sense)}`);
    }
  };
}

/** Returns what warns once of budgets above what the account had without the bot's fills. */
export function fundsWarner(bot: Bot, output: Output): () => void {
  let isDone = false;
  return () => {
    if (isDone || !bot.engine.reconciler.isBalanced) return;
    isDone = true;
    for (const beyond of budgetsBeyond(bot.settings.strategies, fundsOf(bot)))
      output.line(
        `! strategies.${beyond.strategy}.budget.${beyond.currency}: ${budgetText(beyond)}`,
      );
  };
}

/**
 * Returns what the account has of a currency, less what the bot's own fills brought it; without
 * bound where no ledger is known.
 */
function fundsOf({ engine, store }: Bot): (currency: string) => Decimal {
  const funds = new Map(
    store.reports.ledgerLatest().map(({ currency, balance }) => [currency, new Decimal(balance)]),
  );
  const take = (currency: string, amount: Decimal): void => {
    const known = funds.get(currency);
    if (known !== undefined) funds.set(currency, known.minus(amount));
  };
  for (const { pair, holding } of engine.fills.positions.entries()) {
    const market = engine.markets.get(pair)?.market;
    if (market === undefined) continue;
    take(market.base, decimalOf(formatAmount(baseOf(holding))));
    take(market.counter, decimalOf(formatAmount(counterOf(holding))));
  }
  return (currency) => funds.get(currency) ?? new Decimal(Number.POSITIVE_INFINITY);
}
