/** What is looked at for warnings of settings, and what one warning is. */
import type { Limits, StrategySettings } from '../../domain/bot-settings.ts';
import { decimalOf, formatDecimal } from '../../domain/money.ts';
import type { Problem } from '../../settings/problem.ts';
import type { KeyPath, SettingsSource } from '../../settings/settings-source.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';

export type WarnedSettings = {
  readonly source: SettingsSource;
  readonly strategies: readonly StrategySettings[];
  readonly limits: Limits;
  /** By strategy id; one that could not be loaded is left out. */
  readonly plugins: ReadonlyMap<string, Pick<PreparedStrategy, 'quoting' | 'needs'>>;
  /** What the account begins with, by currency, where the settings say it: paper and backtests. */
  readonly balances?: Readonly<Record<string, string>> | undefined;
};

/** What is likely not meant: like a {@link Problem}, without its place. */
export type Warning = Pick<Problem, 'message' | 'suggestion'> & { readonly path: KeyPath };

/** Returns a fraction as people write it: "0.02" is "2%". */
export function percent(fraction: string): string {
  return `${formatDecimal(decimalOf(fraction).times(100))}%`;
}
