/** Translates the exchange's market statuses. */
import type { MarketStatus } from '../../domain/market.ts';

/**
 * Returns the status for the exchange's text. The stream and the market list spell post-only
 * differently.
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
