/**
 * Reads `lowerGrade` of a scenario: the assumptions that a backtest over trades or candles needs,
 * because such a recording has no order book. Nothing in it has a default.
 *
 *     lowerGrade: { halfSpread: "0.05", volumeShare: "10%" }                    # trades
 *     lowerGrade: { halfSpread: "0.05", volumeShare: "10%", interval: "1m" }    # candles
 */
import { parseTicks } from '../domain/market.ts';
import type { GivenRules } from '../domain/market-rules.ts';
import { parseScaled } from '../domain/money.ts';
import type { LowerGrade } from '../domain/scenario-settings.ts';
import { must } from './bot-fields.ts';
import { type Draft, object, optional, type Reader } from './field.ts';
import type { KeyPath } from './settings-source.ts';
import { share, spanMs } from './unit-fields.ts';
import { amount } from './value-fields.ts';

const shape = {
  halfSpread: amount({ zero: false }),
  volumeShare: share({ max: '1' }),
  interval: optional(spanMs({ minMs: 1_000, maxMs: 86_400_000 })),
};

export const lowerGradeField = object(shape);

type LowerGradeDraft = Draft<typeof shape>;

/**
 * Reports a half spread that is not a whole number of ticks, if the file gives the price scale, and
 * a volume share with too many decimals.
 */
export function checkLowerGrade(
  reader: Reader,
  place: KeyPath,
  draft: LowerGradeDraft | undefined,
  { priceScale, volumeScale }: GivenRules,
): void {
  const { halfSpread, volumeShare } = draft ?? {};
  const hasScales = priceScale !== undefined && volumeScale !== undefined;
  if (
    halfSpread !== undefined &&
    hasScales &&
    parseTicks(halfSpread, { priceScale, volumeScale }) === undefined
  )
    reader.report([...place, 'halfSpread'], {
      message: `was "${halfSpread}"`,
      allowed: `at most ${priceScale} decimals, like the prices of the market`,
    });
  if (volumeShare !== undefined && millionthsOf(volumeShare) === undefined)
    reader.report([...place, 'volumeShare'], {
      message: 'has too many decimals',
      allowed: 'a share in whole millionths, such as "10%" or "0.5%"',
    });
}

/** Returns the assumptions of a draft without problems. */
export function lowerGradeOf(draft: LowerGradeDraft): LowerGrade {
  return {
    halfSpread: must(draft.halfSpread),
    volumeShareMillionths: must(millionthsOf(must(draft.volumeShare))),
    intervalMs: draft.interval,
  };
}

function millionthsOf(fraction: string): number | undefined {
  return parseScaled(fraction, 6);
}
