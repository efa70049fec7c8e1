/** Warnings of orders that cannot be meant: too far from the mid, too large, renewed too often. */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import { percent, type WarnedSettings, type Warning } from './warned-settings.ts';

/** As a fraction: nobody trades further from the mid than that. */
const halfSpreadSensible = 0.1;
/** The exchange takes 300 calls a minute. */
const refreshMsSensible = 100;

/** Returns the warnings of one strategy's parameters, as far as its plugin declares them. */
export function quotingWarnings(
  { source, limits, plugins }: WarnedSettings,
  { id, pairs }: StrategySettings,
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
        `was ${shareText(halfSpread)}, and limits.pairs.${pair}.collar is ${percent(collar)}: every quote is refused`,
        `less than ${percent(collar)}`,
      );
    const size = needs?.size;
    for (const name of ['orderBaseMax', 'positionBaseMax'] as const)
      if (size !== undefined && decimalOf(size).greaterThan(limit[name]))
        warn(
          'size',
          `was "${size}", and limits.pairs.${pair}.${name} is "${limit[name]}": every order is refused`,
          `"${limit[name]}" or less`,
        );
  }
  if (halfSpread !== undefined && halfSpread > halfSpreadSensible)
    warn(
      'halfSpread',
      `was ${shareText(halfSpread)}: nobody trades more than 10% from the mid`,
      '"20bps" is 0.2%',
    );
  if (refreshMs !== undefined && refreshMs < refreshMsSensible)
    warn(
      'refresh',
      `was ${refreshMs} ms: the exchange takes 300 calls a minute, and quotes would use them up`,
      '"15s"',
    );
  if (halfSpread !== undefined && tolerance !== undefined && tolerance > halfSpread)
    warn(
      'tolerance',
      `was ${shareText(tolerance)}, more than the half spread of ${shareText(halfSpread)}: a quote beyond the mid would be left where it is`,
      `less than ${shareText(halfSpread)}`,
    );
  return warnings;
}

/** Returns a fraction that is a signal, not money, as people write it. */
function shareText(fraction: number): string {
  return percent(formatDecimal(new Decimal(fraction)));
}
