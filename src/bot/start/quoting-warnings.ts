/** Warns of quotes that are surely unintended: too far from the mid, too large, too frequent. */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import { profileOf } from '../../settings/profile-field.ts';
import { percent, type WarnedSettings, type Warning } from './warned-settings.ts';

/** As a fraction: quotes further from the mid than this never trade. */
const halfSpreadSensible = 0.1;

export function quotingWarnings(
  { source, limits, plugins, profile = profileOf(undefined) }: WarnedSettings,
  { id, pairs, plugin }: StrategySettings,
): readonly Warning[] {
  const { quoting, needs } = plugins.get(id) ?? {};
  const { halfSpread, refreshMs, tolerance } = quoting ?? {};
  const warnings: Warning[] = [];
  const warn = (name: string, message: string, suggestion: string): void => {
    const all = ['strategies', id, 'parameters'];
    const path = source.has([...all, name]) ? [...all, name] : all;
    warnings.push({ path, message, suggestion });
  };
  for (const pair of pairs) {
    const limit = limits.pairs[pair];
    if (limit === undefined) continue;
    const { collar } = limit;
    if (halfSpread !== undefined && decimalOf(collar).lessThan(halfSpread))
      warn(
        'halfSpread',
        `was ${shareText(halfSpread)}, but limits.pairs.${pair}.collar is ${percent(collar)}: every quote will be refused`,
        `less than ${percent(collar)}`,
      );
    const size = needs?.size;
    // The tighter of the two: what fits it fits both.
    const name = decimalOf(limit.positionBaseMax).lessThan(limit.orderBaseMax)
      ? 'positionBaseMax'
      : 'orderBaseMax';
    if (size === undefined || decimalOf(size).lessThanOrEqualTo(limit[name])) continue;
    if (decimalOf(limit[name]).isZero())
      warnings.push({
        path: ['limits', 'pairs', pair, name],
        message: `was "${limit[name]}", but ${plugin} places orders of "${size}": every order will be refused`,
        suggestion: `"${size}" or more`,
      });
    else
      warn(
        'size',
        `was "${size}", but limits.pairs.${pair}.${name} is "${limit[name]}": every order will be refused`,
        `"${limit[name]}" or less`,
      );
  }
  if (halfSpread !== undefined && halfSpread > halfSpreadSensible)
    warn(
      'halfSpread',
      `was ${shareText(halfSpread)}: quotes more than 10% from the mid will not trade`,
      '"20bps" is 0.2%',
    );
  if (refreshMs !== undefined && refreshMs < refreshMsSensible(profile))
    warn(
      'refresh',
      `was ${refreshMs} ms: quotes would use up the calls that the exchange allows in a minute`,
      '"15s"',
    );
  if (halfSpread !== undefined && tolerance !== undefined && tolerance > halfSpread)
    warn(
      'tolerance',
      `was ${shareText(tolerance)}, more than the half spread of ${shareText(halfSpread)}: a quote on the wrong side of the mid would stay`,
      `less than ${shareText(halfSpread)}`,
    );
  return warnings;
}

/** Faster quotes use up the calls of a minute with the orders of one side alone. */
function refreshMsSensible({ calls }: ExchangeProfile): number {
  return calls === 'unlimited' ? 0 : 60_000 / calls.perMinute / 2;
}

/** Formats a fraction, which is a parameter and not money, as a percentage. */
function shareText(fraction: number): string {
  return percent(formatDecimal(new Decimal(fraction)));
}
