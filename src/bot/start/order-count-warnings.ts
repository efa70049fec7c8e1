/** Warns of limits on the number of orders that are below what the strategies want at once. */

import { pathText } from '../../settings/field.ts';
import type { KeyPath, SettingsSource } from '../../settings/settings-source.ts';
import type { WarnedSettings, Warning } from './warned-settings.ts';

/** What one strategy or all of them want at once. */
type Wanted = { readonly who: string; readonly orders: number };

/** Returns the warnings for the strategies whose plugins declare how many orders they want. */
export function orderCountWarnings(settings: WarnedSettings): readonly Warning[] {
  const { account, eachStrategy } = settings.limits;
  const wanted = settings.strategies.map(({ id, pairs }): Wanted => {
    const atOnce = settings.plugins.get(id)?.needs?.ordersAtOnce ?? 0;
    return { who: id, orders: atOnce * pairs.length };
  });
  const sum = wanted.reduce((total, { orders }) => total + orders, 0);
  const all: Wanted =
    wanted.length === 1 ? (wanted[0] as Wanted) : { who: 'all strategies', orders: sum };
  const [most = all] = wanted.toSorted((one, other) => other.orders - one.orders);
  const limits: readonly (readonly [group: string, name: string, limit: number, Wanted])[] = [
    ['account', 'ordersOpenMax', account.ordersOpenMax, all],
    ['account', 'ordersPerSecondMax', account.ordersPerSecondMax, all],
    ['account', 'ordersPerMinuteMax', account.ordersPerMinuteMax, all],
    ['eachStrategy', 'ordersPerSecondMax', eachStrategy.ordersPerSecondMax, most],
    ['eachStrategy', 'ordersPerMinuteMax', eachStrategy.ordersPerMinuteMax, most],
  ];
  return limits.flatMap(([group, name, limit, { who, orders }]): readonly Warning[] =>
    orders <= limit
      ? []
      : [
          {
            path: nearestKey(settings.source, ['limits', group, name]),
            message: `${pathText(['limits', group, name])} is ${limit}, but ${who} wants ${orders} orders at once: the others will be refused`,
            suggestion: `${name}: ${orders} or more`,
          },
        ],
  );
}

/** A limit that the file omits has a default: its warning points to the nearest key there is. */
function nearestKey(source: SettingsSource, path: KeyPath): KeyPath {
  return source.has(path) || path.length === 1 ? path : nearestKey(source, path.slice(0, -1));
}
