/** Cautions about what a recording of candles lacks or has twice. */
import type { CoarseBlocks } from '../coarse/coarse-blocks.ts';

type Blocks = Pick<CoarseBlocks, 'oddBars' | 'lateMicros' | 'bars' | 'barsWithoutVolume'>;

/** Whether candles were played, all of them without volume. */
export function lacksVolume({ bars, barsWithoutVolume }: Blocks): boolean {
  return bars > 0 && barsWithoutVolume === bars;
}

/** Returns one sentence for each caution about the played bars. */
export function coarseCautionsOf(blocks: Blocks): readonly string[] {
  return [...volumeCautionsOf(blocks), ...oddCautionsOf(blocks)];
}

function volumeCautionsOf(blocks: Blocks): readonly string[] {
  const { bars, barsWithoutVolume } = blocks;
  const share = "our orders get a share of a candle's volume";
  if (lacksVolume(blocks))
    return [
      `nothing can fill: none of the ${bars} candles has a volume, and ${share}; ` +
        "to see fills, put what could be traded into the table's volume column, and import it again",
    ];
  if (barsWithoutVolume <= bars / 2) return [];
  return [`${barsWithoutVolume} of ${bars} candles have no volume, so they fill nothing: ${share}`];
}

function oddCautionsOf({ oddBars, lateMicros }: Blocks): readonly string[] {
  if (oddBars === undefined) return [];
  const { count, place, distanceMicros } = oddBars;
  const others = count === 1 ? '' : `, and so do ${count - 1} more`;
  return [
    `${place} begins ${distanceMicros / 1e6} s after the bar before it instead of ${(lateMicros + 1) / 1e6} s${others}: ` +
      'a bar that may have lasted longer is played at its latest end; if a row is wrong, remove it from the table and import that again',
  ];
}
