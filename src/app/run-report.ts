/** The figures of one run, and how a person reads them. */
import { Decimal, formatDecimal } from '../domain/money.ts';
import { baseOf, profitOf } from '../execution/positions.ts';
import type { Audit } from './audit.ts';
import type { Bot } from './bot.ts';
import { differenceLine } from './difference.ts';

export type RunReport = {
  readonly mode: string;
  readonly seconds: number;
  /** From process start to the first order that the exchange accepted; null if there was none. */
  readonly firstQuoteMs: number | null;
  readonly ordersAccepted: number;
  readonly fills: number;
  readonly fillsAtExchange: number;
  readonly positionDifference: string;
  readonly balanceDifference: string;
  /** Fills and balances that are not equal on both sides. */
  readonly differences: number;
  readonly openOrdersAtExit: number;
  readonly incidents: number;
  readonly positions: readonly StrategyFigures[];
  readonly journal: string;
};

export type StrategyFigures = {
  readonly strategy: string;
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  /** Base currency that the fills gained, after fees. */
  readonly position: string;
  /** In the counter currency, the position valued at the mid; null while there is no mid. */
  readonly profit: string | null;
  readonly fees: string | null;
  readonly fills: number;
};

/** Returns position, profit and fees of every strategy and pair that ever had a fill. */
export function figuresOf(bot: Bot): readonly StrategyFigures[] {
  return bot.engine.fills.positions.entries().map(({ strategyId, pair, holding }) => {
    const market = bot.engine.markets.get(pair);
    const top = market?.top;
    const mid =
      market === undefined || top?.bid === undefined || top.ask === undefined
        ? undefined
        : new Decimal(top.bid)
            .plus(top.ask)
            .div(2)
            .div(new Decimal(10).pow(market.market.priceScale));
    const value = mid === undefined ? undefined : profitOf(holding, mid);
    return {
      strategy: strategyId,
      pair,
      base: market?.market.base ?? '',
      counter: market?.market.counter ?? '',
      position: formatDecimal(baseOf(holding)),
      profit: value === undefined ? null : value.profit.toFixed(2),
      fees: value === undefined ? null : value.fees.toFixed(2),
      fills: holding.fills,
    };
  });
}

/** One line per strategy for people. */
export function figureLines(figures: readonly StrategyFigures[]): readonly string[] {
  return figures.map((one) => {
    const profit = `profit ${one.profit ?? '?'} ${one.counter} after fees of ${one.fees ?? '?'}`;
    return `${one.strategy}: position ${one.position} ${one.base}, ${profit}, ${one.fills} fills`;
  });
}

/** The summary that ends a run. */
export function reportLines(report: RunReport, audit: Audit): readonly string[] {
  return [
    '',
    `ran ${report.seconds} s in mode ${report.mode}; first quote after ${report.firstQuoteMs ?? '-'} ms`,
    `orders accepted      ${report.ordersAccepted}`,
    `fills                ${report.fills} here, ${report.fillsAtExchange} at the exchange`,
    `position difference  ${report.positionDifference}`,
    `balance difference   ${report.balanceDifference}`,
    ...audit.balances.map(
      (one) =>
        `  ${one.currency.padEnd(5)} ${one.exchange} at the exchange, ${one.expected} expected`,
    ),
    ...audit.differences.map((one) => `  ! ${differenceLine(one)}`),
    `open orders          ${report.openOrdersAtExit}`,
    `incidents            ${report.incidents}`,
    ...figureLines(report.positions),
    `journal              ${report.journal}`,
    'look closer: npm run --silent millrace -- status | replay',
  ];
}
