/** Fills in the limits that a file may leave out in every mode but live. */
import {
  type AccountLimits,
  declaredLimits,
  type EachStrategyLimits,
  isRequired,
  type LimitSections,
  type Limits,
  type PairLimits,
} from '../domain/declared-limits.ts';
import { parseShare, parseSpanMs } from '../domain/unit-text.ts';
import { must } from './bot-fields.ts';
import type { Given, LimitsDraft } from './limit-fields.ts';

type Values = Readonly<Record<string, unknown>>;

/** Limits as a file gives them: those with a default may be missing. */
export type GivenLimits = {
  readonly account: Given<AccountLimits>;
  readonly eachStrategy?: Given<EachStrategyLimits> | undefined;
  readonly pairs: Readonly<Record<string, Given<PairLimits>>>;
};

/**
 * Returns the given limits with a default for every missing one. Throws TypeError if one without a
 * default is missing.
 */
export function completeLimits({ account, eachStrategy = {}, pairs }: GivenLimits): Limits {
  return {
    account: completed<AccountLimits>('account', account, account),
    eachStrategy: completed<EachStrategyLimits>('eachStrategy', eachStrategy, account),
    pairs: Object.fromEntries(
      Object.entries(pairs).map(([pair, limit]) => [
        pair,
        completed<PairLimits>('pairs', limit, limit),
      ]),
    ),
  };
}

/** Of a bot that only watches: they allow no order. */
export const limitsOfWatcher: Limits = completeLimits({
  account: Object.fromEntries(
    declaredLimits.account
      .filter(isRequired)
      .map(({ name, kind, min = 0 }) => [name, kind === 'amounts' ? {} : min]),
  ),
  pairs: {},
});

/** `others` are the limits whose values may apply instead of a default. */
function completed<All>(section: keyof LimitSections, given: Values, others: Values): All {
  const values = declaredLimits[section].map(({ name, like, default: written }) => {
    const value = given[name] ?? (like === undefined ? parsed(written) : others[like]);
    return [name, must(value)];
  });
  // Typed by the table from which it is made.
  return Object.fromEntries(values) as All;
}

/** Returns the value of a default that is written as in a file. */
function parsed(written: unknown): unknown {
  if (typeof written === 'string') return parseSpanMs(written) ?? parseShare(written) ?? written;
  if (typeof written !== 'object' || written === null) return written;
  return Object.fromEntries(
    Object.entries(written).map(([key, one]) => {
      const value = parsed(one);
      // A span becomes a number, and its name says milliseconds.
      return [typeof value === typeof one ? key : `${key}Ms`, value];
    }),
  );
}

/** Returns the limits of a draft without problems. */
export function limitsOf({ account, eachStrategy, pairs }: LimitsDraft): Limits {
  const given = [...must(pairs)].map(([pair, limit]) => [pair, must(limit)] as const);
  return completeLimits({ account: must(account), eachStrategy, pairs: Object.fromEntries(given) });
}
