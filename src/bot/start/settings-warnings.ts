/**
 * Warns of settings that are valid but surely unintended: the gate would refuse every order, or the
 * strategy would never trade. `config check` and every start print the warnings and continue.
 */

import type { StrategySettings } from '../../domain/bot-settings.ts';
import { declaredLimits } from '../../domain/declared-limits.ts';
import { decimalOf } from '../../domain/money.ts';
import { pathText } from '../../settings/field.ts';
import { spanText } from '../../settings/likely-value.ts';
import type { LoadedBotSettings } from '../../settings/load-bot-settings.ts';
import { nearestWord } from '../../settings/nearest-word.ts';
import { currenciesOf } from '../../settings/pair-currencies.ts';
import { problemLine, shown } from '../../settings/problem.ts';
import type { KeyPath, SettingsSource } from '../../settings/settings-source.ts';
import { budgetText, excessiveBudgets } from './budget-check.ts';
import { feedWarnings } from './feed-warnings.ts';
import { quotingWarnings } from './quoting-warnings.ts';
import { percent, type WarnedSettings, type Warning } from './warned-settings.ts';

const bookAgeMsSensible = 600_000;

/** Returns the warnings for a bot's settings; `plugins` are those of its strategies. */
export function botWarnings(
  settings: LoadedBotSettings,
  plugins: WarnedSettings['plugins'],
): readonly string[] {
  const balances = settings.mode === 'paper' ? settings.paper?.balances : undefined;
  return settingsWarnings({ ...settings, plugins, balances });
}

/** Returns a line for each warning, with its file, line and column. */
export function settingsWarnings(settings: WarnedSettings): readonly string[] {
  const { source } = settings;
  return [
    ...settings.strategies.flatMap((strategy) => [
      ...quotingWarnings(settings, strategy),
      ...needsWarnings(settings, strategy),
      ...budgetWarnings(settings, strategy),
    ]),
    ...orderCountWarnings(settings),
    ...balanceWarnings(settings),
    ...pairWarnings(settings),
    ...currencyWarnings(settings),
    ...feedWarnings(settings),
  ]
    .map(({ path, message, suggestion }) => ({
      ...source.locate(path),
      path: pathText(path),
      message: `warning: ${message}`,
      allowed: '',
      suggestion,
    }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map((problem) => problemLine(source.file, problem));
}

/** Warns of orders that the plugin declares and `allow` forbids. */
function needsWarnings(
  { plugins }: WarnedSettings,
  { id, plugin, allow }: StrategySettings,
): readonly Warning[] {
  const needs = plugins.get(id)?.needs;
  if (needs === undefined) return [];
  const at = (name: string): KeyPath => ['strategies', id, 'allow', name];
  const lacking = <Value extends string>(
    name: string,
    wanted: readonly Value[],
    given: readonly string[],
  ): readonly Warning[] => {
    const missing = wanted.filter((one) => !given.includes(one));
    if (missing.length === 0) return [];
    const message = `was [${given.join(', ')}], but ${plugin} places ${missing.join(' and ')} orders: each will be refused`;
    return [{ path: at(name), message, suggestion: `[${[...given, ...missing].join(', ')}]` }];
  };
  const forbidden = needs.postOnly ? 'never' : 'required';
  const kind = needs.postOnly ? 'only post-only orders' : 'orders that are not post-only';
  return [
    ...lacking('sides', needs.sides, allow.sides),
    ...lacking('types', needs.types ?? ['limit'], allow.types),
    ...lacking('timeInForce', needs.timeInForce, allow.timeInForce),
    ...(allow.postOnly === forbidden
      ? [
          {
            path: at('postOnly'),
            message: `was ${forbidden}, but ${plugin} places ${kind}: each will be refused`,
            suggestion: needs.postOnly ? 'required' : 'allowed',
          },
        ]
      : []),
  ];
}

/**
 * Warns of budgets that fund no order. Quoting both sides needs both currencies; and every bid or
 * ask needs a budget in the base currency, which limits the position.
 */
function budgetWarnings(
  { plugins }: WarnedSettings,
  { id, pairs, budget }: StrategySettings,
): readonly Warning[] {
  const isZero = (name: string) => decimalOf(budget[name] ?? '0').isZero();
  const names = Object.keys(budget);
  const ofPairs = pairs.flatMap((pair) => currenciesOf(pair, new Set(names)) ?? []);
  const traded = new Set(ofPairs.flatMap(({ base, counter }) => [base, counter]));
  const bases = new Set(ofPairs.map(({ base }) => base));
  const { quoting, needs } = plugins.get(id) ?? {};
  const isNeeded = (name: string): boolean =>
    quoting !== undefined || (needs !== undefined && bases.has(name)) || [...traded].every(isZero);
  return names.flatMap((name): readonly Warning[] => {
    const path = ['strategies', id, 'budget', name];
    if (!traded.has(name)) return [strange(path, name, [...traded])];
    if (!isZero(name) || !isNeeded(name)) return [];
    const message = `was ${shown(budget[name])}: without ${name} the strategy cannot place its orders`;
    return [{ path, message, suggestion: `the most ${name} that it may use` }];
  });
}

function balanceWarnings({ strategies, balances }: WarnedSettings): readonly Warning[] {
  if (balances === undefined) return [];
  return excessiveBudgets(strategies, (currency) => decimalOf(balances[currency] ?? '0')).map(
    (excess) => ({
      path: ['strategies', excess.strategy, 'budget', excess.currency],
      message: budgetText(excess),
      suggestion: excess.fitting === undefined ? undefined : `"${excess.fitting}" or less`,
    }),
  );
}

/** Warns of limits too loose to protect, and of limits for pairs that no strategy trades. */
function pairWarnings({ strategies, limits, barMs }: WarnedSettings): readonly Warning[] {
  const traded = [...new Set(strategies.flatMap(({ pairs }) => pairs))];
  return Object.entries(limits.pairs).flatMap(([pair, { collar, bookAgeMsMax }]) => {
    const at = (...names: string[]): KeyPath => ['limits', 'pairs', pair, ...names];
    if (!traded.includes(pair)) return [unused(at(), 'no strategy trades it', traded, pair)];
    const warnings: Warning[] = [];
    if (decimalOf(collar).greaterThanOrEqualTo(1))
      warnings.push({
        path: at('collar'),
        message: `was ${percent(collar)}: even a price of zero, or of twice the mid, would pass`,
        suggestion: '"2%"',
      });
    const bar = barMs?.get(pair) ?? 0;
    // Candles come only once in their interval.
    if (bookAgeMsMax > Math.max(bookAgeMsSensible, 2 * bar))
      warnings.push({
        path: at('bookAgeMax'),
        message: `was ${bookAgeMsMax / 60_000} minutes: orders could be priced from a book of that age, although the exchange sends several messages a minute`,
        suggestion: bar === 0 ? '"5s"' : spanPastBar(bar),
      });
    if (bookAgeMsMax <= bar)
      warnings.push({
        path: at('bookAgeMax'),
        message: `was ${bookAgeMsMax / 1_000} s, but a candle lasts ${bar / 1_000} s: the book would be unusable for most of it, and few orders would fill`,
        suggestion: spanPastBar(bar),
      });
    return warnings;
  });
}

/** A span that outlasts a candle, as it is written in the settings. */
function spanPastBar(barMs: number): string {
  return `"${spanText(barMs * 1_500)}"`;
}

/** Warns of limits in a currency in which no traded pair is priced: most likely a typing error. */
function currencyWarnings({ source, strategies, balances }: WarnedSettings): readonly Warning[] {
  const markets = strategies.flatMap(({ pairs, budget }) =>
    pairs.flatMap((pair) => currenciesOf(pair, new Set(Object.keys(budget))) ?? []),
  );
  const counters = [...new Set(markets.map(({ counter }) => counter))];
  const all = [...new Set(markets.flatMap(({ base, counter }) => [base, counter]))];
  const strangers = (at: KeyPath, known: readonly string[]): readonly Warning[] =>
    Object.keys((source.valueAt(at) ?? {}) as object)
      .filter((name) => !known.includes(name))
      .map((name) => strange([...at, name], name, known));
  const sections = (['account', 'eachStrategy'] as const).flatMap((section) =>
    declaredLimits[section].flatMap(({ kind, key }) =>
      kind === 'amounts' ? [['limits', section, key]] : [],
    ),
  );
  return [
    ...sections.flatMap((at) => strangers(at, counters)),
    ...(balances === undefined ? [] : strangers(['paper', 'balances'], all)),
  ];
}

function strange(path: KeyPath, name: string, known: readonly string[]): Warning {
  return unused(path, `no traded market has the currency ${name}`, known, name);
}

function unused(path: KeyPath, why: string, known: readonly string[], name: string): Warning {
  const near = nearestWord(name, known);
  const meant = near === undefined ? '' : `; did you mean ${near}?`;
  return { path, message: `has no effect: ${why} (${known.join(', ')})${meant}` };
}

/** What one strategy or all of them want at once. */
type Wanted = { readonly who: string; readonly orders: number };

/** Returns the warnings for the strategies whose plugins declare how many orders they want. */
function orderCountWarnings(settings: WarnedSettings): readonly Warning[] {
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
