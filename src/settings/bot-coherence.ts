/**
 * What must agree between the parts of a bot's file: a pair that a strategy trades needs its
 * limits, and its two currencies need a budget, account limits and an account, also one that is
 * only pretended. The gate would refuse every order without them; a file that can never trade is
 * better refused at start.
 */
import type { LimitsDraft, StrategiesDraft } from './bot-fields.ts';
import type { Reader } from './field.ts';
import type { KeyPath } from './settings-source.ts';

type Names = { has(name: string): boolean };

/** What the file says of accounts, by currency; nothing where it need not say it. */
export type NamedAccounts = {
  readonly accounts?: Names | undefined;
  readonly pretended?: Names | undefined;
};

/** Reports each limit, budget and account that a strategy's pairs need and the file lacks. */
export function checkCoherence(
  reader: Reader,
  strategies: StrategiesDraft | undefined,
  limits: LimitsDraft | undefined,
  { accounts, pretended }: NamedAccounts,
): void {
  const told = new Set<string>();
  const lacks = (path: KeyPath, name: string, why: string) => {
    const key = `${path.join('.')} ${name}`;
    if (told.has(key)) return;
    told.add(key);
    reader.report(path, { message: `lacks ${name}, and ${why}`, allowed: '' }, true);
  };

  for (const [id, strategy] of strategies ?? []) {
    for (const pair of strategy?.pairs ?? []) {
      const why = `strategies.${id} trades ${pair}`;
      if (limits?.pairs !== undefined && !limits.pairs.has(pair)) {
        lacks(['limits', 'pairs'], pair, why);
      }
      const budget = strategy?.budget;
      if (budget === undefined) continue;
      const currencies = currenciesOf(pair, budget);
      if (currencies === undefined) {
        lacks(['strategies', id, 'budget'], `a currency of ${pair}`, why);
        continue;
      }
      const { base, counter } = currencies;
      for (const name of ['openNotionalMax', 'turnoverDayMax', 'lossDayMax'] as const) {
        const limit = limits?.account?.[name];
        const path = ['limits', 'account', name];
        if (limit !== undefined && !limit.has(counter)) lacks(path, counter, why);
      }
      for (const currency of [base, counter]) {
        if (accounts !== undefined && !accounts.has(currency)) lacks(['accounts'], currency, why);
        if (pretended !== undefined && !pretended.has(currency))
          lacks(['paper', 'balances'], currency, why);
      }
    }
  }
}

/**
 * Returns the currencies of `pair`, which is written as base and counter in one word: the budget
 * says where the one ends. Undefined if it names neither.
 */
export function currenciesOf(
  pair: string,
  named: Names,
): { readonly base: string; readonly counter: string } | undefined {
  for (let end = 2; end <= pair.length - 2; end++) {
    const [base, counter] = [pair.slice(0, end), pair.slice(end)];
    if (named.has(base) && named.has(counter)) return { base, counter };
  }
  return undefined;
}
