/** The indicators: each equals its reference, TA-Lib or its definition, from its first value on. */
import { compareIndicators } from '../../support/indicator-references.ts';
import type { StrategyList, StrategyListOptions, StrategyListResult } from './list.ts';

/** Of prices around 1,000,000 ticks. */
const differenceMax = 1e-6;

const plants = {
  'early-value': 'the exponential average has a value before its warm-up',
  'other-weight': 'the index differs by a millionth of itself',
};

async function run({ plant }: StrategyListOptions): Promise<StrategyListResult> {
  const compared = compareIndicators((name, values) => {
    if (plant === 'early-value' && name === 'ema') return [1_000_000, ...values.slice(1)];
    if (plant === 'other-weight' && name === 'rsi')
      return values.map((value) => (typeof value === 'number' ? value * (1 + 1e-6) : value));
    return values;
  });
  const notes = compared.flatMap(({ name, reference, maxDifference, onlyOne }) => [
    ...(maxDifference <= differenceMax
      ? []
      : [`${name} differs from ${reference} by ${maxDifference}`]),
    ...(onlyOne === 0 ? [] : [`${name}: ${onlyOne} values are in one of both only`]),
  ]);
  const entries = compared.map(({ name, reference, compared: values, maxDifference }) => ({
    ...{ name, reference, values, maxDifference },
  }));
  return { entries, violations: notes.length, notes };
}

export const indicatorList: StrategyList = { name: 'indicators', plants, run };
