/**
 * Checks the parts of a bot's file against each other: a traded pair needs limits, and its two
 * currencies need a budget, account limits and an account (in mode paper a balance).
 * Without them the gate would refuse every order, so such a file is refused at the start.
 */
import { declaredLimits, isRequired } from '../domain/declared-limits.ts';
import type { StrategiesDraft } from './bot-fields.ts';
import type { Reader } from './field.ts';
import type { LimitsDraft } from './limit-fields.ts';
import { editDistance } from './nearest-word.ts';
import { currenciesOf, type Names } from './pair-currencies.ts';
import type { KeyPath } from './settings-source.ts';

/** The currencies with an account or a paper balance; undefined if the file need not list them. */
export type NamedAccounts = {
  readonly accounts?: Names | undefined;
  readonly paperBalances?: Names | undefined;
};

const requiredAmounts = declaredLimits.account.filter(
  (limit) => limit.kind === 'amounts' && isRequired(limit),
);

/** Reports each limit, budget and account that the traded pairs need and the file lacks. */
export function checkCoherence(
  reader: Reader,
  strategies: StrategiesDraft | undefined,
  limits: LimitsDraft | undefined,
  { accounts, paperBalances }: NamedAccounts,
): void {
  const ofAccount: Readonly<Record<string, unknown>> = limits?.account ?? {};
  const reported = new Set<string>();
  const lacks = (path: KeyPath, name: string, why: string) => {
    const key = `${path.join('.')} ${name}`;
    if (reported.has(key)) return;
    reported.add(key);
    reader.reportMissing(path, `lacks ${name}, but ${why}`);
  };

  for (const [id, strategy] of strategies ?? []) {
    for (const [index, pair] of (strategy?.pairs ?? []).entries()) {
      const why = `strategies.${id} trades ${pair}`;
      const mistyped = mistypedPair(pair, strategy?.budget, limits);
      if (mistyped !== undefined) {
        // What else the file lacks for such a pair would hide the cause.
        reader.report(['strategies', id, 'pairs', index], mistyped);
        continue;
      }
      if (limits?.pairs !== undefined && !limits.pairs.has(pair)) {
        lacks(['limits', 'pairs'], pair, why);
      }
      const budget = strategy?.budget;
      if (budget === undefined) continue;
      const currencies = currenciesOf(pair, budget);
      if (currencies === undefined) {
        lacks(['strategies', id, 'budget'], missingIn(pair, budget), why);
        continue;
      }
      const { base, counter } = currencies;
      for (const { name } of requiredAmounts) {
        const limit = ofAccount[name];
        const path = ['limits', 'account', name];
        if (limit instanceof Object && !Object.hasOwn(limit, counter)) lacks(path, counter, why);
      }
      for (const currency of [base, counter]) {
        if (accounts !== undefined && !accounts.has(currency)) lacks(['accounts'], currency, why);
        if (paperBalances !== undefined && !paperBalances.has(currency))
          lacks(['paper', 'balances'], currency, why);
      }
    }
  }
}

/** Returns the problem with a pair that is nearly one of the budget's currencies. */
function mistypedPair(
  pair: string,
  budget: ReadonlyMap<string, unknown> | undefined,
  limits: LimitsDraft | undefined,
) {
  if (budget === undefined || currenciesOf(pair, budget) !== undefined) return undefined;
  if (limits?.pairs?.has(pair) === true) return undefined;
  const names = [...budget.keys()];
  const ofBudget = names.flatMap((base) =>
    names.flatMap((counter) => (base === counter ? [] : [`${base}${counter}`])),
  );
  const known = [...(limits?.pairs?.keys() ?? []), ...ofBudget];
  // More letters differ between real pairs, such as XBTZAR and XBTEUR.
  const suggestion = known.find((one) => editDistance(pair, one) === 1);
  if (suggestion === undefined) return undefined;
  const missing = missingIn(pair, budget);
  return {
    message: `was "${pair}", but the budget of the strategy lacks ${missing}`,
    allowed: `a pair of ${names.join(' and ')}, such as ${suggestion}, or a budget with ${missing}`,
    suggestion,
  };
}

/** Returns the currency of `pair` that the budget lacks; in words if it has neither of the two. */
function missingIn(pair: string, budget: ReadonlyMap<string, unknown>): string {
  const present = [...budget.keys()];
  const base = present.find((one) => pair.startsWith(one));
  const counter = present.find((one) => pair.endsWith(one));
  if (base !== undefined && base !== pair) return pair.slice(base.length);
  if (counter !== undefined && counter !== pair) return pair.slice(0, -counter.length);
  return `the currencies of ${pair}`;
}
