/**
 * Reads `fillModel` of a scenario: the assumptions that a backtest over trades or candles needs,
 * because such a recording has no order book. Nothing in it has a default.
 *
 *     fillModel: { halfSpread: "0.05", volumeShare: "10%" }                    # trades
 *     fillModel: { halfSpread: "0.05", volumeShare: "10%", interval: "1m" }    # candles
 */
import { parseTicks } from '../domain/market.ts';
import type { GivenRules } from '../domain/market-rules.ts';
import { parseScaled } from '../domain/money.ts';
import type { FillModelSettings } from '../domain/scenario-settings.ts';
import { must } from './bot-fields.ts';
import { type Draft, object, optional, type Reader, renamed } from './field.ts';
import type { KeyPath } from './settings-source.ts';
import { share, spanMs } from './unit-fields.ts';
import { amount } from './value-fields.ts';

const shape = {
  halfSpread: amount({ zero: false }),
  volumeShare: share({ max: '1' }),
  interval: optional(spanMs({ minMs: 1_000, maxMs: 86_400_000 })),
};

/** What the key was called before it was renamed to `fillModel`. */
const formerKey = 'lowerGrade';

export const fillModelField = renamed(formerKey, object(shape));

type FillModelDraft = Draft<typeof shape>;

/** Returns the path of a market's fill model in the file, whose key may have its former name. */
export function fillModelPath({ source }: Reader, marketPath: KeyPath): KeyPath {
  const former = [...marketPath, formerKey];
  return source.has(former) ? former : [...marketPath, 'fillModel'];
}

/**
 * Reports a half spread that is not a whole number of ticks, if the file gives the price scale, and
 * a volume share with too many decimals.
 */
export function checkFillModel(
  reader: Reader,
  marketPath: KeyPath,
  draft: FillModelDraft | undefined,
  { priceScale, volumeScale }: GivenRules,
): void {
  const { halfSpread, volumeShare } = draft ?? {};
  const place = fillModelPath(reader, marketPath);
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
export function fillModelOf(draft: FillModelDraft): FillModelSettings {
  return {
    halfSpread: must(draft.halfSpread),
    volumeShareMillionths: must(millionthsOf(must(draft.volumeShare))),
    intervalMs: draft.interval,
  };
}

function millionthsOf(fraction: string): number | undefined {
  return parseScaled(fraction, 6);
}
