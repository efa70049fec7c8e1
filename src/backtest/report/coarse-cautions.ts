/** Cautions about what a recording of candles lacks or has twice. */
import type { CoarseBlocks } from '../coarse/coarse-blocks.ts';

type Blocks = Pick<CoarseBlocks, 'oddBars' | 'lateMicros'>;

/** Returns one sentence for each caution about the played bars. */
export function coarseCautionsOf({ oddBars, lateMicros }: Blocks): readonly string[] {
  if (oddBars === undefined) return [];
  const { count, place, distanceMicros } = oddBars;
  const others = count === 1 ? '' : `, and so do ${count - 1} more`;
  return [
    `${place} begins ${distanceMicros / 1e6} s after the bar before it instead of ${(lateMicros + 1) / 1e6} s${others}: ` +
      'a bar that may have lasted longer is played at its latest end; if a row is wrong, remove it from the table and import that again',
  ];
}
