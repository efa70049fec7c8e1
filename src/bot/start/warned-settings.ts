/** The input of the settings warnings, and the type of a warning. */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import type { Limits } from '../../domain/declared-limits.ts';
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import type { FeedSource } from '../../domain/feed.ts';
import { decimalOf, formatDecimal } from '../../domain/money.ts';
import type { Problem } from '../../settings/problem.ts';
import type { KeyPath, SettingsSource } from '../../settings/settings-source.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';

export type WarnedSettings = {
  readonly source: SettingsSource;
  readonly strategies: readonly StrategySettings[];
  readonly limits: Limits;
  readonly feeds?: readonly { readonly name: string }[];
  readonly feedSources?: readonly FeedSource[];
  /** By strategy id, without those that could not be loaded. */
  readonly plugins: ReadonlyMap<string, Pick<PreparedStrategy, 'quoting' | 'needs'>>;
  /** The initial balances by currency, if the settings have them: for paper and backtests. */
  readonly balances?: Readonly<Record<string, string>> | undefined;
  /** The rules of the exchange, of a scenario. */
  readonly profile?: ExchangeProfile;
  /** The length of a bar by pair, in milliseconds, where a scenario plays candles. */
  readonly barMs?: ReadonlyMap<string, number>;
};

/** A probably unintended setting: like a {@link Problem}, without its line and column. */
export type Warning = Pick<Problem, 'message' | 'suggestion'> & { readonly path: KeyPath };

/** Formats a fraction as a percentage: "0.02" is "2%". */
export function percent(fraction: string): string {
  return `${formatDecimal(decimalOf(fraction).times(100))}%`;
}
