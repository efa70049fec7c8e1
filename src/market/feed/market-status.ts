/** The status of a market in the words of this program. */
import type { MarketStatus } from '../../domain/market.ts';

/**
 * Returns the status in the exchange's word; the stream and the market list spell one differently.
 */
export function marketStatusOf(text: string): MarketStatus {
  switch (text) {
    case 'ACTIVE':
    case 'SUSPENDED':
    case 'DISABLED':
      return text;
    case 'POSTONLY':
    case 'POST_ONLY':
      return 'POST_ONLY';
    default:
      return 'UNKNOWN';
  }
}
