/**
 * Limits and egress caps that a bot's file takes by name: `limits: learner`. They cover its pairs,
 * whatever those are: each amount is a part of the budgets that the file gives its strategies.
 *
 * Invariant: a preset has every key of `limits`, so that no default is behind it.
 */
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import { currenciesOf } from './pair-currencies.ts';
import { SettingsSource } from './settings-source.ts';

export const presetNames = ['learner'] as const;
export type PresetName = (typeof presetNames)[number];

/** Returns `percent` of the budgets in `currency`, of all strategies or of those of `pair`. */
type PartOf = (percent: number, currency: string, pair?: string) => string;

type Pair = { readonly name: string; readonly base: string; readonly counter: string };

/** The strategies of a file; what has problems is undefined. */
type Strategies = ReadonlyMap<
  string,
  | {
      readonly pairs: readonly string[] | undefined;
      readonly budget: ReadonlyMap<string, string | undefined> | undefined;
    }
  | undefined
>;

/** The keys that a preset stands for, with their values as a file gives them. */
export type PresetValues = { readonly limits: object; readonly egress: object };

/** Returns the limits for a first strategy: it may lose a tenth of its budget, and then stops. */
function learner(pairs: readonly Pair[], part: PartOf): PresetValues {
  const counters = [...new Set(pairs.map(({ counter }) => counter))];
  const inCounters = (percent: number) =>
    Object.fromEntries(counters.map((counter) => [counter, part(percent, counter)]));
  const rates = { ordersPerSecondMax: 10, ordersPerMinuteMax: 120 };
  return {
    limits: {
      account: {
        openNotionalMax: inCounters(100),
        turnoverDayMax: inCounters(10_000),
        lossDayMax: inCounters(10),
        drawdownMax: inCounters(10),
        onLoss: 'halt',
        collarBudgetMax: inCounters(10),
        approveAbove: inCounters(25),
        feeBuffer: '1%',
        ordersOpenMax: 20,
        ...rates,
        intentAgeMax: '10s',
        orderAgeMax: '24h',
      },
      eachStrategy: {
        openNotionalMax: inCounters(100),
        ...rates,
        cancelShareMax: '200%',
        ordersPerFillMax: 5_000,
        identical: { max: 1, within: '2s' },
        fills: { max: 1_000, within: '10m', action: 'halt' },
        rejections: { max: 5, within: '60s', action: 'halt' },
        refusals: { max: 600, within: '60s', action: 'halt' },
        losingTrades: { max: 50, coolDown: '60s' },
      },
      pairs: Object.fromEntries(
        pairs.map(({ name, base }) => [
          name,
          {
            orderBaseMax: part(10, base, name),
            positionBaseMax: part(100, base, name),
            collar: '2%',
            slippageMax: '1%',
            depthShareMax: '10%',
            bookAgeMax: '5s',
          },
        ]),
      ),
    },
    egress: {
      version: 1,
      ordersPerMinuteMax: 240,
      pairs: Object.fromEntries(
        pairs.map(({ name, base, counter }) => [
          name,
          { volumeMax: part(50, base, name), valueMax: part(50, counter, name) },
        ]),
      ),
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
  strategies: Strategies,
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
