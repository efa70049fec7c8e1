/**
 * Limits and egress caps that a bot's file takes by name: `limits: learner`. They cover its pairs,
 * whatever those are: each amount is a part of the budgets that the file gives its strategies.
 *
 * Invariant: a preset has every key of `limits`.
 */
import { declaredLimits, type LimitSections } from '../domain/declared-limits.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { StrategiesDraft } from './bot-fields.ts';
import { currenciesOf } from './pair-currencies.ts';
import { SettingsSource } from './settings-source.ts';

export const presetNames = ['learner'] as const;
export type PresetName = (typeof presetNames)[number];

/** Returns `percent` of the budgets in `currency`, of all strategies or of those of `pair`. */
type PartOf = (percent: number, currency: string, pair?: string) => string;

type Pair = { readonly name: string; readonly base: string; readonly counter: string };

/** The keys that a preset stands for, with their values as a file gives them. */
export type PresetValues = { readonly limits: object; readonly egress: object };

/** Returns the limits for a first strategy: it may lose a tenth of its budget, and then stops. */
function learner(pairs: readonly Pair[], part: PartOf): PresetValues {
  const counters = [...new Set(pairs.map(({ counter }) => counter))];
  const inCounters = (percent: number) =>
    Object.fromEntries(counters.map((counter) => [counter, part(percent, counter)]));
  const valuesOf = (section: keyof LimitSections, pair?: Pair) =>
    Object.fromEntries(
      declaredLimits[section].map(({ key, kind, default: usual, learner: value = usual }) => {
        const percent = value as number;
        if (kind === 'amounts') return [key, inCounters(percent)];
        if (kind !== 'amount' || pair === undefined) return [key, value];
        return [key, part(percent, pair.base, pair.name)];
      }),
    );
  const byPair = (of: (pair: Pair) => object) =>
    Object.fromEntries(pairs.map((pair) => [pair.name, of(pair)]));
  return {
    limits: {
      account: valuesOf('account'),
      eachStrategy: valuesOf('eachStrategy'),
      pairs: byPair((pair) => valuesOf('pairs', pair)),
    },
    egress: {
      version: 1,
      ordersPerMinuteMax: 240,
      pairs: byPair(({ name, base, counter }) => ({
        volumeMax: part(50, base, name),
        valueMax: part(50, counter, name),
      })),
    },
  };
}

const presets = { learner } as const satisfies Readonly<Record<PresetName, unknown>>;

/** Returns the values of a preset for any pair, with its amounts in words. */
export function presetInWords(name: PresetName): PresetValues {
  const anyPair = { name: '<pair>', base: 'base currency', counter: '<currency>' };
  return presets[name]([anyPair], (percent, currency, pair) => {
    const whose = pair === undefined ? 'all strategies' : 'the strategies that trade the pair';
    const what = currency === anyPair.base ? 'the base currency' : 'the counter currency';
    const share = percent > 100 ? `${percent / 100} times` : `${percent}% of`;
    return `${share} the budgets of ${whose} in ${what}`;
  });
}

/**
 * Returns the limits and caps of a preset as a file with the keys `limits` and `egress`, which is
 * called `file` in messages. `strategies` without pairs, or whose budgets lack a currency of
 * a pair, have problems of their own, and no part in the amounts.
 */
export function presetSource(
  file: string,
  name: PresetName,
  strategies: StrategiesDraft,
): SettingsSource {
  const pairs = new Map<string, Pair>();
  const given = [...strategies.values()].filter((one) => one !== undefined);
  for (const { pairs: names = [], budget = new Map() } of given)
    for (const pair of names) {
      const currencies = currenciesOf(pair, budget);
      if (currencies !== undefined) pairs.set(pair, { name: pair, ...currencies });
    }
  const part: PartOf = (percent, currency, pair) => {
    const sum = given
      .filter(({ pairs: names = [] }) => pair === undefined || names.includes(pair))
      .reduce((total, { budget }) => total.plus(budget?.get(currency) ?? '0'), decimalOf('0'));
    // A file's amounts have at most 18 decimals.
    const rounded = sum.times(percent).div(100).toDecimalPlaces(18, Decimal.ROUND_DOWN);
    return formatDecimal(rounded);
  };
  const values = presets[name]([...pairs.values()], part);
  return new SettingsSource(file, new TextEncoder().encode(JSON.stringify(values)));
}
