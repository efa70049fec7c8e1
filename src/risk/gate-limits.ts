/**
 * The settings in the form that the checks compare: amounts as integers in units of 10^-18, in
 * maps, so that a pair called "constructor" finds nothing.
 *
 * Invariant: text that is not an amount becomes a missing limit, and a missing limit refuses.
 */

import { createHash } from 'node:crypto';
import { parseAmount } from '../domain/amount.ts';
import type {
  AccountLimits,
  ApprovedVersions,
  Breaker,
  EachStrategyLimits,
  Limits,
  StrategyPermissions,
  StrategySettings,
} from '../domain/bot-settings.ts';
import { wholeOf } from './whole-units.ts';

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

/** A fraction from the settings; missing if `scaled` is undefined. */
export type Share = {
  /** The fraction times 10^18. */
  readonly scaled: bigint | undefined;
  /** The fraction in millionths, rounded down; NaN if missing. */
  readonly millionths: number;
  /** As written in the settings. */
  readonly text: string;
};

export type PairLimitAmounts = {
  readonly orderBaseMax: bigint | undefined;
  readonly positionBaseMax: bigint | undefined;
  readonly collar: Share;
  readonly slippageMax: Share;
  readonly depthShareMax: Share;
  readonly bookAgeMsMax: number;
};

type Amounts = ReadonlyMap<string, bigint>;

export type EachStrategyAmounts = {
  readonly openNotionalMax: Amounts;
  readonly ordersPerSecondMax: number | undefined;
  readonly ordersPerMinuteMax: number | undefined;
  readonly cancelShareMax: Share;
  readonly ordersPerFillMax: number | undefined;
  readonly identical: EachStrategyLimits['identical'] | undefined;
  readonly fills: Breaker | undefined;
  readonly rejections: Breaker | undefined;
  readonly refusals: Breaker | undefined;
};

export type GateLimits = {
  /** Hash of the strategies' permissions and budgets, the limits and the accounts. */
  readonly hash: string;
  readonly approved: ApprovedVersions | undefined;
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
  readonly accounts: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, PairLimitAmounts>;
  readonly each: EachStrategyAmounts;
  readonly openNotionalMax: Amounts;
  readonly turnoverDayMax: Amounts;
  readonly lossDayMax: Amounts;
  readonly drawdownMax: Amounts;
  readonly collarBudgetMax: Amounts;
  readonly approveAbove: Amounts;
  readonly feeBuffer: Share;
  readonly ordersOpenMax: number | undefined;
  readonly ordersPerSecondMax: number | undefined;
  readonly ordersPerMinuteMax: number | undefined;
  readonly intentAgeMsMax: number | undefined;
};

/** Returns the settings in the form that the checks compare. */
export function gateLimitsOf(settings: GateSettings): GateLimits {
  const { strategies, limits, accounts, approved } = settings;
  const account: Partial<AccountLimits> = limits?.account ?? {};
  const each: Partial<EachStrategyLimits> = limits?.eachStrategy ?? {};
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
        {
          orderBaseMax: parseAmount(limit.orderBaseMax),
          positionBaseMax: parseAmount(limit.positionBaseMax),
          collar: shareOf(limit.collar),
          slippageMax: shareOf(limit.slippageMax),
          depthShareMax: shareOf(limit.depthShareMax),
          bookAgeMsMax: limit.bookAgeMsMax,
        },
      ]),
    ),
    each: {
      openNotionalMax: amountsOf(each.openNotionalMax),
      ordersPerSecondMax: each.ordersPerSecondMax,
      ordersPerMinuteMax: each.ordersPerMinuteMax,
      cancelShareMax: shareOf(each.cancelShareMax),
      ordersPerFillMax: each.ordersPerFillMax,
      identical: each.identical,
      fills: each.fills,
      rejections: each.rejections,
      refusals: each.refusals,
    },
    openNotionalMax: amountsOf(account.openNotionalMax),
    turnoverDayMax: amountsOf(account.turnoverDayMax),
    lossDayMax: amountsOf(account.lossDayMax),
    drawdownMax: amountsOf(account.drawdownMax),
    collarBudgetMax: amountsOf(account.collarBudgetMax),
    approveAbove: amountsOf(account.approveAbove),
    feeBuffer: shareOf(account.feeBuffer),
    ordersOpenMax: account.ordersOpenMax,
    ordersPerSecondMax: account.ordersPerSecondMax,
    ordersPerMinuteMax: account.ordersPerMinuteMax,
    intentAgeMsMax: account.intentAgeMsMax,
  };
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

/** Whether `part` is certainly within a share of `whole`, by numbers alone; false means unknown. */
export function isSurelyWithinShare(part: number, whole: number, share: Share): boolean {
  const scaled = part * 1_000_000;
  const allowed = share.millionths * whole;
  return Number.isSafeInteger(scaled) && Number.isSafeInteger(allowed) && scaled <= allowed;
}

/** Returns a fraction as the checks compare it. */
export function shareOf(text: string | undefined): Share {
  const scaled = text === undefined ? undefined : parseAmount(text);
  const millionths = scaled === undefined ? Number.NaN : wholeOf(scaled / 1_000_000_000_000n);
  return { scaled, millionths, text: text ?? 'missing' };
}

function amountsOf(amounts: Readonly<Record<string, string>> | undefined): Amounts {
  const parsed = new Map<string, bigint>();
  for (const [currency, text] of Object.entries(amounts ?? {})) {
    const amount = parseAmount(text);
    if (amount !== undefined) parsed.set(currency, amount);
  }
  return parsed;
}
