/** Reads the limits of a bot's file, as `domain/declared-limits.ts` declares them. */
import {
  type AccountLimits,
  type DeclaredLimit,
  declaredLimits,
  type EachStrategyLimits,
  isRequired,
  keyOf,
  type LimitSections,
  type LimitValues,
  type PairLimits,
} from '../domain/declared-limits.ts';
import { type Field, mapped, object, optional, orWord, record, type Shape } from './field.ts';
import { presetNames } from './limit-presets.ts';
import { currencyName, pairName } from './names.ts';
import { share, spanMs } from './unit-fields.ts';
import { amount, choice, wholeNumber } from './value-fields.ts';

const hourMs = 3_600_000;
const count = wholeNumber({ min: 0, max: 100_000 });
const withinMs = spanMs({ minMs: 1, maxMs: hourMs });
const coolDownMs = spanMs({ minMs: 1_000, maxMs: 30 * 24 * hourMs });
const action = choice(['refuse', 'cancel', 'reduce', 'halt']);

const readers: Readonly<Record<keyof LimitValues, (limit: DeclaredLimit) => Field<unknown>>> = {
  amounts: () =>
    mapped(record(amount({ zero: true }), currencyName), (map) => Object.fromEntries(map)),
  amount: () => amount({ zero: true }),
  share: ({ max = 1 }) => share({ max: String(max), unit: max > 1 ? 'fraction' : '%' }),
  count: ({ max = 0 }) => wholeNumber({ min: 0, max }),
  span: ({ min = 1, max = 0 }) => spanMs({ minMs: min, maxMs: max }),
  action: () => action,
  breaker: () => byName({ max: count, withinMs, action }),
  identical: () => byName({ max: count, withinMs }),
  losses: () => byName({ max: count, coolDownMs }),
};

/** Reads a map by the names that its members have in the settings. */
function byName(shape: Shape): Field<Readonly<Record<string, unknown>>> {
  const members = Object.entries(shape);
  const inFile = object(Object.fromEntries(members.map(([name, one]) => [keyOf(name), one])));
  return mapped(inFile, (draft) =>
    Object.fromEntries(members.map(([name]) => [name, draft[keyOf(name)]])),
  );
}

/** What a file gives of `Values`. What has a problem is missing, too. */
export type Given<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

function sectionField<Values>(section: keyof LimitSections): Field<Given<Values>> {
  const shape = declaredLimits[section].map((limit) => {
    const field = readers[limit.kind](limit);
    return [limit.name, isRequired(limit) ? field : optional(field)] as const;
  });
  return byName(Object.fromEntries(shape)) as Field<Given<Values>>;
}

export const writtenLimitsField = object({
  account: sectionField<AccountLimits>('account'),
  eachStrategy: optional(sectionField<EachStrategyLimits>('eachStrategy')),
  pairs: record(sectionField<PairLimits>('pairs'), pairName),
});
export const limitsField = orWord(presetNames, writtenLimitsField);

export type LimitsDraft = NonNullable<ReturnType<typeof writtenLimitsField>>;
