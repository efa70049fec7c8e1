/** The text of a volume as it is sent and stored. */
import { formatLots, type Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';

/** The volume written last, its scale and its text: a strategy's orders often have one size. */
let lastVolume = noLots;
let lastScale = -1;
let lastText = '';

export function volumeTextOf(volume: Lots, market: Market): string {
  if (volume !== lastVolume || market.volumeScale !== lastScale) {
    lastText = formatLots(volume, market);
    lastVolume = volume;
    lastScale = market.volumeScale;
  }
  return lastText;
}
