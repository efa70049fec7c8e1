/**
 * Reads the markets of a scenario: one market with its data, rules and fees, or several recordings
 * by pair. Rules that a recording contains may be left out.
 */
import { parseLots, parseTicks, type Scales } from '../domain/market.ts';
import { type GivenRules, marketOfRules } from '../domain/market-rules.ts';
import type { ScenarioMarket } from '../domain/scenario-settings.ts';
import { feeDecimalsMax } from '../domain/unit-text.ts';
import { must } from './bot-fields.ts';
import { type Draft, list, object, oneOrMore, optional, type Reader, record } from './field.ts';
import { checkFillModel, fillModelField, fillModelOf, fillModelPath } from './fill-model-field.ts';
import { anyPath, currency, innerPath, pair, pairName } from './names.ts';
import type { KeyPath } from './settings-source.ts';
import { share } from './unit-fields.ts';
import { amount, choice, instant, wholeNumber } from './value-fields.ts';

const fee = share({ max: '0.1', signed: true, decimalsMax: feeDecimalsMax, unit: 'bps' });
const laterFees = object({ from: instant(), maker: fee, taker: fee });
const feesField = object({ maker: fee, taker: fee, later: optional(list(laterFees)) });
const scale = wholeNumber({ min: 0, max: 18 });
const limit = amount({ zero: false });

const rulesShape = {
  base: optional(currency),
  counter: optional(currency),
  priceScale: optional(scale),
  volumeScale: optional(scale),
  feeScale: optional(scale),
  priceMin: optional(limit),
  priceMax: optional(limit),
  volumeMin: optional(limit),
  volumeMax: optional(limit),
};

export const marketsShape = {
  data: optional(
    object({
      set: optional(innerPath),
      kind: choice(['order-flow-ndjson', 'recording']),
      snapshot: optional(innerPath),
      events: optional(innerPath),
      recording: optional(oneOrMore(anyPath)),
    }),
  ),
  market: optional(object({ pair, ...rulesShape })),
  markets: optional(
    record(
      object({
        set: optional(innerPath),
        recording: oneOrMore(anyPath),
        rules: optional(object(rulesShape)),
        fees: optional(feesField),
        fillModel: fillModelField,
      }),
      pairName,
    ),
  ),
  fees: optional(feesField),
  fillModel: fillModelField,
};

export type MarketsDraft = Draft<typeof marketsShape>;
type Recordings = NonNullable<MarketsDraft['data']>['recording'];
type FeesDraft = NonNullable<MarketsDraft['fees']>;

/** Returns the markets sorted by pair, so that their order in the file does not matter. */
export function marketsOf({
  data,
  market,
  markets,
  fees,
  fillModel,
}: MarketsDraft): ScenarioMarket[] {
  if (markets === undefined) {
    const { pair: name, ...rules } = must(market);
    return [
      {
        pair: must(name),
        data: dataOf(must(data)),
        rules,
        ...feesOf(must(fees)),
        fillModel: fillModel && fillModelOf(fillModel),
      },
    ];
  }
  return [...markets]
    .map(([name, one]): ScenarioMarket => {
      const { set, recording, rules = {}, fees: own } = must(one);
      const file = { kind: 'recording', set, recordings: must(recording) } as const;
      return {
        pair: name,
        data: file,
        rules,
        ...feesOf(must(own ?? fees)),
        fillModel: one?.fillModel && fillModelOf(one.fillModel),
      };
    })
    .sort((a, b) => (a.pair < b.pair ? -1 : 1));
}

function feesOf(draft: FeesDraft): Pick<ScenarioMarket, 'fees' | 'feesLater'> {
  return {
    fees: { maker: must(draft.maker), taker: must(draft.taker) },
    feesLater: (draft.later ?? []).map((period) => ({
      fromMs: must(period?.from),
      maker: must(period?.maker),
      taker: must(period?.taker),
    })),
  };
}

function dataOf(data: NonNullable<MarketsDraft['data']>): ScenarioMarket['data'] {
  const { set } = data;
  return data.kind === 'recording'
    ? { kind: 'recording', set, recordings: must(data.recording) }
    : {
        kind: 'order-flow-ndjson',
        set: must(set),
        snapshot: must(data.snapshot),
        events: must(data.events),
      };
}

/** Reports problems of the markets. Returns the markets whose pair is known, for other checks. */
export function checkMarkets(
  reader: Reader,
  draft: MarketsDraft,
): readonly { readonly pair: string; readonly rules: GivenRules }[] {
  const isGiven = (name: string): boolean => reader.source.has([name]);
  const fillModelAt = fillModelPath(reader, []);
  checkFees(reader, ['fees'], draft.fees);
  if (isGiven('markets')) {
    for (const name of ['data', 'market'].filter(isGiven))
      reader.report(
        [name],
        { message: 'is given with markets', allowed: `${name} or markets, not both` },
        true,
      );
    if (reader.source.has(fillModelAt)) {
      const allowed = 'fillModel in each market that needs it';
      reader.report(fillModelAt, { message: 'is given with markets', allowed }, true);
    }
    return [...(draft.markets ?? [])].map(([name, one]) => {
      const place = ['markets', name];
      if (one !== undefined && one.fees === undefined && !isGiven('fees'))
        lacks(reader, place, 'fees: give them here, or once for all markets');
      checkFees(reader, [...place, 'fees'], one?.fees);
      checkRules(reader, [...place, 'rules'], one?.rules ?? {});
      checkFillModel(reader, place, one?.fillModel, one?.rules ?? {});
      checkSet(reader, place, one);
      return { pair: name, rules: one?.rules ?? {} };
    });
  }
  for (const name of ['data', 'market'].filter((key) => !isGiven(key)))
    lacks(reader, [], `${name}: a scenario needs data and market, or markets`);
  if (!isGiven('fees')) lacks(reader, [], 'fees, which is required');
  checkData(reader, draft.data);
  checkFillModel(reader, [], draft.fillModel, draft.market ?? {});
  if (draft.data?.kind === 'order-flow-ndjson' && reader.source.has(fillModelAt)) {
    const message = 'does not belong to kind order-flow-ndjson, which has every order';
    reader.report(fillModelAt, { message, allowed: 'fillModel with kind recording' }, true);
  }
  const { market } = draft;
  if (market === undefined) return [];
  checkRules(reader, ['market'], market);
  if (draft.data?.kind === 'order-flow-ndjson')
    for (const name of Object.keys(rulesShape).filter((key) => !reader.source.has(['market', key])))
      lacks(reader, ['market'], `${name}, which data of this kind does not contain`);
  return market.pair === undefined ? [] : [{ pair: market.pair, rules: market }];
}

function lacks(reader: Reader, place: KeyPath, what: string): void {
  reader.reportMissing(place, `lacks ${what}`);
}

function checkFees(reader: Reader, place: KeyPath, fees: MarketsDraft['fees']): void {
  const later = fees?.later ?? [];
  for (const [index, period] of later.entries())
    if ((later[index - 1]?.from ?? 0) >= (period?.from ?? Infinity)) {
      const problem = { message: 'is not after the one before', allowed: 'a later time' };
      reader.report([...place, 'later', index, 'from'], problem);
    }
}

/** Reports keys that belong to the other kind of data, and missing keys of this kind. */
function checkData(reader: Reader, data: MarketsDraft['data']): void {
  if (data?.kind === undefined) return;
  checkSet(reader, ['data'], data);
  const isRecording = data.kind === 'recording';
  const needed = isRecording ? ['recording'] : ['set', 'snapshot', 'events'];
  const foreign = isRecording ? ['snapshot', 'events'] : ['recording'];
  for (const name of needed.filter((key) => !reader.source.has(['data', key])))
    lacks(reader, ['data'], `${name}, for kind ${data.kind}`);
  for (const name of foreign.filter((key) => reader.source.has(['data', key])))
    reader.report(
      ['data', name],
      { message: `does not belong to kind ${data.kind}`, allowed: needed.join(', ') },
      true,
    );
}

/** Reports absolute paths in a set: paths in a set are relative to its folder. */
function checkSet(
  reader: Reader,
  place: KeyPath,
  data: { readonly set: string | undefined; readonly recording: Recordings } | undefined,
): void {
  if (data?.set === undefined) return;
  for (const path of data.recording ?? []) {
    if (!path.startsWith('/')) continue;
    const allowed = 'a path relative to the set, or no set';
    reader.report([...place, 'recording'], { message: `was "${path}", with a set`, allowed });
  }
}

/** Reports amounts that are not whole ticks or lots, and maximums below their minimums. */
function checkRules(reader: Reader, place: KeyPath, rules: GivenRules): void {
  const { base, counter, priceScale, volumeScale } = rules;
  if (base !== undefined && base === counter) {
    const problem = { message: 'is also the base', allowed: 'another currency' };
    reader.report([...place, 'counter'], problem);
  }
  if (priceScale === undefined || volumeScale === undefined) return;
  if (priceScale + volumeScale > 18) {
    const allowed = 'at most 18 for priceScale and volumeScale together';
    reader.report([...place, 'volumeScale'], { message: 'is too large', allowed });
    return;
  }
  const scales: Scales = { priceScale, volumeScale };
  for (const [name, parse, decimals] of [
    ['priceMin', parseTicks, priceScale],
    ['priceMax', parseTicks, priceScale],
    ['volumeMin', parseLots, volumeScale],
    ['volumeMax', parseLots, volumeScale],
  ] as const) {
    const value = rules[name];
    if (value === undefined || parse(value, scales) !== undefined) continue;
    const allowed = `at most ${decimals} decimals and 15 digits`;
    reader.report([...place, name], { message: `was "${value}"`, allowed });
  }
  const parsed = marketOfRules('', rules);
  if (parsed === undefined) return;
  const range = { message: 'is below the minimum', allowed: 'a maximum at or above the minimum' };
  if (parsed.priceMin > parsed.priceMax) reader.report([...place, 'priceMax'], range);
  if (parsed.volumeMin > parsed.volumeMax) reader.report([...place, 'volumeMax'], range);
}
