/**
 * The settings as the checks compare them: amounts in atoms, looked up in maps, so that a pair
 * called "constructor" finds nothing.
 *
 * Invariant: text that is no amount becomes no limit, and no limit denies.
 */
import type { Limits, StrategyPermissions, StrategySettings } from '../domain/bot-settings.ts';
import { parseAtoms } from './amount.ts';

/** What the gate takes of a bot's settings. */
export type GateSettings = {
  readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs' | 'budget' | 'allow'>[];
  readonly limits: Limits | undefined;
  /** Account id per currency; in demo mode as found at the exchange. */
  readonly accounts: Readonly<Record<string, string>>;
};

export type StrategyLimits = {
  readonly pairs: ReadonlySet<string>;
  readonly allow: StrategyPermissions;
  readonly budget: ReadonlyMap<string, bigint>;
};

export type PairLimitsInAtoms = {
  readonly orderBaseMax: bigint | undefined;
  readonly positionBaseMax: bigint | undefined;
  /** A fraction times 10^18. */
  readonly collar: bigint | undefined;
  readonly collarText: string;
  readonly bookAgeMsMax: number;
};

export type GateLimits = {
  readonly strategies: ReadonlyMap<string, StrategyLimits>;
  readonly accounts: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, PairLimitsInAtoms>;
  readonly openNotionalMax: ReadonlyMap<string, bigint>;
  readonly turnoverDayMax: ReadonlyMap<string, bigint>;
  readonly lossDayMax: ReadonlyMap<string, bigint>;
  readonly ordersOpenMax: number | undefined;
  readonly ordersPerMinuteMax: number | undefined;
};

/** Returns the settings in the checks' units. */
export function gateLimitsOf({ strategies, limits, accounts }: GateSettings): GateLimits {
  const account = limits?.account;
  return {
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
          orderBaseMax: parseAtoms(limit.orderBaseMax),
          positionBaseMax: parseAtoms(limit.positionBaseMax),
          collar: parseAtoms(limit.collar),
          collarText: limit.collar,
          bookAgeMsMax: limit.bookAgeMsMax,
        },
      ]),
    ),
    openNotionalMax: amountsOf(account?.openNotionalMax),
    turnoverDayMax: amountsOf(account?.turnoverDayMax),
    lossDayMax: amountsOf(account?.lossDayMax),
    ordersOpenMax: account?.ordersOpenMax,
    ordersPerMinuteMax: account?.ordersPerMinuteMax,
  };
}

function amountsOf(
  amounts: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, bigint> {
  const parsed = new Map<string, bigint>();
  for (const [currency, text] of Object.entries(amounts ?? {})) {
    const atoms = parseAtoms(text);
    if (atoms !== undefined) parsed.set(currency, atoms);
  }
  return parsed;
}
