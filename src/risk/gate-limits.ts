/**
 * The settings in the form that the checks compare: amounts as integers in units of 10^-18, in
 * maps, so that a pair called "constructor" finds nothing.
 *
 * Invariant: text that is not an amount becomes a missing limit, and a missing limit refuses.
 */

import { createHash } from 'node:crypto';
import { parseAmount } from '../domain/amount.ts';
import type {
  ApprovedVersions,
  StrategyPermissions,
  StrategySettings,
} from '../domain/bot-settings.ts';
import {
  declaredLimits,
  type LimitSections,
  type Limits,
  type LimitValues,
} from '../domain/declared-limits.ts';
import { type Share, shareOf } from './share.ts';

/** The part of a bot's settings that the gate needs. */
export type GateSettings = {
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs' | 'budget' | 'allow'>[];
  readonly limits: Limits | undefined;
  /** Account id by currency; in demo mode as read from the exchange. */
  readonly accounts: Readonly<Record<string, string>>;
  /** If undefined, every version is approved, except in live mode. */
  readonly approved?: ApprovedVersions | undefined;
};

export type StrategyLimits = {
  readonly pairs: ReadonlySet<string>;
  readonly allow: StrategyPermissions;
  readonly budget: ReadonlyMap<string, bigint>;
};

type Amounts = ReadonlyMap<string, bigint>;

/** What the checks compare with, by the kind of the limit. */
type Compared = {
  amounts: Amounts;
  amount: bigint | undefined;
  share: Share;
} & {
  [Kind in Exclude<keyof LimitValues, 'amounts' | 'amount' | 'share'>]:
    | LimitValues[Kind]
    | undefined;
};

type ComparedIn<S extends LimitSections[keyof LimitSections]> = {
  readonly [Name in keyof S]: S[Name] extends { kind: keyof Compared }
    ? Compared[S[Name]['kind']]
    : never;
};

export type PairLimitAmounts = ComparedIn<LimitSections['pairs']>;

export type GateLimits = ComparedIn<LimitSections['account']> & {
  /** Hash of the strategies' permissions and budgets, the limits and the accounts. */
  readonly hash: string;
  readonly approved: ApprovedVersions | undefined;
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
  readonly accounts: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, PairLimitAmounts>;
  readonly each: ComparedIn<LimitSections['eachStrategy']>;
};

/** Returns the settings in the form that the checks compare. */
export function gateLimitsOf(settings: GateSettings): GateLimits {
  const { strategies, limits, accounts, approved } = settings;
  return {
    hash: limitsHashOf(settings),
    approved,
    strategies: new Map(
      strategies.map(({ id, pairs, allow, budget }) => [
        id,
        { pairs: new Set(pairs), allow, budget: amountsOf(budget) },
      ]),
    ),
    accounts: new Map(Object.entries(accounts)),
    pairs: new Map(
      Object.entries(limits?.pairs ?? {}).map(([pair, limit]) => [
        pair,
        comparedIn('pairs', limit),
      ]),
    ),
    each: comparedIn('eachStrategy', limits?.eachStrategy),
    ...comparedIn('account', limits?.account),
  };
}

/** Returns the limits of a section in the form that the checks compare. */
function comparedIn<Name extends keyof LimitSections>(
  section: Name,
  values: Readonly<Record<string, unknown>> = {},
): ComparedIn<LimitSections[Name]> {
  const compared = declaredLimits[section].map(({ name, kind }) => {
    const value = values[name];
    if (kind === 'amounts') return [name, amountsOf(value as LimitValues['amounts'] | undefined)];
    if (kind === 'share') return [name, shareOf(value as string | undefined)];
    return [name, kind === 'amount' ? parseAmount(String(value)) : value];
  });
  return Object.fromEntries(compared);
}

/**
 * Returns the text that the hash of the limits is computed from; it is stored with the hash. It
 * contains only accounts whose currency has a budget: a start adds others, for orders of an earlier
 * run.
 */
export function limitsTextOf({ strategies, limits, accounts: known }: GateSettings): string {
  const traded = new Set(strategies.flatMap(({ budget }) => Object.keys(budget)));
  const accounts = Object.fromEntries(
    Object.entries(known)
      .filter(([currency]) => traded.has(currency))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const permissions = strategies.map(({ id, pairs, budget, allow }) => ({
    id,
    pairs,
    budget,
    allow,
  }));
  return JSON.stringify({ strategies: permissions, limits, accounts });
}

/** Returns the version of the limits, 16 hexadecimal digits. Any changed limit changes it. */
export function limitsHashOf(settings: GateSettings): string {
  return createHash('sha256').update(limitsTextOf(settings)).digest('hex').slice(0, 16);
}

function amountsOf(amounts: Readonly<Record<string, string>> | undefined): Amounts {
  const parsed = new Map<string, bigint>();
  for (const [currency, text] of Object.entries(amounts ?? {})) {
    const amount = parseAmount(text);
    if (amount !== undefined) parsed.set(currency, amount);
  }
  return parsed;
}
