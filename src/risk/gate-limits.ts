/**
 * The settings as the checks compare them: amounts in atoms, looked up in maps, so that a pair
 * called "constructor" finds nothing.
 *
 * Invariant: text that is no amount becomes no limit, and no limit denies.
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

/** What the gate takes of a bot's settings. */
export type GateSettings = {
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs' | 'budget' | 'allow'>[];
  readonly limits: Limits | undefined;
  /** Account id per currency; in demo mode as found at the exchange. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Undefined approves every version, except in live mode. */
  readonly approved?: ApprovedVersions | undefined;
};

export type StrategyLimits = {
  readonly pairs: ReadonlySet<string>;
  readonly allow: StrategyPermissions;
  readonly budget: ReadonlyMap<string, bigint>;
};

/** A fraction times 10^18, the same in millionths rounded down, and as it was written. */
export type Share = {
  readonly atoms: bigint | undefined;
  readonly millionths: number;
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
  /** Of the strategies' permissions and budgets, the limits and the accounts. */
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

/** Returns the settings in the checks' units. */
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
 * What the hash of the limits is made from, as it is stored beside it. Of the accounts it has those
 * in which a strategy may trade: a start adds others for orders that an earlier run left.
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

/** Returns the version of the limits: 16 hexadecimal digits. Another limit is another version. */
export function limitsHashOf(settings: GateSettings): string {
  return createHash('sha256').update(limitsTextOf(settings)).digest('hex').slice(0, 16);
}

function shareOf(text: string | undefined): Share {
  const atoms = text === undefined ? undefined : parseAmount(text);
  const millionths = atoms === undefined ? Number.NaN : wholeOf(atoms / 1_000_000_000_000n);
  return { atoms, millionths, text: text ?? 'missing' };
}

function amountsOf(amounts: Readonly<Record<string, string>> | undefined): Amounts {
  const parsed = new Map<string, bigint>();
  for (const [currency, text] of Object.entries(amounts ?? {})) {
    const atoms = parseAmount(text);
    if (atoms !== undefined) parsed.set(currency, atoms);
  }
  return parsed;
}
